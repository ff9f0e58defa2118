"""Kernels of exact MDAV: three engines that form the same groups, and the parts they share."""

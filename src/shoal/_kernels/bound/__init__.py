"""Kernels of the lower bound: pricing of groups and subset-row cuts."""

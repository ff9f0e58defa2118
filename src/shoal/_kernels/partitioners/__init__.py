"""Kernels of single partitioners, each the twin of the method of its name."""

"""Kernels of record linkage: who is nearest to whom, and which columns agree."""

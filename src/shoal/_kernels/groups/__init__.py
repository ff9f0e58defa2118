"""Kernels of groups that change: exchange, descent, annealing, rebuilding."""

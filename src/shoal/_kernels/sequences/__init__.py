"""Kernels of sequences of records: tours, 2-opt, optimal cuts."""

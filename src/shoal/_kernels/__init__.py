"""Numba kernels: arrays in, arrays out; they never validate and never see a Table."""

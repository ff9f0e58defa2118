"""Kernels of evolution: what a change of a few cells or columns does to loss and risk."""

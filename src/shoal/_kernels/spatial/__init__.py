"""Kernels of space: trees over records, near and nearest records, spatial order."""

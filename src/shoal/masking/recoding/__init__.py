"""Recoding: values are released coarser than they were."""

"""Masking cluster by cluster, and clusters of categorical records."""

"""Searches for PRAM matrices."""

"""Searches for columns to mask together."""

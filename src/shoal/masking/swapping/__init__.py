"""Swapping: values trade places between records."""

"""The studio: a page on one's own machine that protects a file; it holds no logic, see README.md here."""

from shoal.studio.serve import serve

__all__ = ["serve"]

"""Disclosure risk: what an intruder can still find out, one measure a file."""

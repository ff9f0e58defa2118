"""Microaggregation: records are grouped and released as the centre of their group."""

"""Recoding by search: the levels, or the classes, that lose least and keep the promise."""

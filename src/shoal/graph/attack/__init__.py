"""Attacks on networks that are run, and how many users they find."""

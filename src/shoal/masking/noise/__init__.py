"""Noise addition."""

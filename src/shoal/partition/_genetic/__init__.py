"""Machinery of the genetic algorithm: how a partition is written as a chromosome."""

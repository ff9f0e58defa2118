"""Simulated annealing for `local_search` and `best`; README.md explains it."""

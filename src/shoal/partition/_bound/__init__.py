"""Column generation for `lower_bound` and for what `best` certifies; README.md explains it."""

"""What every room may use: cells and frames made plain, options handed on, workers, the log, display."""

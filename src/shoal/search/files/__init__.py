"""Evolution of masked files."""

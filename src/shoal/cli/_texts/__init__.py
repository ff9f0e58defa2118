"""How texts of the command line become values, and small files that are written beside the data."""

"""Orders of records in which close ones follow each other."""

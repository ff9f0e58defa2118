"""Names that tell nothing: keyed pseudonyms and random numbers in place of identifiers."""

"""Commands for work that goes on: next year's file, pseudonyms, linked tables."""

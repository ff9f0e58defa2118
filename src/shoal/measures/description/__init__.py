"""What a masking changed, described rather than judged."""

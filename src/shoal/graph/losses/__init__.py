"""What a protected network has lost."""

"""Information loss: what the masked file no longer says, one measure a file."""

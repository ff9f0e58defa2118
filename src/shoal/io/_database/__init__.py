"""What the reader and writer of databases need besides."""

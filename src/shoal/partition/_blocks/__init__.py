"""A large file in blocks, and how the cuts between them are mended."""

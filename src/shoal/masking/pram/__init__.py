"""The post-randomisation method: categories change by chance, as a matrix says."""

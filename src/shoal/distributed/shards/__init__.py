"""What happens to records in shards: where they go, how they are compared, what is done to them."""

"""What is read at scale: parquet files, texts with the types of all of them, answers of databases."""

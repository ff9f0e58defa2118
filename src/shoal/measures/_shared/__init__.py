"""What several measures need and no other room does."""

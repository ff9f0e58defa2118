"""What several partitioners need."""

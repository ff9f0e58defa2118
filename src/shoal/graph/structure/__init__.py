"""Structure: who is connected to whom, protected."""

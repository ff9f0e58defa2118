"""Households: what all members share is masked once, members after that, and k counts households."""

"""What new users typed, and what they must get."""

"""A tree read once into flat arrays."""

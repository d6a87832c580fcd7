"""What a page says of itself: title, language, author, dates, description, image."""

from .reader import read_metadata

__all__ = ["read_metadata"]

"""Records of a page: its posts."""

from .posts import find_posts

__all__ = ["find_posts"]

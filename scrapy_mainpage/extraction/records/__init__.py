"""Records of a page: its posts, and the other pages of a listing."""

from .pagination import find_pagination
from .posts import find_posts

__all__ = ["find_pagination", "find_posts"]

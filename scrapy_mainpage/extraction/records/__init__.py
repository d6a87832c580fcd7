"""Records of a page: its posts, and the other pages of a listing."""

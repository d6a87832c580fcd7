"""The server of the rendering tests, and invented texts for pages."""

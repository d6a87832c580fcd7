"""The server of the rendering tests."""

"""What the mixed site is made of: texts, page templates, client code, a server."""

"""Parts of the mixed site: texts, page templates, client code, a server."""

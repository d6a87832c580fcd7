"""The search page of an index: served, or written for a site without a server."""

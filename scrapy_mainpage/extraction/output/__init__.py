"""What is made from the main content: text, Markdown, HTML, and lists of resources.

Markdown and HTML are written from the same stream of events (:mod:`.stream`), which
nests as HTML demands whatever the page's own markup does.
"""

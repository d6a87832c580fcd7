"""Outputs: text, Markdown, HTML, links, media, sections and anchors."""

"""The visual report of a page, and the figures of the published systems."""

"""Text segments, line breaks, zones and link areas of the published systems."""

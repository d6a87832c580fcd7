"""Metadata that a page declares: title, language, author, dates, description, image."""

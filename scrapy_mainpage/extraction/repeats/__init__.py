"""Repeats: what is written several times by one template, and the records in it."""

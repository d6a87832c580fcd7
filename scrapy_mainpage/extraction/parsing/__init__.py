"""Bytes to a tree: encoding, limits, and pages over a limit."""

"""Measures of algorithms on labelled pages: words, text blocks and structure."""

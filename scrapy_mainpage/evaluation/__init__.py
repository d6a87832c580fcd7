"""Measure extraction on labelled pages; needs the extra ``evaluation``."""

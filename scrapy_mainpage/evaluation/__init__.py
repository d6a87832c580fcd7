"""Scores of algorithms on labelled pages, for ``scrapy mainpage-evaluate``."""

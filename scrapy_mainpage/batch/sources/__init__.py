"""Readers of WARC, Parquet and feeds: rows of pages, or codes of other records."""

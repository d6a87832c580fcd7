"""Main content extraction; knows nothing of Scrapy or a browser."""

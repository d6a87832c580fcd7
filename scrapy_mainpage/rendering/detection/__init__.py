"""Signs in a static page that it needs a browser. Knows nothing of Scrapy."""

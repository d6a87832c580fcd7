"""A Scrapy project to copy: a whole site, main content only, in a searchable index."""

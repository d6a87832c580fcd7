"""The ``scrapy`` commands; each module is imported at every call of ``scrapy``."""

"""What ``scrapy mainpage-index`` does: feeds read, documents written, the end told."""

"""What ``scrapy mainpage-batch`` does: files read, results written, the end told."""

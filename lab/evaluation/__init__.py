"""The results of ``scrapy mainpage-evaluate`` as a web page with plots."""

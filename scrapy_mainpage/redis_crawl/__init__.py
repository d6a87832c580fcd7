"""One crawl by many workers, with its queue in Redis.

No module here is imported before ``MAINPAGE_SHARED`` asks for it.
"""

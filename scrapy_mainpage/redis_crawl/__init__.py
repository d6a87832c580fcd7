"""One crawl by many workers, with its queue in Redis.

Nothing here is imported before ``MAINPAGE_SHARED`` or ``MAINPAGE_DUPLICATES_STORE``
asks for it.
"""

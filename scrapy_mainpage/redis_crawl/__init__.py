"""One crawl by many workers: what they share is in Redis.

Nothing here is imported before ``MAINPAGE_SHARED`` or ``MAINPAGE_DUPLICATES_STORE``
asks for it.
"""

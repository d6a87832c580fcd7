"""Second crawls: conditional requests, outcomes, the sweep of what is gone.

No module here is imported before ``MAINPAGE_STATE`` asks for it.
"""

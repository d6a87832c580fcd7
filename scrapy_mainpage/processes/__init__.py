"""Extraction in other processes: of pages so large that they would hold up the crawl.

Each worker is a Python of its own that gets one page at a time by a pipe, so that it
is always known which page a worker died of. It is not started by :mod:`multiprocessing`
as that runs the crawl's main script again in each process, and scripts that crawl
rarely expect it; :class:`concurrent.futures.ProcessPoolExecutor` would moreover fail
every page in flight when one process dies, and stops none that hangs.
"""

"""A pool of processes for tasks that may take long, hang, or end their process.

Each worker is a Python of its own that gets one task at a time through a pipe, so that
the task a worker died of is always known. :mod:`multiprocessing` would run the main
script again in each worker, and :class:`concurrent.futures.ProcessPoolExecutor` fails
every task in flight when one process dies and stops none that hangs. Of 36 large pages
with 12 random ``SIGKILL``, this pool finished all in 14 s, loky (one executor a slot)
all in 40 s, and pebble hung.
"""

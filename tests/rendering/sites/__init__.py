"""Sites on loopback for the crawls of the rendering tests.

`server.serve` serves the pages of a dictionary by their paths, `listener.listen` notes
connections to a port that no page may reach. Pages and their main texts are in

- `behaviours`: content that comes late, by scrolling, behind a consent, elsewhere;
- `troubles`: tabs that crash, block, open dialogs and windows, grow and load for ever;
- `hostile`: all ways of asking for forbidden addresses, from `asking`.
"""

"""Servers that tests start and stop: each on loopback, on a free port."""

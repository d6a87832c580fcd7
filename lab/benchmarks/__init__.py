"""Benchmarks of speed and quality: ``python -m lab.benchmarks``.

Times are given as ratios to the time that lxml takes to parse the same page, so that
they mean something on any machine.
"""

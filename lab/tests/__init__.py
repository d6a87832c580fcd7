"""Tests of the lab: measurements run, and checks find faults."""

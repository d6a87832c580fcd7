"""Tools of the maintainers, each run as ``python -m lab.tools.NAME``."""

"""Real front ends, built from npm: which pages need a browser, and what they show.

``recipes.yaml`` names them; ``sources`` has what each adds to its framework.
``python -m lab.frontends DIR`` builds, crawls and judges them.
"""

"""Embedded data: content in JSON-LD, microdata, hydration state, templates, frames.

Read for thin pages only, that is where the algorithm found few words of main content.
One exception: JSON-LD with an article's body that is much longer than the main content
found, as on pages whose text stands behind a paywall or a click.
"""

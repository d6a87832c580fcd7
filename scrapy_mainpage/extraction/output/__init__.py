"""Outputs: text, Markdown, HTML, links, media, sections and anchors.

Compiled: ``_signs`` (with ``_link_signs`` and ``_code_signs``, on ``_columns``) finds
the parts of the text that are not its words, ``_text`` writes plain text.
``_main_tree`` finds the parts of the tree that belong to the main content,
``_event_reader`` reads them as a balanced stream (``_events``),
``_html`` and ``_markdown`` (on ``_lines``, ``_paragraph``, ``_marks`` and
``_escaping``) write that stream.
"""

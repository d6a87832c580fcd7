"""Words, scripts and languages of text: one definition for the whole package."""

"""Pages that need a browser: which ones, and their rendering behind a guard."""

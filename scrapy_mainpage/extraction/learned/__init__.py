"""The learned default: features, forests, selection."""

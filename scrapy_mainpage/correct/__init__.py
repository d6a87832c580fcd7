"""The correcting page: labels of pages, mended by clicks, saved as labelled pages."""

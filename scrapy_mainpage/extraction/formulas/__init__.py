"""The LaTeX of formulas, as the libraries that draw them leave it in a page."""

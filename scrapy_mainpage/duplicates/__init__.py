"""Which texts say the same: fingerprints of texts, and stores that remember them."""

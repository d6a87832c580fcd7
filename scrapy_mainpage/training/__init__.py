"""Training of the shipped models; needs the extra [train]."""

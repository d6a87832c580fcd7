"""Training of the shipped models, beyond what a user's training does."""

"""The Rebel! and Revolutions."""

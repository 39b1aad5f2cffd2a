"""The Rebel! and revolutions."""

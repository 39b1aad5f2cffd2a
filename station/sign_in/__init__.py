"""Players' sign-in by phone."""

"""Record sheets."""

"""Results that arrive by codes or USB drive."""

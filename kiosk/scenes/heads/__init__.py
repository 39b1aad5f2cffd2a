"""Headings in the middle of the table: what to do next, rewards, and High Noon."""

"""The self-test: each part of the terminal in turn, and a page of what was found."""

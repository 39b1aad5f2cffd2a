"""The self-test: a step for each part of the terminal, and a report."""

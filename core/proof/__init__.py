"""The proof pack of a tournament: one file from which anybody can compute and check all of it again.

Its format is docs/reference/export.md. What is read here was written by somebody else: every fault becomes a
sentence with the line, none stops the reading. It draws nothing and decides nothing by itself.
"""

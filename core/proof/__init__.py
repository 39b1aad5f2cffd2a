"""The proof pack of a tournament: one file from which anybody can recompute and check everything.

The format is described in docs/reference/export.md. Packs come from untrusted sources: each fault becomes
a sentence with its line, and reading continues.
"""

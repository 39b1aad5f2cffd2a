"""The rules of a tournament, as values in and values out.

This room imports nothing of ours and, but for its program and the reading of its
own edition files, touches nothing outside: no clock, no chance that is not handed in,
no file, screen, wire or database. Its words are in docs/development/glossary.md.
"""

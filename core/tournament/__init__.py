"""A whole tournament: rounds, table chart, draw, penalties, record sheets, standings and tie-breaks.

It is deterministic: seeds come with commands and are stored in events. The terms are defined in
docs/development/glossary.md, the draw in docs/reference/draw.md.
"""

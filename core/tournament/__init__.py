"""A whole tournament: rounds, table chart, draw, penalties, record sheets, standings and tie-breaks.

It is deterministic: seeds come with decisions and are stored in them. The terms are defined in
docs/development/glossary.md, the draw in docs/reference/draw.md.
"""

"""The attributes with which a page loads a part again after a change at the station."""

import re

from station.app.app import TEMPLATES

REPLACED = {"floor.html": "the hall, whose tables come by themselves", "_pace.html": "asks again every 30 s"}
"""Parts that put themselves in their own place, each with the reason why a lost change does no harm."""


def test_no_change_is_lost_while_a_part_is_loading() -> None:
    # htmx drops what waits for an element once the answer before has replaced it.
    parts = {
        file.name
        for folder in TEMPLATES
        for file in folder.rglob("*.html")
        for tag in re.findall(r"<\w+ [^>]*hx-trigger=\"[^\"]*sse:[^>]*>", file.read_text("utf-8"))
        if 'hx-swap="outerHTML"' in tag
    }
    assert parts == set(REPLACED)

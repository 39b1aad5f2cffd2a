"""The colours of the pages can be read, by day and by night."""

import hashlib
import re
from pathlib import Path

import pytest

from station import web
from station.app.app import TEMPLATES

STATIC = Path(next(iter(web.__path__))) / "static"
AA, AAA = 4.5, 7.0
PAIRS = (
    ("ink", "paper", AAA), ("ink", "card", AAA), ("ink", "rest", AAA), ("ink", "turn", AAA),
    ("ink", "noon", AAA), ("cream", "wood", AAA), ("main-ink", "main", AA), ("soft", "paper", AA),
    ("soft", "card", AA), ("soft", "rest", AA), ("brass", "paper", AA), ("brass", "card", AA),
    ("good", "card", AA), ("good", "rest", AA), ("warn", "card", AA), ("bad", "card", AA),
    ("bad", "rest", AA), ("main-ink", "call", AA),
)  # fmt: skip


def themes() -> dict[str, dict[str, str]]:
    css = (STATIC / "saloon.css").read_text(encoding="utf-8")
    day, night = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    tokens = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
    return {"day": dict(tokens.findall(day)), "night": dict(tokens.findall(night))}


def luminance(colour: str) -> float:
    parts = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["day", "night"])
@pytest.mark.parametrize(("text", "ground", "least"), PAIRS)
def test_text_stands_out_from_its_ground(theme: str, text: str, ground: str, least: float) -> None:
    colours = themes()[theme]
    assert contrast(colours[text], colours[ground]) >= least


def test_the_libraries_are_the_ones_that_the_list_names() -> None:
    listed = (STATIC / "vendor" / "README.md").read_text(encoding="utf-8")
    for file in STATIC.glob("vendor/*.js"):
        assert f"| {file.name} |" in listed
        assert hashlib.sha256(file.read_bytes()).hexdigest() in listed


def test_no_style_looks_into_every_table_of_the_floor() -> None:
    """With :has() on 999 rows, every change restyled the whole page, and browsers fell behind."""
    css = (STATIC / "saloon.css").read_text(encoding="utf-8")
    assert not re.search(r"\.(slot|floor|live-floor)\b[^,{]*:has\(|:has\([^)]*\)[^,{]*\.slot", css)


def test_text_and_widths_follow_the_letters_that_somebody_has_chosen_in_the_browser() -> None:
    css = (STATIC / "saloon.css").read_text(encoding="utf-8").partition("@media print")[0]
    assert not re.search(r"\b(html|body) \{[^}]*\bfont(-size)?:[^;}]*\dp[xt]", css)
    assert not re.search(r"@media[^{]*\dpx", css)


def test_a_large_floor_is_tidied_a_few_times_a_second() -> None:
    script = (STATIC / "pages.js").read_text(encoding="utf-8")
    assert re.findall(r'addEventListener\("htmx:\w+", tidy\w+\)', script) == [
        'addEventListener("htmx:afterSettle", tidySoon)',
        'addEventListener("htmx:sseMessage", tidySoon)',
    ]


def test_refused_lines_of_the_audit_are_not_faded() -> None:
    """Soft text on the paper background only just has enough contrast."""
    css = (STATIC / "saloon.css").read_text(encoding="utf-8")
    assert [
        rule for rule in re.findall(r"[^{}]*\{[^{}]*\}", css) if ".audit" in rule and "opacity" in rule
    ] == []


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


def test_no_fragment_of_a_page_takes_the_focus_from_a_field_in_use() -> None:
    # htmx moves the focus to what has autofocus in a fragment. The variable {{ autofocus }} is empty there.
    for folder in TEMPLATES:
        for file in folder.rglob("*.html"):
            html = re.sub(r"{{.*?}}|{%.*?%}", "", file.read_text("utf-8"), flags=re.DOTALL)
            assert not re.search(r"\bautofocus\b", html), file

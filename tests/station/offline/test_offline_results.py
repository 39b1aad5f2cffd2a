"""The page "Take in": photos, files, text and the live camera's frames, and what it says of them."""

import json
from collections.abc import Callable
from io import BytesIO

import pytest
import segno
from PIL import Image

from core.editions.loader import edition
from core.terms import RoundNo, TableNo
from station.projections.floor_cards import SheetState
from sync.protocol.parcel import parts_of
from tests.station.browser import Browser
from tests.station.conftest import OPEN, ScriptedTerminal, Station

HERE = "/judge/take-in/"
Send = Callable[..., str]


@pytest.fixture
def away(station: Station) -> ScriptedTerminal:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    return terminal


def photo(*texts: str) -> bytes:
    """Codes side by side."""
    out = BytesIO()
    sheet = Image.new("L", (460 * len(texts), 460), 120)
    for number, text in enumerate(texts):
        png = BytesIO()
        segno.make_qr(text, error="m", boost_error=False).save(png, kind="png", scale=4, border=4)
        sheet.paste(Image.open(png).convert("L"), (460 * number + 10, 10))
    sheet.save(out, "JPEG", quality=80)
    return out.getvalue()


def is_accepted(station: Station) -> bool:
    station.settle()
    return station.service.card(OPEN, RoundNo(1), TableNo(1)).sheet is SheetState.ACCEPTED


def test_only_judges_come_in(visitor: Browser) -> None:
    assert visitor.status(HERE).status_code in {302, 303, 307}


def test_a_photo_of_a_record_sheet_is_taken_in(
    station: Station, away: ScriptedTerminal, judge: Browser
) -> None:
    away.plays_unsent()
    (text,) = parts_of(away.seals_sheet())
    judge.get(HERE)
    said = judge.send_file(HERE, "file", "photo.jpg", photo(text))
    assert "The record sheet has been imported." in said
    assert f"/judge/t/{OPEN}/tables/1/1" in said
    assert is_accepted(station)
    assert "Nothing has changed" in judge.send_file(HERE, "file", "photo.jpg", photo(text))


@pytest.mark.parametrize(
    ("rules", "players", "place"),
    [("championship-2022", 10, "Round 1, table 1"), ("official-2003", 5, "Game 1, table 1")],
)
def test_what_was_imported_is_named_as_its_tournament_counts(
    station: Station, judge: Browser, rules: str, players: int, place: str
) -> None:
    station.opens(players, rules=rules)
    away = station.terminal(1)
    away.rules = edition(rules)
    station.publishes()
    away.plays_unsent()
    (text,) = parts_of(away.seals_sheet())
    judge.get(HERE)
    assert f"{place}</a>" in judge.send(HERE, {"part": text})


def test_a_file_of_a_stick_is_taken_in(station: Station, away: ScriptedTerminal, judge: Browser) -> None:
    away.plays_unsent()
    judge.get(HERE)
    said = judge.send_file(HERE, "file", "saloon-table-1.parcel", away.seals_entries())
    assert f"{len(away.entries)} new entries (1 to {len(away.entries)})." in said
    assert is_accepted(station)


def test_parts_are_gathered_over_several_photos_and_the_page_remembers_them(
    station: Station, away: ScriptedTerminal, judge: Browser
) -> None:
    away.plays_unsent()
    texts = parts_of(away.seals_entries())
    first, second = texts
    judge.get(HERE)
    said = judge.send_file(HERE, "file", "1.jpg", photo(second))
    assert "1 of 2 parts received; photograph the rest." in said
    assert '<i>1</i><i class="has">2</i>' in said
    assert f'name="part" value="{second}"' in said
    assert first not in said
    assert not is_accepted(station)
    said = judge.send_file(HERE, "file", "2.jpg", photo(first), part=second)
    assert "new entries" in said
    assert is_accepted(station)


def test_a_sheet_nobody_confirmed_is_confirmed_on_the_page(
    station: Station, away: ScriptedTerminal, judge: Browser
) -> None:
    away.plays_unsent(None)
    (text,) = parts_of(away.seals_sheet())
    judge.get(HERE)
    said = judge.send_file(HERE, "file", "photo.jpg", photo(text))
    assert "A judge still has to confirm this record sheet." in said
    assert not is_accepted(station)
    assert "The record sheet has been imported." in judge.send(HERE, {"part": text, "confirms": "yes"})
    assert is_accepted(station)
    history = judge.get(f"/judge/t/{OPEN}/history")
    assert f"confirmed here, imported from terminal {away.id[:8]} by code or USB drive" in history


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "cat.jpg",
            photo("https://example.org/menu"),
            "This isn't a code or file from a terminal. Try another one.",
        ),
        ("wall.png", b"\x89PNG" + bytes(50), "This picture can't be read"),
        ("notes.txt", b"SALOON1:ABC", "This is damaged."),
        ("other.txt", b"SALOON2:ABC", "a different version of Saloon"),
        ("short.parcel", b"SP\x01", "This isn't a code or file from a terminal. Try another one."),
    ],
)
def test_what_is_not_ours_is_named_and_told_what_to_do(
    station: Station, judge: Browser, name: str, content: bytes, words: str
) -> None:
    station.opens(10)
    judge.get(HERE)
    said = judge.send_file(HERE, "file", name, content)
    assert words in said
    assert name in said


def test_a_form_without_anything_says_so(judge: Browser) -> None:
    judge.get(HERE)
    assert "Nothing was chosen. Take a photo, choose a file or enter the codes." in judge.send(
        HERE, {"part": ""}
    )


def test_what_is_larger_than_any_picture_is_not_even_read(judge: Browser) -> None:
    judge.get(HERE)
    judge.send_file(HERE, "file", "huge.jpg", bytes(80 * 1024 * 1024), expected=413)


def test_a_frame_of_the_live_camera_gives_its_parts(
    station: Station, away: ScriptedTerminal, judge: Browser
) -> None:
    away.plays_unsent()
    texts = parts_of(away.seals_entries())
    judge.get(HERE)
    said = json.loads(judge.send_file(f"{HERE}frame", "file", "frame.jpg", photo(texts[1])))
    (part,) = said["parts"]
    assert (part["number"], part["count"], part["text"]) == (2, len(texts), texts[1])
    assert json.loads(judge.send_file(f"{HERE}frame", "file", "frame.jpg", b"dark")) == {"parts": []}


def test_the_page_says_why_there_is_no_live_camera_without_https(judge: Browser) -> None:
    assert "Browsers only allow camera access on HTTPS pages." in judge.get(HERE)


def test_the_page_speaks_the_judges_language(judge: Browser) -> None:
    assert 'lang="it"' in judge.get(HERE, "it")

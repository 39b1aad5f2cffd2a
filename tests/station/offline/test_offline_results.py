"""The import page: photos, files, text and camera frames, with codes as phones see them."""

import json
import random
import struct
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
import segno
from PIL import Image, ImageEnhance, ImageFilter

from base.errors import Refused
from core.editions.loader import edition
from station.offline.service import ParcelRefusal
from station.offline.uploads import LARGEST_PICTURE, texts_in
from station.projections.cards import SheetState
from sync.protocol.parcel import parts_of
from tests.station.browser import Browser
from tests.station.conftest import OPEN, ScriptedTerminal, Station

HERE = "/judge/take-in/"
NOT_OURS = "This isn't a code or file from a terminal. Try another one."


@pytest.fixture
def away(station: Station) -> ScriptedTerminal:
    return station.round_with_terminal()


def code(text: str) -> Image.Image:
    out = BytesIO()
    segno.make_qr(text, error="m", boost_error=False).save(out, kind="png", scale=4, border=4)
    return Image.open(out).convert("L")


def jpeg(picture: Image.Image, quality: int = 75, **more: bytes) -> bytes:
    out = BytesIO()
    picture.save(out, "JPEG", quality=quality, **more)
    return out.getvalue()


def photo(*texts: str) -> bytes:
    sheet = Image.new("L", (460 * len(texts), 460), 120)
    for number, text in enumerate(texts):
        sheet.paste(code(text), (460 * number + 10, 10))
    return jpeg(sheet, 80)


def is_accepted(station: Station) -> bool:
    station.settle()
    return station.card().sheet is SheetState.ACCEPTED


def test_a_photo_of_a_sheet_is_taken_in(station: Station, away: ScriptedTerminal, judge: Browser) -> None:
    away.plays_unsent()
    (text,) = parts_of(away.seals_sheet())
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
    assert f"{place}</a>" in judge.send(HERE, {"part": text})


def test_a_file_of_a_stick_is_taken_in(station: Station, away: ScriptedTerminal, judge: Browser) -> None:
    away.plays_unsent()
    said = judge.send_file(HERE, "file", "saloon-table-1.parcel", away.seals_entries())
    assert f"{len(away.entries)} new entries (1 to {len(away.entries)})." in said
    assert is_accepted(station)


def test_parts_are_gathered_over_several_photos_and_the_page_remembers_them(
    station: Station, away: ScriptedTerminal, judge: Browser
) -> None:
    away.plays_unsent()
    texts = parts_of(away.seals_entries())
    first, second = texts
    said = judge.send_file(HERE, "file", "1.jpg", photo(second))
    assert "1 of 2 parts received; photograph the rest." in said
    assert '<i>1</i><i class="has">2</i>' in said
    assert f'name="part" value="{second}"' in said
    assert first not in said
    assert not is_accepted(station)
    said = judge.send_file(HERE, "file", "2.jpg", photo(first), part=second)
    assert "new entries" in said
    assert is_accepted(station)


def test_an_open_sheet_is_confirmed_here(station: Station, away: ScriptedTerminal, judge: Browser) -> None:
    away.plays_unsent(None)
    (text,) = parts_of(away.seals_sheet())
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
        ("cat.jpg", photo("https://example.org/menu"), NOT_OURS),
        ("wall.png", b"\x89PNG" + bytes(50), "This file can't be read"),
        ("notes.txt", b"SALOON1:ABC", "This is damaged."),
        ("other.txt", b"SALOON2:ABC", "a different version of Saloon"),
        ("short.parcel", b"SP\x01", NOT_OURS),
    ],
)
def test_what_is_not_ours_is_named_and_told_what_to_do(
    station: Station, judge: Browser, name: str, content: bytes, words: str
) -> None:
    station.opens(10)
    said = judge.send_file(HERE, "file", name, content)
    assert words in said
    assert name in said


def test_a_form_without_anything_says_so(judge: Browser) -> None:
    assert "Nothing was chosen. Take a photo, choose a file or enter the codes." in judge.send(
        HERE, {"part": ""}
    )


def test_what_is_larger_than_any_picture_is_not_even_read(judge: Browser) -> None:
    judge.send_file(HERE, "file", "huge.jpg", bytes(80 * 1024 * 1024), expected=413)


def test_a_frame_of_the_camera_gives_parts(station: Station, away: ScriptedTerminal, judge: Browser) -> None:
    away.plays_unsent()
    texts = parts_of(away.seals_entries())
    said = json.loads(judge.send_file(f"{HERE}frame", "file", "frame.jpg", photo(texts[1])))
    (part,) = said["parts"]
    assert (part["number"], part["count"], part["text"]) == (2, len(texts), texts[1])
    assert json.loads(judge.send_file(f"{HERE}frame", "file", "frame.jpg", b"dark")) == {"parts": []}


def test_the_page_says_why_there_is_no_live_camera_without_https(judge: Browser) -> None:
    assert "Browsers only allow camera access on HTTPS pages." in judge.get(HERE)


def test_the_page_speaks_the_judges_language(judge: Browser) -> None:
    assert 'lang="it"' in judge.get(HERE, "it")


PARTS = parts_of(random.Random(4).randbytes(2500))
"""Full codes, the largest that a terminal shows."""


def glass(text: str) -> Image.Image:
    """Photograph an 800 x 480 terminal on a wooden table, with three pixels for each of its own."""
    screen = Image.new("L", (800, 480), 26)
    screen.paste(code(text), (30, 22))
    table = Image.new("L", (3200, 2400), 90)
    table.paste(screen.resize((2400, 1440), Image.Resampling.BICUBIC), (400, 480))
    return table


def skewed(picture: Image.Image) -> Image.Image:
    """Show the picture from the side: the left edge is a tenth higher than the right one."""
    w, h = picture.size
    corners = (0, 0, 0, h, w, h * 1.1, w, -h * 0.1)
    return picture.transform(picture.size, Image.Transform.QUAD, corners, Image.Resampling.BICUBIC)


def noisy(picture: Image.Image) -> Image.Image:
    noise = Image.effect_noise(picture.size, 60)
    return Image.blend(picture, noise, 0.3)


def with_thumb(picture: Image.Image) -> Image.Image:
    picture = picture.copy()
    picture.paste(140, (1250, 1700, 1420, 1830))
    return picture


DISTORTIONS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "straight": lambda picture: picture,
    "turned by 90 degrees": lambda picture: picture.rotate(90, expand=True),
    "upside down": lambda picture: picture.rotate(180),
    "aslant": lambda picture: picture.rotate(17, expand=True, fillcolor=90),
    "from the side": skewed,
    "out of focus": lambda picture: picture.filter(ImageFilter.GaussianBlur(5)),
    "shaken": lambda picture: picture.filter(ImageFilter.BoxBlur(5)),
    "dark": lambda picture: ImageEnhance.Brightness(picture).enhance(0.12),
    "pale": lambda picture: ImageEnhance.Contrast(picture).enhance(0.2),
    "noise of a small lens": noisy,
    "from afar": lambda picture: picture.resize((1280, 960)),
    "a thumb at the edge": with_thumb,
}


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize("name", DISTORTIONS)
def test_a_full_code_is_read_from_a_picture(name: str) -> None:
    picture = DISTORTIONS[name](glass(PARTS[0]))
    assert texts_in(jpeg(picture)) == (PARTS[0],)


def test_a_picture_that_the_phone_marks_as_turned_is_read() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert texts_in(jpeg(glass(PARTS[1]), exif=exif.tobytes())) == (PARTS[1],)


def test_several_codes_in_one_picture_are_all_read() -> None:
    wall = Image.new("RGB", (1500, 600), (240, 240, 240))
    for number in range(3):
        wall.paste(code(PARTS[number]), (30 + 480 * number, 60))
    assert set(texts_in(jpeg(wall))) == set(PARTS[:3])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_screenshots_are_read(kind: str) -> None:
    out = BytesIO()
    glass(PARTS[0]).save(out, kind)
    assert texts_in(out.getvalue()) == (PARTS[0],)


def refusal(picture: bytes) -> ParcelRefusal:
    with pytest.raises(Refused) as refused:
        texts_in(picture)
    assert isinstance(refused.value.reason, ParcelRefusal)
    return refused.value.reason


def test_a_picture_without_a_code_says_how_to_take_one() -> None:
    assert refusal(jpeg(Image.new("L", (640, 480), 128))) is ParcelRefusal.NO_CODE
    assert refusal(jpeg(Image.effect_noise((300, 300), 80))) is ParcelRefusal.NO_CODE


def bomb(side: int) -> bytes:
    """Return a picture of a few bytes that claims to be huge."""
    head = struct.pack("!IIBBBBB", side, side, 8, 0, 0, 0, 0)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack("!I", len(data)) + name + data + struct.pack("!I", zlib.crc32(name + data))

    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def strange() -> Iterator[bytes]:
    good = jpeg(glass(PARTS[0]))
    yield b""
    yield b"GIF89a" + bytes(100)
    yield b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    yield bomb(8_100)
    yield bomb(60_000)
    yield good[:200]
    yield bytes(LARGEST_PICTURE + 1)


@pytest.mark.parametrize("picture", tuple(strange()), ids=lambda picture: f"{len(picture)} bytes")
def test_what_is_no_picture_is_refused_before_it_is_unpacked(picture: bytes) -> None:
    assert refusal(picture) is ParcelRefusal.NO_PICTURE


def test_a_picture_that_was_cut_off_gives_a_refusal_and_no_fault() -> None:
    good = jpeg(glass(PARTS[0]))
    chance = random.Random(9)
    for _ in range(6):
        assert refusal(good[: chance.randrange(300, len(good) // 2)]) in {
            ParcelRefusal.NO_PICTURE,
            ParcelRefusal.NO_CODE,
        }

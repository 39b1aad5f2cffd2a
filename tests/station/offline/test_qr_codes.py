"""Codes in pictures as phones take them of a terminal's glass."""

import random
import struct
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
import segno
from PIL import Image, ImageEnhance, ImageFilter

from base.errors import Refused
from station.offline.import_results import ParcelRefusal
from station.offline.qr_codes import LARGEST_PICTURE, texts_in
from sync.protocol.parcel import parts_of

PARTS = parts_of(random.Random(4).randbytes(2500))
"""Full codes, the largest that a terminal shows."""


def code(text: str, px: int = 4) -> Image.Image:
    out = BytesIO()
    segno.make_qr(text, error="m", boost_error=False).save(out, kind="png", scale=px, border=4)
    return Image.open(out).convert("L")


def glass(text: str) -> Image.Image:
    """A terminal of 800 x 480 on a wooden table, as a phone sees it: each pixel of the glass is three."""
    screen = Image.new("L", (800, 480), 26)
    screen.paste(code(text), (30, 22))
    table = Image.new("L", (3200, 2400), 90)
    table.paste(screen.resize((2400, 1440), Image.Resampling.BICUBIC), (400, 480))
    return table


def jpeg(picture: Image.Image, quality: int = 75, **more: bytes) -> bytes:
    out = BytesIO()
    picture.save(out, "JPEG", quality=quality, **more)
    return out.getvalue()


def skewed(picture: Image.Image) -> Image.Image:
    """Seen from the side: the left edge is a tenth higher than the right one."""
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
    """A picture of a few bytes that claims to be huge."""
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

"""The picture on screens of any shape: codes that a camera reads, nothing outside its place."""

from pathlib import Path

import msgspec
import pygame
import pytest
import zxingcpp
from click.testing import CliRunner
from PIL import Image

from station.appliance.status import (
    HALL_FILE,
    CardProblem,
    HallSettings,
    RoundStatus,
    StationStatus,
    StationStatusWriter,
)
from station.screen.main import main
from station.screen.picture import draw_plan
from station.screen.plan import plan_of, words_in
from tests.station.screen.test_plan import NOW, STATUS, WIFI

SIZES = ((1280, 720), (800, 480), (720, 1280), (480, 800), (1920, 1080), (1024, 600))
FULL = msgspec.structs.replace(
    STATUS,
    first_code="7HXJN-MX2XZ",
    fingerprint=":".join(["AB"] * 32),
    is_clock_sure=False,
    is_away=True,
    room=1_000,
    away=30,
    alarms=3,
    round=RoundStatus("The Great Western Open of the North 2026", 3, 40, 12, 4, left_s=900),
)
WRONG = CardProblem(12, "[wifi] password", "it needs 8 to 63 characters", "password = •••")


@pytest.fixture(autouse=True)
def fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.font.init()


def picture(
    hall: HallSettings, status: StationStatus | None, size: tuple[int, int], language: str = "en"
) -> pygame.Surface:
    surface = pygame.Surface(size)
    draw_plan(plan_of(hall, status, NOW, words_in(language)), surface)
    return surface


def read(surface: pygame.Surface) -> set[str]:
    image = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    return {code.text for code in zxingcpp.read_barcodes(image)}


@pytest.mark.by_day(4)
@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("language", ["en", "it"])
def test_a_camera_reads_both_codes_even_when_everything_is_wrong(
    size: tuple[int, int], language: str
) -> None:
    texts = read(picture(HallSettings(name="Sala Rossa", wifi=WIFI, card=WRONG), FULL, size, language))
    assert texts == {
        "WIFI:T:WPA;S:Saloon-3F2A;P:cactus-river-4821;;",
        "https://10.73.1.1/first?code=7HXJN-MX2XZ",
    }


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_rows_end_above_the_foot_and_the_edge_is_free(size: tuple[int, int]) -> None:
    hall = HallSettings(name="A hall with a very long name that no sign was made for", wifi=WIFI)
    surface = picture(hall, FULL, size)
    wood = surface.get_at((0, 0))
    width, height = size
    edge = [(x, y) for x in range(width) for y in (0, height - 1)]
    edge += [(x, y) for x in (0, width - 1) for y in range(height)]
    assert {tuple(surface.get_at(place)) for place in edge} == {tuple(wood)}


def test_a_word_that_is_wider_than_the_screen_is_broken() -> None:
    picture(HallSettings(card=msgspec.structs.replace(WRONG, text="x" * 300)), FULL, (480, 800))


@pytest.mark.parametrize("has_radio", [True, False])
def test_the_program_draws_what_system_and_station_left(tmp_path: Path, *, has_radio: bool) -> None:
    (tmp_path / HALL_FILE).write_bytes(msgspec.json.encode(HallSettings(wifi=WIFI)))
    StationStatusWriter(tmp_path).write(msgspec.structs.replace(STATUS, has_radio=has_radio))
    out = tmp_path / "screen.png"
    arguments = ["--folder", str(tmp_path), "--size", "800x480", "--picture", str(out)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    with Image.open(out) as image:
        texts = {code.text for code in zxingcpp.read_barcodes(image.convert("RGB"))}
    assert len(texts) == (2 if has_radio else 1)
    assert ("https://10.73.1.1" if has_radio else "https://192.168.1.10") in texts

"""The station's own screen: its texts, and a picture of any shape whose codes a camera can read."""

import datetime as dt
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
    StickState,
    StickStatus,
    WifiShown,
)
from station.screen.main import main
from station.screen.picture import draw_plan
from station.screen.plan import Mark, ScreenPlan, plan_of, wifi_text, words_in

WRONG = CardProblem(12, "[wifi] password", "it needs 8 to 63 characters", "password = •••")
NOW = dt.datetime(2026, 11, 21, 14, 0, tzinfo=dt.UTC)
NOW_MS = round(NOW.timestamp() * 1000)
WIFI = WifiShown("Saloon-3F2A", "cactus-river-4821", "10.73.1.1")
STATUS = StationStatus(
    pages=("https://192.168.1.10", "https://10.73.1.1"),
    local="https://saloon.local",
    fingerprint="AB:CD",
    room=20_000_000_000,
    room_of=30_000_000_000,
)


def plan(hall: HallSettings, status: StationStatus | None) -> ScreenPlan:
    return plan_of(hall, status, NOW, str)


def words(screen: ScreenPlan) -> str:
    return "\n".join(f"{row.title}: {row.text}" for row in screen.rows)


def test_an_access_point_is_joined_first_and_then_its_own_address_opened() -> None:
    join, opening = plan(HallSettings(wifi=WIFI), STATUS).codes
    assert join.content == "WIFI:T:WPA;S:Saloon-3F2A;P:cactus-river-4821;;"
    assert opening.content == "https://10.73.1.1"
    assert opening.lines == ("https://saloon.local", "https://10.73.1.1")


def test_on_a_cable_there_is_one_code_with_the_first_address() -> None:
    (opening,) = plan(HallSettings(name="Sala Rossa"), STATUS).codes
    assert opening.content == "https://192.168.1.10"


def test_signs_that_mean_something_in_a_code_are_quoted() -> None:
    assert wifi_text(WifiShown('a;b:"c"', "d\\e,f")) == 'WIFI:T:WPA;S:a\\;b\\:\\"c\\";P:d\\\\e\\,f;;'


def test_until_there_is_a_judge_the_code_opens_the_form_for_the_first_one() -> None:
    screen = plan(HallSettings(), msgspec.structs.replace(STATUS, first_code="7HXJN-MX2XZ"))
    assert screen.codes[0].content == "https://192.168.1.10/first?code=7HXJN-MX2XZ"
    assert "7HXJN-MX2XZ" in words(screen)
    assert "/first" not in words(plan(HallSettings(), STATUS))


def test_a_silent_station_still_shows_its_wi_fi_and_says_what_to_do() -> None:
    screen = plan(HallSettings(wifi=WIFI), None)
    assert [code.title for code in screen.codes] == ["1. Join the Wi-Fi"]
    assert "not responding" in words(screen)


def test_a_wrong_card_file_is_told_with_line_and_key() -> None:
    alert = "\n".join(plan(HallSettings(card=WRONG), STATUS).alert)
    for part in (
        "saloon-station.toml",
        "Line 12: password = •••",
        "[wifi] password",
        "8 to 63",
        "Switch off",
    ):
        assert part in alert


def test_a_time_that_nobody_told_is_not_shown_as_the_time() -> None:
    assert plan(HallSettings(), STATUS).time == "14:00"
    screen = plan(HallSettings(), msgspec.structs.replace(STATUS, is_clock_sure=False))
    assert screen.time == ""
    assert "This station doesn't know the time" in words(screen)


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (RoundStatus("Open", 0), "Open: No table is playing."),
        (RoundStatus("Open", 2, 7, 5), "Open: Round 2, tables done: 5 of 7"),
        (RoundStatus("Club", 2, 1, is_game=True), "Club: Game 2, tables done: 0 of 1"),
        (RoundStatus("Open", 2, 7, 5, ends_ms=NOW_MS + 1_800_000), "done: 5 of 7 · until 14:30"),
        (RoundStatus("Open", 2, 7, 5, ends_ms=NOW_MS - 1), "done: 5 of 7 · time's up"),
        (RoundStatus("Open", 2, 7, 5, left_s=61), "done: 5 of 7 · clock stopped, 2 min left"),
        (RoundStatus("Open", 2, 7, 5, 1), "done: 5 of 7 · calls for a judge: 1"),
    ],
)
def test_the_round_is_told_in_a_line(look: RoundStatus, said: str) -> None:
    assert said in words(plan(HallSettings(), msgspec.structs.replace(STATUS, round=look)))


def test_each_state_of_the_stick_has_words_and_what_needs_a_hand_a_sign() -> None:
    seen = set()
    for state in StickState:
        screen = plan(HallSettings(), msgspec.structs.replace(STATUS, stick=StickStatus(state, NOW_MS)))
        row = next(row for row in screen.rows if row.title == "Copy on a USB drive")
        assert "last good copy 14:00" in row.text
        seen.add(row.text)
        needs_a_hand = state in {StickState.NONE, StickState.FULL, StickState.READ_ONLY, StickState.FAILED}
        assert (row.mark is Mark.LOOK) == needs_a_hand
    assert len(seen) == len(StickState)


def test_trouble_is_told_and_a_quiet_hall_is_not_marked() -> None:
    quiet = msgspec.structs.replace(STATUS, here=3, stick=StickStatus(StickState.GOOD, NOW_MS))
    assert {row.mark for row in plan(HallSettings(), quiet).rows} == {Mark.GOOD}
    bad = msgspec.structs.replace(STATUS, here=2, away=1, alarms=1, room=1_000, is_away=True, pages=())
    said = words(plan(HallSettings(), bad))
    for part in ("2 connected, 1 disconnected · alarms: 1", "0.0 GB are free", "Nothing can be", "No cable"):
        assert part in said


def test_the_end_is_told_until_the_screen_is_dark() -> None:
    assert "Wait until this screen goes dark" in words(
        plan(HallSettings(), msgspec.structs.replace(STATUS, is_ending=True))
    )


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
def test_a_camera_reads_both_codes_when_everything_is_wrong(size: tuple[int, int], language: str) -> None:
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
    texts = read(pygame.image.load(out))
    assert len(texts) == (2 if has_radio else 1)
    assert ("https://10.73.1.1" if has_radio else "https://192.168.1.10") in texts

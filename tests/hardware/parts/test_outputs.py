"""Lamps, tunes and the backlight: their patterns, and the signals at their pins."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.contract import Lamp, Tune
from hardware.part_wiring import BuzzerWiring, Sound
from hardware.parts.outputs import RHYTHMS, TUNES, Backlight, NoBacklight, Note
from hardware.wiring import Wiring
from tests.hardware.conftest import Bench

LOOKS = {
    Lamp.OFF: {(0, 0, 0)},
    Lamp.WAITING: {(0, 0, 1)},
    Lamp.PLAYING: {(0, 1, 0)},
    Lamp.HIGH_NOON: {(1, 1, 0), (0, 0, 0)},
    Lamp.ASKED: {(0, 1, 0), (0, 0, 0)},
    Lamp.TIME_SHORT: {(0, 1, 0), (1, 1, 0)},
    Lamp.TIME_OVER: {(1, 1, 1), (0, 0, 1)},
    Lamp.JUDGE_CALLED: {(1, 0, 0), (0, 0, 0)},
    Lamp.ENDED: {(1, 1, 1)},
    Lamp.TROUBLE: {(1, 0, 0), (0, 0, 0)},
    Lamp.IDENTIFY: {(1, 1, 1), (0, 0, 0)},
}


@pytest.mark.parametrize("lamp", Lamp)
def test_every_message_of_the_lamp_has_a_rhythm_that_repeats(lamp: Lamp) -> None:
    rhythm = RHYTHMS[lamp]
    length = sum(duration for _, duration in rhythm.steps)
    assert {rhythm.at(ms) for ms in range(length)} == LOOKS[lamp]
    assert [rhythm.at(ms) for ms in range(length)] == [rhythm.at(ms + 3 * length) for ms in range(length)]


@pytest.mark.parametrize("lamp", [lamp for lamp in Lamp if len(RHYTHMS[lamp].steps) > 1])
def test_the_next_change_is_when_the_colour_changes(lamp: Lamp) -> None:
    rhythm = RHYTHMS[lamp]
    for ms in range(2_500):
        wait = rhythm.next_change_ms(ms)
        assert wait is not None
        assert rhythm.at(ms + wait - 1) == rhythm.at(ms) != rhythm.at(ms + wait)


def test_no_two_messages_look_alike() -> None:
    assert len({rhythm.steps for rhythm in RHYTHMS.values()}) == len(Lamp)


@pytest.mark.parametrize("lamp", Lamp)
def test_nothing_flashes_more_than_three_times_a_second(lamp: Lamp) -> None:
    # More is a danger to people with epilepsy (WCAG 2.2, success criterion 2.3.1).
    steps = RHYTHMS[lamp].steps
    assert len(steps) == 1 or sum(duration for _, duration in steps) >= 334


@pytest.mark.parametrize("tune", Tune)
def test_every_tune_begins_and_ends_with_a_sound_of_at_most_four_seconds(tune: Tune) -> None:
    notes = TUNES[tune]
    assert notes[0][0]
    assert notes[-1][0]
    assert sum(duration for _, duration in notes) <= 4_000
    assert all(early[0] != late[0] for early, late in itertools.pairwise(notes))


def test_tones_lie_where_small_loudspeakers_are_loud() -> None:
    tones = {hz for notes in TUNES.values() for hz, _ in notes} - {0}
    assert min(tones) >= 800
    assert max(tones) <= 4_000


def test_no_two_tunes_sound_alike_even_to_a_buzzer_that_knows_one_tone() -> None:
    rhythms = {
        tune: tuple((bool(hz), sum(ms for _, ms in group)) for hz, group in _runs(TUNES[tune]))
        for tune in Tune
    }
    assert len(set(rhythms.values())) == len(Tune)


def _runs(notes: tuple[Note, ...]) -> Iterator[tuple[int, tuple[Note, ...]]]:
    for sounds, group in itertools.groupby(notes, lambda note: bool(note[0])):
        yield int(sounds), tuple(group)


def light(folder: Path, name: str, brightness: int, most: int = 255) -> Path:
    made = folder / name
    made.mkdir()
    (made / "brightness").write_text(f"{brightness}\n")
    (made / "max_brightness").write_text(f"{most}\n")
    return made / "brightness"


@pytest.mark.parametrize(("percent", "written"), [(0, "0"), (1, "1"), (40, "12"), (100, "31"), (130, "31")])
def test_it_is_so_bright_as_people_want_and_only_dark_when_asked(
    tmp_path: Path, percent: int, written: str
) -> None:
    panel = light(tmp_path, "10-0045", 20, most=31)
    Backlight(tmp_path).set(percent)
    assert panel.read_text(encoding="ascii") == written


def test_a_named_light_is_the_only_one_that_changes(tmp_path: Path) -> None:
    mine, other = light(tmp_path, "panel", 20), light(tmp_path, "acpi", 20)
    Backlight(tmp_path, "panel").set(100)
    assert mine.read_text(encoding="ascii") == "255"
    assert other.read_text(encoding="ascii").strip() == "20"


def test_no_light_and_one_that_cannot_be_written_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NoBacklight, match="no backlight in"):
        Backlight(tmp_path).set(50)
    panel = light(tmp_path, "panel", 20)
    panel.unlink()
    panel.mkdir()
    with pytest.raises(NoBacklight, match="backlight panel: "):
        Backlight(tmp_path).set(50)


@pytest.mark.parametrize("tune", Tune)
def test_a_tune_sounds_as_its_table_says_and_ends(bench: Bench, tune: Tune) -> None:
    bench.panel.play(tune)
    for hz, duration in TUNES[tune]:
        assert bench.sounds() == (hz > 0) == bench.panel.state().sounding
        assert bench.panel.state().tune is tune
        assert bench.panel.next_deadline_ms() == bench.now_ms + duration
        bench.look(duration - 1)
        assert bench.sounds() == (hz > 0)
        bench.look(1)
    assert not bench.sounds()
    assert bench.panel.state().tune is None
    assert bench.panel.next_deadline_ms() is None


def test_high_noon_strikes_three_long_and_two_short(bench: Bench) -> None:
    bench.panel.play(Tune.HIGH_NOON)
    strokes, was_on = [], False
    for _ in range(400):
        on = bench.sounds()
        if on and not was_on:
            strokes.append(0)
        if on:
            strokes[-1] += 10
        was_on = on
        bench.look(10)
    assert strokes == [400, 400, 400, 120, 120]


def test_another_tune_takes_the_place_of_the_one_that_plays(bench: Bench) -> None:
    bench.panel.play(Tune.HIGH_NOON)
    bench.look(100)
    bench.panel.play(Tune.CLICK)
    bench.look(30)
    assert not bench.sounds()


def loudspeaker(make_bench: Callable[..., Bench], *, active_high: bool = True) -> Bench:
    part = BuzzerWiring(19, active_high, Sound.PASSIVE)
    return make_bench(Wiring("loudspeaker", buzzer=part), MockFactory(pin_class=MockPWMPin))


@pytest.mark.parametrize("active_high", [True, False])
@pytest.mark.parametrize("tune", Tune)
def test_a_passive_buzzer_is_given_every_tone(
    make_bench: Callable[..., Bench], tune: Tune, *, active_high: bool
) -> None:
    bench = loudspeaker(make_bench, active_high=active_high)
    silent = 0.0 if active_high else 1.0
    pin = bench.pin(19)
    tones = []
    assert pin.state == silent
    bench.panel.play(tune)
    for _, duration in TUNES[tune]:
        tones.append((round(pin.frequency) if pin.state != silent else 0, duration))
        assert pin.state in {silent, 0.5}
        bench.look(duration)
    assert tones == [*TUNES[tune]]
    assert pin.state == silent


def test_a_passive_buzzer_is_softer_by_a_shorter_share_of_each_wave(make_bench: Callable[..., Bench]) -> None:
    bench = loudspeaker(make_bench)
    bench.panel.play(Tune.HIGH_NOON)
    shares = []
    for percent in (100, 60, 30, 1, 0):
        bench.panel.set_volume(percent)
        shares.append(bench.pin(19).state)
    assert shares[0] == 0.5
    assert shares[-1] == 0
    assert all(louder > softer for louder, softer in itertools.pairwise(shares))
    assert not bench.panel.state().sounding


def test_an_active_buzzer_is_silent_at_no_volume_and_sounds_at_any(bench: Bench) -> None:
    bench.panel.play(Tune.HIGH_NOON)
    states = []
    for percent in (100, 0, 1):
        bench.panel.set_volume(percent)
        states.append(bench.sounds())
    assert states == [True, False, True]

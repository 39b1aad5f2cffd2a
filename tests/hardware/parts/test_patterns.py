import itertools
from collections.abc import Iterator

import pytest

from hardware.contract import Lamp, Tune
from hardware.parts.outputs import RHYTHMS, TUNES, Note

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

"""The tunes of a panel's buzzer."""

import itertools
from collections.abc import Callable

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.contract import Tune
from hardware.part_wiring import BuzzerWiring, Sound
from hardware.parts.outputs import TUNES
from hardware.wiring import Wiring
from tests.hardware.conftest import Bench


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


@pytest.mark.parametrize("active_high", [True, False])
@pytest.mark.parametrize("tune", Tune)
def test_a_passive_buzzer_is_given_every_tone(
    make_bench: Callable[..., Bench], tune: Tune, *, active_high: bool
) -> None:
    part = BuzzerWiring(19, active_high, Sound.PASSIVE)
    bench = make_bench(Wiring("loudspeaker", buzzer=part), MockFactory(pin_class=MockPWMPin))
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
    part = BuzzerWiring(19, sound=Sound.PASSIVE)
    bench = make_bench(Wiring("loudspeaker", buzzer=part), MockFactory(pin_class=MockPWMPin))
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

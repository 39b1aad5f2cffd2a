"""The patterns of the lamp's messages and the buzzer's tunes over time; tables only."""

import msgspec

from saloon.hardware.contract import Lamp, Tune

Colour = tuple[int, int, int]

_OFF: Colour = (0, 0, 0)
_RED: Colour = (1, 0, 0)
_GREEN: Colour = (0, 1, 0)
_BLUE: Colour = (0, 0, 1)
_YELLOW: Colour = (1, 1, 0)
_WHITE: Colour = (1, 1, 1)


class Rhythm(msgspec.Struct, frozen=True):
    """Colours with their durations (ms), repeated; a single colour is constant."""

    steps: tuple[tuple[Colour, int], ...]

    def at(self, elapsed_ms: int) -> Colour:
        """Return the colour at a time after the start."""
        return self._step(elapsed_ms)[0]

    def next_change_ms(self, elapsed_ms: int) -> int | None:
        """Return the milliseconds that the colour stays from then on; None for ever."""
        return None if len(self.steps) == 1 else self._step(elapsed_ms)[1]

    def _step(self, elapsed_ms: int) -> tuple[Colour, int]:
        left = elapsed_ms % sum(duration for _, duration in self.steps)
        for colour, duration in self.steps:
            if left < duration:
                return colour, duration - left
            left -= duration
        return self.steps[-1]


RHYTHMS: dict[Lamp, Rhythm] = {
    Lamp.OFF: Rhythm(((_OFF, 1),)),
    Lamp.WAITING: Rhythm(((_BLUE, 1),)),
    Lamp.PLAYING: Rhythm(((_GREEN, 1),)),
    Lamp.HIGH_NOON: Rhythm(((_YELLOW, 700), (_OFF, 300))),
    Lamp.TIME_SHORT: Rhythm(((_GREEN, 1200), (_YELLOW, 400))),
    Lamp.TIME_OVER: Rhythm(((_WHITE, 800), (_BLUE, 800))),
    Lamp.JUDGE_CALLED: Rhythm(((_RED, 250), (_OFF, 250))),
    Lamp.ENDED: Rhythm(((_WHITE, 1),)),
    Lamp.TROUBLE: Rhythm(((_RED, 100), (_OFF, 1900))),
}

BLINK_MS = 500
"""Milliseconds for which the lamp in an expected button is lit, then dark."""

Note = tuple[int, int]
"""The frequency in Hz, 0 for a rest, and the duration in milliseconds."""

_LOW, _MIDDLE, _HIGH, _TOP = 880, 1175, 1480, 1760

TUNES: dict[Tune, tuple[Note, ...]] = {
    Tune.CLICK: ((_TOP, 30),),
    # Three long strokes of a bell, then two short ones.
    Tune.HIGH_NOON: (
        (_LOW, 400), (0, 200), (_LOW, 400), (0, 200), (_LOW, 400), (0, 400),
        (_HIGH, 120), (0, 120), (_HIGH, 120),
    ),
    Tune.ATTENTION: ((_HIGH, 80), (0, 80), (_TOP, 80)),
    Tune.GAME_OVER: ((_HIGH, 150), (0, 100), (_MIDDLE, 200), (_LOW, 400)),
    # One stroke and its echo; the end of the round three equal strokes.
    Tune.TIME_SHORT: ((_MIDDLE, 250), (0, 150), (_MIDDLE, 60)),
    Tune.TIME_OVER: ((_TOP, 350), (0, 250), (_TOP, 350), (0, 250), (_TOP, 350)),
    Tune.TURN_LONG: ((_MIDDLE, 40), (0, 60), (_MIDDLE, 40)),
}  # fmt: skip
"""An active buzzer only knows sound and rest, so each tune is recognisable on one too."""

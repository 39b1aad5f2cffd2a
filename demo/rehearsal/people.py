"""The people at one table of a rehearsal: they play at its virtual terminal, and have their moods."""

import enum
import threading
import time
from collections.abc import Callable
from typing import Final

import msgspec

from saloon.base.errors import Unavailable
from saloon.kiosk.rehearsal.brain import BEFORE_PLAY, Brain
from saloon.kiosk.rehearsal.seen import Seen, Touch
from saloon.kiosk.rehearsal.terminal_client import TerminalClient

SCENES = frozenset({"ending", "dispute", "roles-declare", "sheet"})
_DISPUTES, _AGREES, _NOW = "-disputes", "-agrees", "dispute-now"
_BEHIND_IT = frozenset({"roles-declare", "sheet"})


class Quarrel(msgspec.Struct, frozen=True):
    """One quarrel. seat: the disputing one, as ``seat-3``; empty before that. is_said: at the panel."""

    seat: str = ""
    is_said: bool = False

    def next_touch(self, seen: Seen) -> "tuple[Quarrel, Touch | None]":
        """Return the next touch of a quarrelling table; None if it only waits for the judge."""
        if seen.target(_NOW):
            return msgspec.structs.replace(self, is_said=True), Touch(_NOW, 4)
        disputes = _ending_with(seen, _DISPUTES)
        if not self.is_said and disputes:
            name = disputes[-1]
            return Quarrel(name.removesuffix(_DISPUTES)), Touch(name, 6)
        others = [name for name in _ending_with(seen, _AGREES) if not name.startswith(f"{self.seat}-")]
        return self, Touch(others[0], 3) if others and self.is_said else None

    def is_overruled(self, seen: Seen) -> bool:
        """Return whether the judge went on without the disputing player's agreement."""
        goes_on = seen.target("to-roles") is not None or seen.scene in _BEHIND_IT
        return self.is_said and goes_on


def _ending_with(seen: Seen, suffix: str) -> tuple[str, ...]:
    return tuple(name for name in seen.targets_like("seat-") if name.endswith(suffix))


_LOOK_AGAIN_S: Final = 0.4
_SHORTEST_S: Final = 0.02
_PATIENCE_S: Final = 40.0
"""The time that people wait, at their own speed, before they call the judge."""
_ENDINGS: Final = frozenset({"ending", "roles-declare", "sheet"})
_CALL: Final = "call-judge"


class PlayerMood(enum.Enum):
    """A state of mind of a table's people: playing on, or the reason why not."""

    PLAYING = "playing"
    ASLEEP = "asleep"
    """The people talk, eat, or have gone for a coffee; nobody calls anybody."""
    ONE_IS_GONE = "one-is-gone"
    """The people wait and call the judge when it is the missing player's turn."""
    QUARRELLING = "quarrelling"
    """The people do not agree on how the game ended."""


class TableSeen(msgspec.Struct, frozen=True):
    """A table as seen from across the hall. scene: of its screen, empty while it is dark."""

    scene: str
    raises_hand: bool


class People:
    """The people of one table, on a thread of their own. speed: called before each wait."""

    def __init__(self, door: str, brain: Brain, speed: Callable[[], float]) -> None:
        self._door = TerminalClient(door)
        self._brain = brain
        self._speed = speed
        self._mood = PlayerMood.PLAYING
        self._stuck_since: float | None = None
        self._called = self._is_overruled = False
        self._quarrel = Quarrel()
        self._will_mix = False
        self._mixed: tuple[int, int] | None = None
        self._missing: int | None = None
        self._left: frozenset[int] = frozenset()
        self._scene = ""
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="people", daemon=True)

    def start(self) -> None:
        """Sit down."""
        self._thread.start()

    def leave(self) -> None:
        """Go home, as soon as the finger is up."""
        self._over.set()

    def wait_gone(self) -> None:
        """Wait until they have left."""
        if self._thread.is_alive():
            self._thread.join()

    def sit_at(self, door: str, pin: str) -> None:
        """Play at another terminal from now on, one that was brought to the table. pin: as of ``Brain``."""
        with self._lock:
            self._door = TerminalClient(door)
            self._brain.pin = pin

    def feel(self, mood: PlayerMood) -> None:
        """Change the mood."""
        with self._lock:
            if self._mood is PlayerMood.ONE_IS_GONE and self._missing is not None:
                # Only the judge's word ends it: the player does not come back.
                self._left |= {self._missing}
            self._mood = mood
            self._called = self._is_overruled = False
            self._quarrel = Quarrel()
            self._stuck_since = None

    def will_mix_up(self) -> None:
        """Mix up two roles when the roles are declared."""
        with self._lock:
            self._will_mix, self._mixed = True, None

    @property
    def mixed_up(self) -> tuple[int, int] | None:
        """Return the seats whose roles were declared wrongly, or None."""
        return self._mixed

    @property
    def missing_seat(self) -> int | None:
        """Return the seat of the player who is gone, where one is."""
        return self._missing

    def is_overruled(self) -> bool:
        """Return whether they quarrel and the judge has gone on without them."""
        return self._is_overruled

    def is_stuck(self) -> bool:
        """Return whether they cannot play on, and know it."""
        return self._stuck_since is not None

    def look_at(self) -> TableSeen:
        """Return the table as seen from across the hall."""
        stuck = self._stuck_since
        waits = stuck is not None and time.monotonic() - stuck > _PATIENCE_S / self._speed()
        return TableSeen(self._scene, raises_hand=waits and self._mood is not PlayerMood.ASLEEP)

    def _run(self) -> None:
        while not self._over.is_set():
            with self._lock:
                door, mood = self._door, self._mood
            try:
                self._over.wait(self._step(door, mood))
            except Unavailable:
                self._scene = ""
                self._note_stuck()
                self._over.wait(_LOOK_AGAIN_S)

    def _step(self, door: TerminalClient, mood: PlayerMood) -> float:
        """Look, think, touch; return the rest afterwards in seconds."""
        seen = door.see()
        self._scene = seen.scene
        if seen.scene in BEFORE_PLAY:
            self._left = frozenset()
        if mood is PlayerMood.ASLEEP:
            return _LOOK_AGAIN_S
        if self._cannot_go_on(seen, mood):
            self._note_stuck()
            if mood is PlayerMood.QUARRELLING and self._quarrels(door, seen):
                return _LOOK_AGAIN_S
            if not self._called and self._patience_is_over() and seen.target(_CALL):
                self._called = door.touch(Touch(_CALL, 0))
            return _LOOK_AGAIN_S
        self._stuck_since = None
        if self._will_mix and seen.scene in _ENDINGS:
            self._will_mix, self._mixed = False, self._brain.mix_up_roles()
        touch = self._brain.next_touch(seen)
        if touch is None:
            return max(_SHORTEST_S, min(_LOOK_AGAIN_S, 4 / self._speed()))
        if not self._over.wait(max(_SHORTEST_S, touch.after_s / self._speed())):
            door.touch(touch)
        return 0.0

    def _quarrels(self, door: TerminalClient, seen: Seen) -> bool:
        """Return whether somebody at a quarrelling table touched something."""
        self._is_overruled = self._quarrel.is_overruled(seen)
        quarrel, touch = self._quarrel.next_touch(seen)
        if touch is None:
            return False
        if self._over.wait(max(_SHORTEST_S, touch.after_s / self._speed())):
            return True
        target = seen.target(touch.target)
        held = touch if target is None else msgspec.structs.replace(touch, hold_ms=target.hold_ms)
        if door.touch(held):
            self._quarrel = quarrel
        return True

    def _cannot_go_on(self, seen: Seen, mood: PlayerMood) -> bool:
        match mood:
            case PlayerMood.ONE_IS_GONE:
                self._missing = self._brain.last_in_play(self._left)
                waits = self._missing is not None and self._missing == self._brain.turn_now()
                return seen.scene == "play" and waits
            case PlayerMood.QUARRELLING:
                return seen.scene in SCENES
            case _:
                return False

    def _note_stuck(self) -> None:
        if self._stuck_since is None:
            self._stuck_since = time.monotonic()

    def _patience_is_over(self) -> bool:
        since = self._stuck_since
        return since is not None and time.monotonic() - since > _PATIENCE_S / self._speed()

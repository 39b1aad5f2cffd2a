"""The people at one table of a rehearsal, who play at its virtual terminal and can misbehave."""

import enum
import threading
import time
from collections.abc import Callable
from typing import Final

import msgspec

from base.errors import Unavailable
from kiosk.rehearsal.brain import BEFORE_PLAY, Brain
from kiosk.rehearsal.seen import Seen, Touch
from kiosk.rehearsal.terminal_client import TerminalClient

SCENES = frozenset({"ending", "dispute", "roles-declare", "sheet"})
_DISPUTES, _AGREES, _NOW = "-disputes", "-agrees", "dispute-now"
_BEHIND_IT = frozenset({"roles-declare", "sheet"})


class Quarrel(msgspec.Struct, frozen=True):
    """The progress of a dispute about the ending at one table.

    seat: the seat of the disputing player, such as ``seat-3``, or empty until chosen.
    is_said: whether the dispute was entered.
    """

    seat: str = ""
    is_said: bool = False

    def next_touch(self, seen: Seen) -> "tuple[Quarrel, Touch | None]":
        """Return the next touch of a disputing table, or None if it waits for the judge."""
        if seen.target(_NOW):
            return msgspec.structs.replace(self, is_said=True), Touch(_NOW, 4)
        disputes = seen.targets_like("seat-", _DISPUTES)
        if not self.is_said and disputes:
            name = disputes[-1]
            return Quarrel(name.removesuffix(_DISPUTES)), Touch(name, 6)
        agrees = seen.targets_like("seat-", _AGREES)
        others = [name for name in agrees if not name.startswith(f"{self.seat}-")]
        return self, Touch(others[0], 3) if others and self.is_said else None

    def is_overruled(self, seen: Seen) -> bool:
        """Return whether the judge continued although one player still disagrees."""
        goes_on = seen.target("to-roles") is not None or seen.scene in _BEHIND_IT
        return self.is_said and goes_on


_LOOK_AGAIN_S: Final = 0.4
_SHORTEST_S: Final = 0.02
_PATIENCE_S: Final = 40.0
"""The time that people wait before they call the judge, in seconds at normal speed."""
_ENDINGS: Final = frozenset({"ending", "roles-declare", "sheet"})
_CALL: Final = "call-judge"


class PlayerMood(enum.Enum):
    """The behaviour of a table's people: playing, or the reason why they don't."""

    PLAYING = "playing"
    ASLEEP = "asleep"
    """The people are distracted: they neither play nor call the judge."""
    ONE_IS_GONE = "one-is-gone"
    """A player has left: the others stop at that player's turn and call the judge."""
    QUARRELLING = "quarrelling"
    """The people disagree about how the game ended."""


class TableSeen(msgspec.Struct, frozen=True):
    """The state of a table as seen from a distance.

    scene: the scene on its screen, or empty if the screen is dark.
    raises_hand: somebody wants the judge.
    """

    scene: str
    raises_hand: bool


class People:
    """The people at one table, on a background thread. ``speed`` returns the current playing speed."""

    def __init__(self, client: TerminalClient, brain: Brain, speed: Callable[[], float]) -> None:
        self._client = client
        self._brain = brain
        self._speed = speed
        self._mood = PlayerMood.PLAYING
        self._stuck_since: float | None = None
        self._called = self._is_overruled = False
        self._quarrel = Quarrel()
        self._will_mix = False
        self.mixed_up: tuple[int, int] | None = None
        self.missing_seat: int | None = None
        self._left: frozenset[int] = frozenset()
        self._scene = ""
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.run, name="people", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def leave(self) -> None:
        self._over.set()

    def wait_gone(self) -> None:
        if self._thread.is_alive():
            self._thread.join()

    def sit_at(self, address: str, pin: str) -> None:
        """Continue at a replacement terminal. ``pin`` is as for ``Brain``."""
        with self._lock:
            self._client = TerminalClient(address)
            self._brain.pin = pin

    def feel(self, mood: PlayerMood) -> None:
        """Change the people's mood."""
        with self._lock:
            if self._mood is PlayerMood.ONE_IS_GONE and self.missing_seat is not None:
                # A player who has left doesn't come back, even after the judge has decided.
                self._left |= {self.missing_seat}
            self._mood = mood
            self._called = self._is_overruled = False
            self._quarrel = Quarrel()
            self._stuck_since = None

    def will_mix_up(self) -> None:
        """Swap two roles at the next declaration of roles."""
        with self._lock:
            self._will_mix, self.mixed_up = True, None

    def is_overruled(self) -> bool:
        """Return whether the judge continued although the people still disagree."""
        return self._is_overruled

    def is_stuck(self) -> bool:
        return self._stuck_since is not None

    def look_at(self) -> TableSeen:
        is_awake = self._mood is not PlayerMood.ASLEEP
        return TableSeen(self._scene, raises_hand=is_awake and self._patience_is_over())

    def run(self) -> None:
        """Play until the people are asked to leave; wait while the terminal is unavailable."""
        while not self._over.is_set():
            with self._lock:
                client, mood = self._client, self._mood
            try:
                self._over.wait(self._step(client, mood))
            except Unavailable:
                self._scene = ""
                self._note_stuck()
                self._over.wait(_LOOK_AGAIN_S)

    def _step(self, client: TerminalClient, mood: PlayerMood) -> float:
        """Look at the screen, make one touch if needed, and return the pause afterwards in seconds."""
        seen = client.see()
        self._scene = seen.scene
        if seen.scene in BEFORE_PLAY:
            self._left = frozenset()
        if mood is PlayerMood.ASLEEP:
            return _LOOK_AGAIN_S
        if self._cannot_go_on(seen, mood):
            self._note_stuck()
            if mood is PlayerMood.QUARRELLING and self._quarrels(client, seen):
                return _LOOK_AGAIN_S
            if not self._called and self._patience_is_over() and seen.target(_CALL):
                self._called = client.touch(Touch(_CALL, 0))
            return _LOOK_AGAIN_S
        self._stuck_since = None
        if self._will_mix and seen.scene in _ENDINGS:
            self._will_mix, self.mixed_up = False, self._brain.mix_up_roles()
        touch = self._brain.next_touch(seen)
        if touch is None:
            return max(_SHORTEST_S, min(_LOOK_AGAIN_S, 4 / self._speed()))
        if not self._over.wait(max(_SHORTEST_S, touch.after_s / self._speed())):
            client.touch(touch)
        return 0.0

    def _quarrels(self, client: TerminalClient, seen: Seen) -> bool:
        """Take the next step of a dispute, or return False if there was nothing to touch."""
        self._is_overruled = self._quarrel.is_overruled(seen)
        quarrel, touch = self._quarrel.next_touch(seen)
        if touch is None:
            return False
        if self._over.wait(max(_SHORTEST_S, touch.after_s / self._speed())):
            return True
        target = seen.target(touch.target)
        held = touch if target is None else msgspec.structs.replace(touch, hold_ms=target.hold_ms)
        if client.touch(held):
            self._quarrel = quarrel
        return True

    def _cannot_go_on(self, seen: Seen, mood: PlayerMood) -> bool:
        match mood:
            case PlayerMood.ONE_IS_GONE:
                self.missing_seat = self._brain.last_in_play(self._left)
                waits = self.missing_seat is not None and self.missing_seat == self._brain.turn_now()
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

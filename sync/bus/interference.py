"""Detection of terminals that send without being polled, and of a second station on the same pair of wires.

An inquiry is a sequence of probes (listen, hush all, poll one). Listening is the proof: while nobody is
polled, a healthy pair is silent, however noisy or slow its answers otherwise are.

A second station is recognised by its invitations, which contain its reign. To either end, the frames of two
stations look like noise except for invitations between collisions, so both ends watch for these.
"""

from collections.abc import Callable, Generator

import msgspec
from msgspec.structs import replace

from sync.bus.frame import MOST_TERMINALS, BusFrame, BusFrameKind, invitation_of
from sync.bus.members import BusEvent, Member, Members, PairJammed, PairQuiet, SecondStation

_ENOUGH = 64
_MOST = 96
_AMISS = 8
"""The weight of a fault relative to a good answer, which lets occasional babbling be detected too."""
_NOISE = 8
"""More unsolicited bytes than an idle line produces by itself."""
_LISTEN_MS = 250
_LISTEN_TO_ONE_MS = 150
_HUSHES = 3
_TRIES = 3
_FIRST_CHECK_MS = 2_000
_STRAYS = 5
_CAUGHT = 2
_CERTAIN = 8
"""The weight of repeated strays, which starts an inquiry at once."""
_LONGEST_CHECK_MS = 15_000


class Listen(msgspec.Struct, frozen=True):
    """A probe: poll nobody for a number of milliseconds."""

    for_ms: int


class HushAll(msgspec.Struct, frozen=True):
    """A probe: order all units to be silent until they are polled, at most for some milliseconds."""

    for_ms: int


class PollOne(msgspec.Struct, frozen=True):
    """A probe: poll one unit, which then may send again."""

    member: Member


Probe = Listen | HushAll | PollOne


class _ProbeResult(msgspec.Struct, frozen=True):
    """The number of unsolicited bytes during a probe, and their sender if its frames identify it."""

    noise: int = 0
    named: Member | None = None
    answered: bool = False


class BabblerVerdict(msgspec.Struct, frozen=True):
    """The result of an inquiry.

    ``suspects`` are members that don't answer on a noisy pair, most likely first.
    """

    is_noisy: bool
    culprit: Member | None = None
    suspects: tuple[Member, ...] = ()


def _inquiry(members: tuple[Member, ...]) -> Generator[Probe, _ProbeResult, BabblerVerdict]:
    """Yield probes until the babbling unit is found. ``members`` lists the most likely first."""
    result = yield Listen(_LISTEN_MS)
    if result.noise < _NOISE:
        return BabblerVerdict(is_noisy=False)
    if result.named is not None:
        return BabblerVerdict(is_noisy=True, culprit=result.named)
    for _ in range(_HUSHES):
        yield HushAll(len(members) * 2 * _LISTEN_TO_ONE_MS + 2_000)
    result = yield Listen(_LISTEN_MS)
    if result.noise < _NOISE:
        return (yield from _one_after_the_other(members))
    silent: list[Member] = []
    for member in members:
        for _ in range(_TRIES):
            if (yield PollOne(member)).answered:
                break
        else:
            silent.append(member)
    return BabblerVerdict(is_noisy=True, suspects=tuple(silent))


def _one_after_the_other(members: tuple[Member, ...]) -> Generator[Probe, _ProbeResult, BabblerVerdict]:
    for member in members:
        yield PollOne(member)
        result = yield Listen(_LISTEN_TO_ONE_MS)
        if result.noise >= _NOISE:
            return BabblerVerdict(is_noisy=True, culprit=member)
    return BabblerVerdict(is_noisy=False)


_APART_MS = 100
_FORGOTTEN_MS = 15_000
"""The silence after which a station counts as gone: over ten seconds, as its invitations may collide."""


class RivalWatch:
    """A station's detection of another station on its wires. ``reign`` is its own."""

    def __init__(self, reign: int) -> None:
        self._reign = reign
        self._first_ms: int | None = None
        self._last_ms = 0
        self.is_here = False

    def on_invitation(self, reign: int, now_ms: int) -> bool:
        """Record an invitation, and return whether it reveals a second station.

        It may be an echo of our own, or one that an adapter held back since before this station's restart.
        """
        if reign == self._reign:
            return False
        return self._hear(now_ms, is_sure=False)

    def on_question_in_silence(self, now_ms: int) -> bool:
        """Record a station's frame, while ours is silent, and return whether it reveals a second station."""
        return self._hear(now_ms, is_sure=True)

    def _hear(self, now_ms: int, *, is_sure: bool) -> bool:
        if self._first_ms is None or now_ms - self._last_ms > _FORGOTTEN_MS:
            self._first_ms = now_ms
        self._last_ms = now_ms
        was_here, self.is_here = self.is_here, self.is_here or is_sure or now_ms - self._first_ms >= _APART_MS
        return self.is_here and not was_here

    def is_gone(self, now_ms: int) -> bool:
        """Return whether a second station has just fallen silent for long enough."""
        if not self.is_here or now_ms - self._last_ms <= _FORGOTTEN_MS:
            return False
        self.is_here, self._first_ms = False, None
        return True


class ReignWatch:
    """A terminal's detection of a second station, by the reigns in invitations.

    A restarted station has a new reign and never returns to the old one, whereas the reigns of two stations
    alternate.
    """

    def __init__(self) -> None:
        self._now: int | None = None
        self._before: int | None = None
        self._two_ms: int | None = None

    def on_invitation(self, reign: int, now_ms: int) -> None:
        """Record the reign in an invitation."""
        if reign == self._now:
            return
        if reign == self._before:
            self._two_ms = now_ms
        self._before, self._now = self._now, reign

    def hears_two(self, now_ms: int) -> bool:
        return self._two_ms is not None and now_ms - self._two_ms <= _FORGOTTEN_MS


class Suspects:
    """The units that may be flooding the pair. ``is_here`` returns whether a unit is a member again."""

    def __init__(self, is_here: Callable[[bytes], bool]) -> None:
        self._is_here = is_here
        self._lost: list[bytes] = []
        self._reported: tuple[bytes, ...] | None = None

    def suspect(self, unit: bytes) -> None:
        self._lost.append(unit)

    def noisy(self, silent: tuple[bytes, ...]) -> PairJammed | None:
        """Return the suspects of a noisy pair, or None if they haven't changed.

        ``silent`` lists the members that don't answer now.
        """
        units = dict.fromkeys((*silent, *self._lost))
        self._lost = [unit for unit in units if unit in silent or not self._is_here(unit)]
        suspects = tuple(self._lost[:MOST_TERMINALS])
        if suspects == self._reported:
            return None
        self._reported = suspects
        return PairJammed(suspects)

    def quiet(self) -> PairQuiet | None:
        """Return PairQuiet once a noisy pair is quiet again, else None."""
        self._lost.clear()
        if self._reported is None:
            return None
        self._reported = None
        return PairQuiet()


class PairWatch:
    """A station's watch on its pair of wires: suspicion builds up from faults until an inquiry begins.

    ``reign`` is this station's.
    """

    def __init__(self, reign: int, members: Members) -> None:
        self._members = members
        self.rival = RivalWatch(reign)
        self._suspects = Suspects(lambda unit: members.of_unit(unit) is not None)
        self._score = 0
        self._began: Member | None = None
        self._inquiry: Generator[Probe, _ProbeResult, BabblerVerdict] | None = None
        self._next: Probe | None = None
        self.check_ms: int | None = None
        """The time of the next check of a noisy pair, or None if it isn't noisy."""
        self._pause_ms = _FIRST_CHECK_MS

    def add_fault(self, weight: int, member: Member | None) -> None:
        """Record unsolicited or broken data. ``member`` is the one polled now or last."""
        if self._score == 0:
            self._began = member
        self._score = min(_MOST, self._score + weight * _AMISS)

    def add_success(self) -> None:
        self._score = max(0, self._score - 1)

    def add_stray(self, member: Member, now_ms: int) -> None:
        """Record a frame from a member that wasn't polled."""
        if member.count_stray(now_ms) >= _STRAYS:
            # Another station may have asked: listen before accusing the terminal.
            self.add_fault(_CERTAIN, member)

    def on_lost(self, member: Member) -> None:
        """Suspect a member that no longer answers, if there were faults recently."""
        if self._score > 0 or self._inquiry is not None or self.check_ms is not None:
            self._suspects.suspect(member.unit)

    def on_question(self, frame: BusFrame, now_ms: int, *, is_listening: bool) -> tuple[BusEvent, ...]:
        """Process a station's frame, an echo or a second station's, and return the resulting events.

        Raises PeerFault if it is invalid.
        """
        is_found = False
        if is_listening:
            is_found = self.rival.on_question_in_silence(now_ms)
        elif frame.kind is BusFrameKind.INVITE:
            is_found = self.rival.on_invitation(invitation_of(frame.payload).reign, now_ms)
        return (SecondStation(),) if is_found else ()

    def next_probe(self, now_ms: int) -> Probe | None:
        """Return the next probe of the inquiry, or None if there is no inquiry, or one is in progress."""
        is_due = now_ms >= self.check_ms if self.check_ms is not None else self._score >= _ENOUGH
        if self._inquiry is None and is_due:
            likeliest = sorted(self._members, key=lambda member: member is not self._began)
            self._inquiry = _inquiry(tuple(likeliest))
            self._next = next(self._inquiry)
        probe, self._next = self._next, None
        return probe

    def report(self, noise: int, now_ms: int, *, answered: bool = False) -> BabblerVerdict | None:
        """Pass the result of a probe to the inquiry, and return the verdict if it is over."""
        if self._inquiry is None:
            return None
        named = next((member for member in self._members if member.strays_within >= _CAUGHT), None)
        try:
            self._next = self._inquiry.send(_ProbeResult(noise, None if answered else named, answered))
        except StopIteration as over:
            verdict: BabblerVerdict = over.value
            return self._conclude(verdict, now_ms)
        return None

    def news_of(self, verdict: BabblerVerdict) -> tuple[BusEvent, ...]:
        """Return the events about the pair as a whole that follow from a verdict."""
        silent = tuple(member.unit for member in verdict.suspects)
        news = self._suspects.noisy(silent) if self.check_ms is not None else self._suspects.quiet()
        return () if news is None else (news,)

    def _conclude(self, verdict: BabblerVerdict, now_ms: int) -> BabblerVerdict | None:
        self._inquiry = None
        self._score = 0
        if verdict.is_noisy and verdict.culprit is None:
            self.check_ms = now_ms + self._pause_ms
            self._pause_ms = min(_LONGEST_CHECK_MS, self._pause_ms * 2)
        else:
            self.check_ms = None
            self._pause_ms = _FIRST_CHECK_MS
        if self.rival.is_here:
            # The noise comes from the other station, so no terminal must be suspected or banned.
            for member in self._members:
                member.strays_within = 0
            return None
        strayed = (member for member in self._members if member.strays_within >= _STRAYS)
        return replace(verdict, culprit=verdict.culprit or next(strayed, None))

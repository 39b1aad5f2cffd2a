"""Who speaks without being asked: what makes the station suspicious, and how it finds out.

An inquiry is a row of deeds (listen, hush all, poll one), each of which gives a finding. Listening
is the proof: while nobody is asked, a well pair is silent, however noisy or slow its answers are.
"""

from collections.abc import Generator

import msgspec

from saloon.sync.bus.members import Member

_ENOUGH = 64
_MOST = 96
_AMISS = 8
"""What was amiss weighs so many times what was well: a babbler that leaves gaps is one too."""
_NOISE = 8
"""Bytes heard while nobody was asked that are more than what an idle line catches."""
_LISTEN_MS = 250
_LISTEN_TO_ONE_MS = 150
_HUSHES = 3
_TRIES = 3
_FIRST_CHECK_MS = 2_000
_LONGEST_CHECK_MS = 15_000


class Listen(msgspec.Struct, frozen=True):
    """Ask nobody for so long."""

    for_ms: int


class HushAll(msgspec.Struct, frozen=True):
    """Tell all to say nothing, at most for so long, until they are polled."""

    for_ms: int


class PollOne(msgspec.Struct, frozen=True):
    """Poll one, which may speak again then."""

    member: Member


Deed = Listen | HushAll | PollOne


class Finding(msgspec.Struct, frozen=True):
    """noise: bytes while nobody was asked. named: whose frames they were. answered: whether a poll was."""

    noise: int = 0
    named: Member | None = None
    answered: bool = False


class Verdict(msgspec.Struct, frozen=True):
    """culprit: found out. suspects: who is silent, of a pair that stays noisy; the likeliest first."""

    is_noisy: bool
    culprit: Member | None = None
    suspects: tuple[Member, ...] = ()


def inquiry(members: tuple[Member, ...]) -> Generator[Deed, Finding, Verdict]:
    """Find out who babbles. members: the likeliest first."""
    heard = yield Listen(_LISTEN_MS)
    if heard.noise < _NOISE:
        return Verdict(is_noisy=False)
    if heard.named is not None:
        return Verdict(is_noisy=True, culprit=heard.named)
    for _ in range(_HUSHES):
        yield HushAll(len(members) * 2 * _LISTEN_TO_ONE_MS + 2_000)
    heard = yield Listen(_LISTEN_MS)
    if heard.noise < _NOISE:
        return (yield from _one_after_the_other(members))
    silent: list[Member] = []
    for member in members:
        for _ in range(_TRIES):
            if (yield PollOne(member)).answered:
                break
        else:
            silent.append(member)
    return Verdict(is_noisy=True, suspects=tuple(silent))


def _one_after_the_other(members: tuple[Member, ...]) -> Generator[Deed, Finding, Verdict]:
    """Whoever babbled is silent when told to: let them speak again, one by one."""
    for member in members:
        yield PollOne(member)
        heard = yield Listen(_LISTEN_TO_ONE_MS)
        if heard.noise >= _NOISE:
            return Verdict(is_noisy=True, culprit=member)
    return Verdict(is_noisy=False)


class Watch:
    """Keeps the suspicion, and the inquiry while there is one."""

    def __init__(self) -> None:
        self._score = 0
        self._began: Member | None = None
        self._inquiry: Generator[Deed, Finding, Verdict] | None = None
        self._next: Deed | None = None
        self._check_ms: int | None = None
        self._pause_ms = _FIRST_CHECK_MS

    @property
    def is_suspicious(self) -> bool:
        """Whether something was amiss lately."""
        return self._score > 0 or self._inquiry is not None or self.is_drowned

    @property
    def is_drowned(self) -> bool:
        """Whether the last inquiry found a pair that stays noisy."""
        return self._check_ms is not None

    def amiss(self, weight: int, asked: Member | None) -> None:
        """Something was heard that should not. asked: whose turn it was, or had been last."""
        if self._score == 0:
            self._began = asked
        self._score = min(_MOST, self._score + weight * _AMISS)

    def well(self) -> None:
        """A question was answered as it should."""
        self._score = max(0, self._score - 1)

    def next_deed(self, members: tuple[Member, ...], now_ms: int) -> Deed | None:
        """What to do for the inquiry now; None while there is none."""
        if self._inquiry is None and self._is_due(now_ms):
            likeliest = sorted(members, key=lambda member: member is not self._began)
            self._inquiry = inquiry(tuple(likeliest))
            self._next = next(self._inquiry)
        deed, self._next = self._next, None
        return deed

    def found(self, finding: Finding, now_ms: int) -> Verdict | None:
        """What the deed has shown; the verdict at the end."""
        if self._inquiry is None:
            return None
        try:
            self._next = self._inquiry.send(finding)
        except StopIteration as over:
            verdict: Verdict = over.value
            self._conclude(verdict, now_ms)
            return verdict
        return None

    def next_check_ms(self) -> int | None:
        """When a drowned pair is listened to again."""
        return self._check_ms

    def _is_due(self, now_ms: int) -> bool:
        return now_ms >= self._check_ms if self._check_ms is not None else self._score >= _ENOUGH

    def _conclude(self, verdict: Verdict, now_ms: int) -> None:
        self._inquiry = None
        self._score = 0
        if verdict.is_noisy and verdict.culprit is None:
            self._check_ms = now_ms + self._pause_ms
            self._pause_ms = min(_LONGEST_CHECK_MS, self._pause_ms * 2)
        else:
            self._check_ms = None
            self._pause_ms = _FIRST_CHECK_MS

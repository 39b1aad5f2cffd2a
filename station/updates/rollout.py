"""Choose the terminals to which a version is offered: first one, then a few at a time."""

import enum
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from sync.protocol.entry import TerminalId
from sync.update.bundle import About, Manifest, is_newer
from sync.update.messages import UpdateReason, UpdateReported, UpdateStage

AT_ONCE: Final = 4
"""The most terminals that fetch at a time, as games share the network and the station's disk."""
STILL_MS: Final = 60_000
"""The time without progress after which a terminal is in a game, and no longer holds up the others."""
GONE_MS: Final = 5 * 60_000
"""The time after which another terminal tries the version first if the first one is disconnected."""
MOST_RETURNS: Final = 2
"""The number of terminals that may roll back before the rollout stops."""
_OVER: Final = frozenset({UpdateStage.WENT_BACK, UpdateStage.DECLINED})
_GOES_ON: Final = frozenset({UpdateStage.FETCHING, UpdateStage.WAITING})


class RolloutPhase(enum.Enum):
    """The phase of a rollout."""

    KEPT = "kept"
    """The version is stored, but not offered to any terminal."""
    ONE_FIRST = "one-first"
    EVERYWHERE = "everywhere"
    STOPPED = "stopped"


class Rollout(msgspec.Struct, frozen=True):
    """The rollout of one version. ``first`` tries it; ``why`` is the reason for an automatic stop."""

    name: str
    phase: RolloutPhase = RolloutPhase.KEPT
    first: TerminalId | None = None
    why: UpdateReason = UpdateReason.NONE


class TerminalProgress(msgspec.Struct, frozen=True):
    """A terminal's version and update progress. ``offered`` is the version offered in this connection.

    moved_ms: when it last reported progress or disconnected, monotonic.
    again: a version that it may try once more.
    """

    about: About | None = None
    report: UpdateReported | None = None
    is_here: bool = False
    offered: str = ""
    moved_ms: int = 0
    again: str = ""


def runs_version(manifest: Manifest, one: TerminalProgress) -> bool:
    """Return whether a terminal runs this version or a newer one."""
    return _is_for(manifest, one) and one.about is not None and not is_newer(manifest.about, one.about)


def runs_newer_version(manifest: Manifest, one: TerminalProgress) -> bool:
    """Return whether a terminal runs a newer version, which it keeps."""
    return _is_for(manifest, one) and one.about is not None and is_newer(one.about, manifest.about)


def has_rejected_version(manifest: Manifest, one: TerminalProgress) -> bool:
    """Return whether a terminal has declined this version, or rolled it back."""
    report = one.report
    return report is not None and report.digest == manifest.digest and report.stage in _OVER


def may_try_again(manifest: Manifest, one: TerminalProgress) -> bool:
    """Return whether a terminal failed with this version only because it could not reach the station."""
    has_failed = one.report is not None and one.report.reason is UpdateReason.NO_STATION
    return has_failed and has_rejected_version(manifest, one)


def allow_retry(
    rollout: Rollout, manifest: Manifest, terminals: Mapping[TerminalId, TerminalProgress]
) -> tuple[Rollout, dict[TerminalId, TerminalProgress]]:
    """Let terminals that could not reach the station try again; return the rollout and their progress."""
    again = {
        name: replace(one, report=None, offered="", again=rollout.name)
        for name, one in terminals.items()
        if may_try_again(manifest, one)
    }
    if rollout.phase in {RolloutPhase.ONE_FIRST, RolloutPhase.EVERYWHERE}:
        return rollout, again
    is_known_to_work = any(runs_version(manifest, one) for one in terminals.values())
    phase = RolloutPhase.EVERYWHERE if is_known_to_work else RolloutPhase.ONE_FIRST
    return Rollout(rollout.name, phase), again


def version_in_progress(one: TerminalProgress) -> str:
    """Return the version that a terminal is fetching or about to apply; empty if there is none."""
    report = one.report
    return report.digest.hex() if report is not None and report.stage in _GOES_ON else ""


def can_be_offered(manifest: Manifest, one: TerminalProgress) -> bool:
    """Return whether the version is for a terminal that neither runs it nor has rejected it."""
    return (
        _is_for(manifest, one) and not runs_version(manifest, one) and not has_rejected_version(manifest, one)
    )


def next_step(
    rollout: Rollout,
    manifest: Manifest,
    terminals: Mapping[TerminalId, TerminalProgress],
    order: Sequence[TerminalId],
    now_ms: int,
) -> tuple[Rollout, tuple[TerminalId, ...]]:
    """Return the updated rollout and the terminals to offer it to. ``order`` lists all by preference."""
    rollout = _update_phase(rollout, manifest, terminals)
    waiting = [
        one
        for one in order
        if (progress := terminals.get(one)) is not None
        and progress.is_here
        and can_be_offered(manifest, progress)
    ]
    new = [one for one in waiting if terminals[one].offered != rollout.name]
    match rollout.phase:
        case RolloutPhase.KEPT | RolloutPhase.STOPPED:
            return rollout, ()
        case RolloutPhase.ONE_FIRST:
            if waiting and _needs_a_first(rollout, terminals, now_ms):
                rollout = replace(rollout, first=waiting[0])
            return rollout, tuple(one for one in new if one == rollout.first)
        case RolloutPhase.EVERYWHERE:
            busy = sum(_is_busy(rollout, terminals[one], now_ms) for one in waiting)
            return rollout, tuple(new[: max(0, AT_ONCE - busy)])


def _update_phase(
    rollout: Rollout, manifest: Manifest, terminals: Mapping[TerminalId, TerminalProgress]
) -> Rollout:
    if rollout.phase not in {RolloutPhase.ONE_FIRST, RolloutPhase.EVERYWHERE}:
        return rollout
    left = [one.report for one in terminals.values() if one.report and has_rejected_version(manifest, one)]
    returned = [report for report in left if report.stage is UpdateStage.WENT_BACK]
    if len(returned) >= MOST_RETURNS:
        return replace(rollout, phase=RolloutPhase.STOPPED, why=returned[0].reason)
    first = terminals.get(rollout.first) if rollout.first is not None else None
    if rollout.phase is RolloutPhase.EVERYWHERE or first is None:
        return rollout
    if runs_version(manifest, first):
        return replace(rollout, phase=RolloutPhase.EVERYWHERE)
    if has_rejected_version(manifest, first) and first.report is not None:
        return replace(rollout, phase=RolloutPhase.STOPPED, why=first.report.reason)
    return rollout


def _needs_a_first(rollout: Rollout, terminals: Mapping[TerminalId, TerminalProgress], now_ms: int) -> bool:
    if rollout.first is None:
        return True
    first = terminals.get(rollout.first, TerminalProgress())
    # It may be disconnected because of the version, which nobody else should get then.
    is_applying = first.report is not None and first.report.stage is UpdateStage.APPLYING
    return not first.is_here and not is_applying and now_ms - first.moved_ms >= GONE_MS


def _is_for(manifest: Manifest, one: TerminalProgress) -> bool:
    about = one.about
    return about is not None and bool(about.base) and about.architecture == manifest.about.architecture


def _is_busy(rollout: Rollout, one: TerminalProgress, now_ms: int) -> bool:
    waits = one.report is not None and one.report.stage is UpdateStage.WAITING
    return one.offered == rollout.name and not waits and now_ms - one.moved_ms < STILL_MS

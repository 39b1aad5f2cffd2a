"""Evolve the finals: the state after each event."""

from typing import assert_never

from msgspec.structs import replace

from saloon.base.errors import BadData
from saloon.core.tournament.events import (
    DuelAccepted,
    DuelContested,
    DuelCorrected,
    DuelsBegun,
    FinalsPart,
    RoundsRankingPublished,
)
from saloon.core.tournament.finals.finals import AcceptedDuel, Duels, Finals


def finals_after(
    finals: Finals | None,
    event: RoundsRankingPublished | DuelsBegun | DuelAccepted | DuelContested | DuelCorrected,
) -> Finals:
    """Return the finals after one event; None before the ranking of the rounds is public.

    Raises BadData for an event that cannot follow.
    """
    if isinstance(event, RoundsRankingPublished):
        return Finals(event.finalists)
    if finals is None:
        raise BadData("tournament log", f"{type(event).__name__} comes before the finalists are named")
    if isinstance(event, DuelsBegun):
        return _begun(finals, event)
    changed = replace(
        finals,
        semifinals=_duels_after(finals.semifinals, event),
        final=_duels_after(finals.final, event),
    )
    if changed == finals:
        raise BadData("tournament log", f"{type(event).__name__} changes nothing: duel {event.game}")
    return changed


def _begun(finals: Finals, event: DuelsBegun) -> Finals:
    duels = Duels(event.part, event.round, event.attempt, event.kind, event.tables)
    match event.part:
        case FinalsPart.SEMIFINALS:
            return replace(finals, semifinals=duels)
        case FinalsPart.FINAL:
            return replace(finals, final=duels)
        case _:
            assert_never(event.part)


def _duels_after(duels: Duels | None, event: DuelAccepted | DuelContested | DuelCorrected) -> Duels | None:
    if duels is None or not any(table.game == event.game for table in duels.tables):
        return duels
    match event:
        case DuelAccepted():
            accepted = AcceptedDuel(
                event.game, event.result, event.source, event.by, origin=event.origin, reason=event.reason
            )
            return replace(duels, results=(*duels.results, accepted))
        case DuelContested() | DuelCorrected():
            return replace(duels, results=tuple(_changed(accepted, event) for accepted in duels.results))
        case _:
            assert_never(event)


def _changed(accepted: AcceptedDuel, event: DuelContested | DuelCorrected) -> AcceptedDuel:
    if accepted.game != event.game:
        return accepted
    if isinstance(event, DuelContested):
        return replace(accepted, contested=(*accepted.contested, (event.result, event.origin)))
    corrections = (*accepted.corrections, event.reason)
    return replace(accepted, result=event.result, by=event.by, corrections=corrections, contested=())

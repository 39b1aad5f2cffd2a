"""The judge's steps of a pack, decided again and compared with the recorded ones."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

import msgspec
from msgspec.structs import replace

from base.errors import BadData, Refused
from core.differences import differences
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.proof.lines import StationLine
from core.proof.reading import IMPOSSIBLE, PackFault
from core.terms import PlayerId
from core.tournament.decisions import TournamentDecision, TournamentStep, decide_again
from core.tournament.draw.by_hand import ChangeDraw
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import (
    ChangeRules,
    OpenTournament,
    RegisterPlayers,
    RenamePlayer,
    RenameTournament,
)
from core.tournament.sheets import AcceptResult, ContestResult, CorrectResult
from core.tournament.standings.ranking import DrawLots
from core.tournament.state.names import composed
from core.tournament.state.rounds import DrawnTable, MovedPlayer, SeatingChange, SwappedPlayers
from core.tournament.state.tournament import Player, TournamentState
from core.tournament.timeline import TournamentTimeline, extend


class Steps(msgspec.Struct, frozen=True):
    """The result of deciding all steps again.

    timeline: ends before the first impossible step; None without an opening.
    draws, lots: number of draws, including redraws, and of lots recomputed from their seeds.
    """

    timeline: TournamentTimeline | None
    edition: Edition | None
    draws: int
    lots: int
    faults: tuple[PackFault, ...]


def recompute_steps(lines: Sequence[StationLine]) -> Steps:
    """Decide all steps again, each in the state before it, including those undone later."""
    faults: list[PackFault] = []
    timeline: TournamentTimeline | None = None
    edition: Edition | None = None
    for line in lines:
        try:
            edition = _edition(line, edition)
            faults += [
                PackFault(line.line, problem) for problem in _step_faults(timeline, line.step, edition)
            ]
            timeline = extend(timeline, line.step)
            # The judge may have allowed tables of 4.
            edition = rules_of(timeline.state.rules)
        except IMPOSSIBLE as error:
            faults.append(PackFault(line.line, f"this cannot have happened: {error}"))
            break
    events = [event for line in lines for event in line.step.events]
    return Steps(
        timeline=timeline,
        edition=edition,
        draws=sum(isinstance(event, MakeDraw) for event in events),
        lots=sum(isinstance(event, DrawLots) for event in events),
        faults=tuple(faults),
    )


def changed_draw_notes(state: TournamentState) -> Iterator[str]:
    """Yield a note for every published draw that was changed by hand, with each change and its reason."""
    names = {entrant.player: entrant.name for entrant in state.entrants}
    for drawn in state.published_rounds:
        if not drawn.changes:
            continue
        changes = (
            f"{_describe_change(made.change, names, drawn.tables)}, by {made.by}: {made.reason}"
            for made in drawn.changes
        )
        yield f"round {drawn.round}: drawn, then changed by hand: these changes: {'; '.join(changes)}"


def _describe_change(
    change: SeatingChange, names: Mapping[PlayerId, str], drawn: Sequence[DrawnTable]
) -> str:
    match change:
        case SwappedPlayers():
            return f"{names[change.one]} and {names[change.other]} swapped"
        case MovedPlayer():
            return f"{names[change.player]} moved to table {drawn[change.table - 1].table}"
        case _:
            assert_never(change)


def _edition(line: StationLine, former: Edition | None) -> Edition:
    """Return the edition by which a step is decided; a step that sets rules is decided by these."""
    first = line.step.events[0] if line.step.events else None
    if isinstance(first, OpenTournament) or (former is not None and isinstance(first, ChangeRules)):
        return rules_of(first.rules)
    if former is None:
        raise BadData("tournament log", "the first step does not open the tournament")
    return former


def _step_faults(before: TournamentTimeline | None, step: TournamentStep, edition: Edition) -> Iterator[str]:
    state = None if before is None else before.state
    try:
        again = decide_again(state, step, edition)
    except Refused as refusal:
        yield f"{_describe_round(step.events[0])}: the rules refuse it: {refusal}"
        return
    if again != step.events and again != tuple(map(_composed, step.events)):
        names = {} if state is None else {entrant.player: entrant.name for entrant in state.entrants}
        yield f"{_describe_round(step.events[0])}: {_other(again, step.events, names)}"


def _composed(event: TournamentDecision) -> TournamentDecision:
    # Names are now stored in Unicode form NFC, which earlier versions did not ensure.
    match event:
        case OpenTournament() | RenameTournament():
            return replace(event, name=composed(event.name))
        case RegisterPlayers():
            players = (Player(one.player, composed(one.name), composed(one.club)) for one in event.players)
            return replace(event, players=tuple(players))
        case RenamePlayer():
            return replace(event, name=composed(event.name), club=composed(event.club))
        case _:
            return event


def _describe_round(event: TournamentDecision) -> str:
    match event:
        case SealDraw() | MakeDraw() | ChangeDraw():
            return f"round {event.round}, attempt {event.attempt}"
        case PublishDraw():
            return f"round {event.round}"
        case DrawLots():
            return "lots"
        case AcceptResult() | ContestResult() | CorrectResult():
            return f"record sheet of game {event.game}"
        case _:
            return type(event).__name__


def _other(
    again: Sequence[TournamentDecision], recorded: Sequence[TournamentDecision], names: Mapping[PlayerId, str]
) -> str:
    match again[0], recorded[0]:
        case SealDraw(), SealDraw() if again[0].seal != recorded[0].seal:
            return "the seed does not give the seal"
        case MakeDraw() as right, MakeDraw() as wrong:
            return f"the seed and the hall word give other tables{_other_seat(right, wrong, names)}"
        case DrawLots(), DrawLots():
            return "the seed gives another order"
        case _:
            pass
    for right_event, wrong_event in zip(again, recorded, strict=False):
        for difference in differences(msgspec.to_builtins(right_event), msgspec.to_builtins(wrong_event)):
            return f"{difference.path} is {difference.actual}; by the rules it is {difference.expected}"
    return f"it has {len(recorded)} events; by the rules it has {len(again)}"


def _other_seat(right: MakeDraw, wrong: MakeDraw, names: Mapping[PlayerId, str]) -> str:
    for table, other in zip(right.tables, wrong.tables, strict=False):
        for seat, (drawn, stated) in enumerate(zip(table.players, other.players, strict=False), start=1):
            if drawn != stated:
                return (
                    f": table {table.table}, seat {seat} is {names.get(drawn, drawn)}, "
                    f"not {names.get(stated, stated)}"
                )
    return ""

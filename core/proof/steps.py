"""The judge's steps, decided again: infer each command and compare its events with those recorded."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

import msgspec

from base.errors import BadData, Refused
from core.differences import differences
from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.proof.lines import StationLine
from core.proof.reading import IMPOSSIBLE, PackFault
from core.terms import DuelPart, PlayerId
from core.tournament import commands as c
from core.tournament import events as e
from core.tournament.decide import decide
from core.tournament.round_clock import clock_command
from core.tournament.standings.ranking_events import (
    LotsDrawn,
    OneOnOneEntered,
    RankingPublished,
    RoundsRankingPublished,
)
from core.tournament.state import Player, TournamentState
from core.tournament.state.clock_events import ClockEvent
from core.tournament.state.names import composed
from core.tournament.state.seating import DrawnTable, MovedPlayer, SeatingChange, SwappedPlayers
from core.tournament.state.table_list import list_from
from core.tournament.timeline import TournamentTimeline, extend


def command_of(  # noqa: C901 - one exhaustive match over all events
    events: Sequence[e.TournamentEvent],
) -> c.TournamentCommand:
    """Return the command that caused these events. Raises BadData if there are none."""
    if not events:
        raise BadData("tournament log", "a step has no events")
    event = events[0]
    if isinstance(event, ClockEvent):
        return clock_command(event)
    match event:
        case e.TournamentOpened():
            found = (event.tournament, event.name, event.rules, event.date, event.waivers)
            return c.OpenTournament(*found, event.unofficial, event.tables or list_from(event.first_table))
        case e.TablesMoved():
            return c.MoveTables(event.tables or list_from(event.first))
        case e.TournamentRenamed():
            return c.RenameTournament(event.name, event.date)
        case e.WaiversChanged():
            return c.ChangeWaivers(event.waivers, event.reason)
        case e.PlayersRegistered():
            return c.RegisterPlayers(event.players)
        case e.LateEntrySet():
            return c.SetLateEntry(event.is_open, event.reason)
        case e.TablesOfFourAllowed():
            return c.AllowTablesOfFour(event.dollars, event.reason)
        case e.PlayerRenamed():
            return c.RenamePlayer(event.player, event.name, event.club)
        case e.PlayerRemoved():
            return c.RemovePlayer(event.player)
        case e.PlayerReinstated():
            return c.ReinstatePlayer(event.player, event.reason)
        case e.PlayerWithdrawn():
            return c.WithdrawPlayer(event.player, event.reason)
        case e.PlayerWarned():
            return c.WarnPlayer(event.player, event.reason, event.offence, event.origin)
        case e.PlayerEjected():
            return c.EjectPlayer(event.player, event.reason, event.offence)
        case e.DrawSealed():
            return c.SealDraw(event.seed, event.reason or None)
        case e.DrawMade():
            return c.MakeDraw(event.hall_word)
        case e.DrawChanged():
            return c.ChangeDraw(event.change, event.reason)
        case e.DrawPublished():
            return c.PublishDraw()
        case e.ResultAccepted():
            return c.AcceptSheet(event.game, event.result, event.source, event.origin, event.reason)
        case e.ResultContested():
            return c.ContestSheet(event.game, event.result, event.origin)
        case e.ResultCorrected():
            return c.CorrectSheet(event.game, event.result, event.reason)
        case e.SheetDisputed():
            return c.DisputeSheet(event.game, event.reason)
        case e.DisputeSettled():
            return c.SettleDispute(event.game, event.reason)
        case LotsDrawn():
            return c.DrawLots(event.seed)
        case OneOnOneEntered():
            return c.EnterOneOnOne(event.winner, event.loser)
        case RoundsRankingPublished():
            return c.PublishRoundsRanking()
        case e.DuelsBegun(part=DuelPart.TIE_BREAK, tables=(table,)):
            return c.BeginTieDuel((table.players[0], table.players[1]), event.kind, event.seed)
        case e.TieDuelCalledOff():
            return c.CallOffTieDuel(event.game)
        case e.DuelsBegun():
            return c.BeginDuels(event.kind)
        case RankingPublished():
            return c.PublishRanking()
        case e.OwedEntriesWaived():
            return c.WaiveOwedEntries(event.tables, event.reason)
        case e.OpenSheetsWaived():
            return c.WaiveOpenSheets(event.sheets, event.reason)
        case e.StepsUndone():
            confirmed = tuple(game.game for game in event.voided)
            return c.UndoSteps(event.steps, event.reason, event.voided, confirmed)
        case _:
            assert_never(event)


class Steps(msgspec.Struct, frozen=True):
    """The result of checking the steps. timeline: up to the first impossible one; None without an opening.

    draws: number of draws recomputed from their seeds, redraws included. lots: number of lots recomputed.
    """

    timeline: TournamentTimeline | None
    edition: Edition | None
    draws: int
    lots: int
    faults: tuple[PackFault, ...]


def steps_again(lines: Sequence[StationLine]) -> Steps:
    """Decide all steps again, each in the state before it, including those undone later."""
    faults: list[PackFault] = []
    timeline: TournamentTimeline | None = None
    edition: Edition | None = None
    for line in lines:
        try:
            if edition is None:
                edition = _edition(line)
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
        draws=sum(isinstance(event, e.DrawMade) for event in events),
        lots=sum(isinstance(event, LotsDrawn) for event in events),
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


def _edition(line: StationLine) -> Edition:
    opened = line.step.events[0] if line.step.events else None
    if not isinstance(opened, e.TournamentOpened):
        raise BadData("tournament log", "the first step does not open the tournament")
    return rules_of(opened.rules)


def _step_faults(
    before: TournamentTimeline | None, step: e.TournamentStep, edition: Edition
) -> Iterator[str]:
    command = command_of(step.events)
    state = None if before is None else before.state
    found = step.events[0]
    try:
        again = decide(state, command, edition, found.by)
    except Refused as refusal:
        yield f"{_describe_round(found)}: the rules refuse it: {refusal}"
        return
    if again != step.events and again != tuple(map(_composed, step.events)):
        names = {} if state is None else {entrant.player: entrant.name for entrant in state.entrants}
        yield f"{_describe_round(found)}: {_other(again, step.events, names)}"


def _composed(event: e.TournamentEvent) -> e.TournamentEvent:
    """Return an event with names in Unicode form NFC, which earlier versions did not ensure."""
    match event:
        case e.TournamentOpened() | e.TournamentRenamed():
            return msgspec.structs.replace(event, name=composed(event.name))
        case e.PlayersRegistered():
            players = (Player(one.player, composed(one.name), composed(one.club)) for one in event.players)
            return msgspec.structs.replace(event, players=tuple(players))
        case e.PlayerRenamed():
            return msgspec.structs.replace(event, name=composed(event.name), club=composed(event.club))
        case _:
            return event


def _describe_round(event: e.TournamentEvent) -> str:
    match event:
        case e.DrawSealed() | e.DrawMade() | e.DrawChanged():
            return f"round {event.round}, attempt {event.attempt}"
        case e.DrawPublished():
            return f"round {event.round}"
        case LotsDrawn():
            return "lots"
        case e.ResultAccepted() | e.ResultContested() | e.ResultCorrected():
            return f"record sheet of game {event.game}"
        case _:
            return type(event).__name__


def _other(
    again: Sequence[e.TournamentEvent], found: Sequence[e.TournamentEvent], names: Mapping[PlayerId, str]
) -> str:
    match again[0], found[0]:
        case e.DrawSealed(), e.DrawSealed() if again[0].seal != found[0].seal:
            return "the seed does not give the seal"
        case e.DrawMade() as right, e.DrawMade() as wrong:
            return f"the seed and the hall word give other tables{_other_seat(right, wrong, names)}"
        case LotsDrawn(), LotsDrawn():
            return "the seed gives another order"
        case _:
            pass
    for right_event, wrong_event in zip(again, found, strict=False):
        for difference in differences(msgspec.to_builtins(right_event), msgspec.to_builtins(wrong_event)):
            return f"{difference.path} is {difference.found}; by the rules it is {difference.expected}"
    return f"it has {len(found)} events; by the rules it has {len(again)}"


def _other_seat(right: e.DrawMade, wrong: e.DrawMade, names: Mapping[PlayerId, str]) -> str:
    for table, other in zip(right.tables, wrong.tables, strict=False):
        for seat, (drawn, stated) in enumerate(zip(table.players, other.players, strict=False), start=1):
            if drawn != stated:
                return (
                    f": table {table.table}, seat {seat} is {names.get(drawn, drawn)}, "
                    f"not {names.get(stated, stated)}"
                )
    return ""

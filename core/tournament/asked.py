"""The way back from events to the command that caused them."""

from collections.abc import Sequence
from typing import assert_never

from saloon.base.errors import BadData
from saloon.core.tournament import commands as c
from saloon.core.tournament import events as e
from saloon.core.tournament.clock.clock import clock_command
from saloon.core.tournament.clock.clock_events import ClockEvent


def command_of(events: Sequence[e.TournamentEvent]) -> c.TournamentCommand:
    """Return the command whose step these events are. Raises BadData for no events."""
    if not events:
        raise BadData("tournament log", "a step has no events")
    first = events[0]
    if isinstance(first, ClockEvent):
        return clock_command(first)
    match first:
        case e.TournamentOpened() | e.TablesMoved() | e.WaiversChanged():
            return _about_tournament(first)
        case e.RoundsRankingPublished() | e.DuelsBegun():
            return _about_finals(first)
        case e.RankingPublished():
            return c.PublishRanking()
        case e.OwedEntriesWaived() | e.StepsUndone():
            return _gone_on(first)
        case e.DrawSealed() | e.DrawMade() | e.DrawPublished() | e.LotsDrawn() | e.OneOnOneEntered():
            return _about_chance(first)
        case _ if isinstance(first, _Sheets):
            return _about_sheets(first)
        case _:
            return _about_players(first)


def _about_tournament(
    event: e.TournamentOpened | e.TablesMoved | e.WaiversChanged,
) -> c.TournamentCommand:
    match event:
        case e.TournamentOpened():
            return c.OpenTournament(
                event.tournament,
                event.name,
                event.rules,
                event.date,
                event.waivers,
                event.unofficial,
                event.first_table,
            )
        case e.TablesMoved():
            return c.MoveTables(event.first)
        case e.WaiversChanged():
            return c.ChangeWaivers(event.waivers, event.reason)
        case _:
            assert_never(event)


def _gone_on(event: e.OwedEntriesWaived | e.StepsUndone) -> c.TournamentCommand:
    if isinstance(event, e.StepsUndone):
        confirmed = tuple(game.game for game in event.voided)
        return c.UndoSteps(event.steps, event.reason, event.voided, confirmed)
    return c.WaiveOwedEntries(event.tables, event.reason)


def _about_finals(
    event: e.RoundsRankingPublished | e.DuelsBegun,
) -> c.TournamentCommand:
    match event:
        case e.RoundsRankingPublished():
            return c.PublishRoundsRanking()
        case e.DuelsBegun():
            return c.BeginDuels(event.kind)
        case _:
            assert_never(event)


def _about_chance(
    event: e.DrawSealed | e.DrawMade | e.DrawPublished | e.LotsDrawn | e.OneOnOneEntered,
) -> c.TournamentCommand:
    match event:
        case e.DrawSealed():
            return c.SealDraw(event.seed)
        case e.DrawMade():
            return c.MakeDraw(event.hall_word)
        case e.DrawPublished():
            return c.PublishDraw()
        case e.LotsDrawn():
            return c.DrawLots(event.seed)
        case e.OneOnOneEntered():
            return c.EnterOneOnOne(event.winner, event.loser)
        case _:
            assert_never(event)


_Sheets = (
    e.SheetAccepted
    | e.SheetContested
    | e.SheetCorrected
    | e.SheetDisputed
    | e.DisputeSettled
    | e.DuelAccepted
    | e.DuelContested
    | e.DuelCorrected
)


def _about_sheets(event: _Sheets) -> c.TournamentCommand:
    match event:
        case e.DuelAccepted():
            return c.AcceptDuel(event.game, event.result, event.source, event.origin, event.reason)
        case e.DuelContested():
            return c.ContestDuel(event.game, event.result, event.origin)
        case e.DuelCorrected():
            return c.CorrectDuel(event.game, event.result, event.reason)
        case e.SheetAccepted():
            return c.AcceptSheet(event.game, event.result, event.source, event.origin, event.reason)
        case e.SheetContested():
            return c.ContestSheet(event.game, event.result, event.origin)
        case e.SheetCorrected():
            return c.CorrectSheet(event.game, event.result, event.reason)
        case e.SheetDisputed():
            return c.DisputeSheet(event.game, event.reason)
        case e.DisputeSettled():
            return c.SettleDispute(event.game, event.reason)
        case _:
            assert_never(event)


def _about_players(
    event: e.PlayersRegistered | e.PlayerRenamed | e.PlayerWithdrawn | e.PlayerWarned | e.PlayerEjected,
) -> c.TournamentCommand:
    match event:
        case e.PlayersRegistered():
            return c.RegisterPlayers(event.players)
        case e.PlayerRenamed():
            return c.RenamePlayer(event.player, event.name, event.club)
        case e.PlayerWithdrawn():
            return c.WithdrawPlayer(event.player, event.reason)
        case e.PlayerWarned():
            return c.WarnPlayer(event.player, event.reason)
        case e.PlayerEjected():
            return c.EjectPlayer(event.player, event.reason)
        case _:
            assert_never(event)

"""The way back from events to the command that caused them."""

from collections.abc import Sequence
from typing import assert_never

from saloon.base.errors import BadData
from saloon.core.tournament import commands as c
from saloon.core.tournament import events as e
from saloon.core.tournament.clock.clock import clock_command
from saloon.core.tournament.clock.clock_events import ClockEvent


def command_of(  # noqa: C901 - one exhaustive match over all events
    events: Sequence[e.TournamentEvent],
) -> c.TournamentCommand:
    """Return the command whose step these events are. Raises BadData for no events."""
    if not events:
        raise BadData("tournament log", "a step has no events")
    event = events[0]
    if isinstance(event, ClockEvent):
        return clock_command(event)
    match event:
        case e.TournamentOpened():
            return c.OpenTournament(
                event.tournament, event.name, event.rules, event.date, event.waivers, event.unofficial,
                event.first_table,
            )  # fmt: skip
        case e.TablesMoved():
            return c.MoveTables(event.first)
        case e.WaiversChanged():
            return c.ChangeWaivers(event.waivers, event.reason)
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
        case e.DrawSealed():
            return c.SealDraw(event.seed)
        case e.DrawMade():
            return c.MakeDraw(event.hall_word)
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
        case e.LotsDrawn():
            return c.DrawLots(event.seed)
        case e.OneOnOneEntered():
            return c.EnterOneOnOne(event.winner, event.loser)
        case e.RoundsRankingPublished():
            return c.PublishRoundsRanking()
        case e.DuelsBegun():
            return c.BeginDuels(event.kind)
        case e.RankingPublished():
            return c.PublishRanking()
        case e.OwedEntriesWaived():
            return c.WaiveOwedEntries(event.tables, event.reason)
        case e.StepsUndone():
            confirmed = tuple(game.game for game in event.voided)
            return c.UndoSteps(event.steps, event.reason, event.voided, confirmed)
        case _:
            assert_never(event)

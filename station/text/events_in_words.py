"""A tournament's history as text, with authors and times."""

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import islice
from typing import Final, assert_never

import msgspec
from msgspec.structs import replace

from core.editions.loader import rules_of
from core.game.result import Result
from core.terms import DuelPart, GameId, PlayerId, RoundNo, TableNo
from core.tournament.decisions import TournamentDecision, TournamentStep, UndoSteps
from core.tournament.draw.by_hand import ChangeDraw
from core.tournament.draw.drawing import AllowTablesOfFour, MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.finals import BeginDuels, CallOffTieDuel, PublishRoundsRanking
from core.tournament.penalties import EjectPlayer, ReinstatePlayer, WarnPlayer, WithdrawPlayer
from core.tournament.prizes import ChangePrizes
from core.tournament.registration import (
    ChangeRules,
    ChangeWaivers,
    OpenTournament,
    RegisterPlayers,
    RemovePlayer,
    RenamePlayer,
    RenameTournament,
    SetLateEntry,
)
from core.tournament.round_clock import ClockDecision
from core.tournament.sheets import (
    AcceptResult,
    ContestResult,
    CorrectResult,
    DisputeSheet,
    SettleDispute,
    WaiveOpenSheets,
    WaiveOwedEntries,
)
from core.tournament.standings.ranking import DrawLots, EnterOneOnOne, PublishRanking
from core.tournament.state.decision import VoidedGame
from core.tournament.state.prizes import Prize
from core.tournament.state.rounds import Source
from core.tournament.state.table_list import list_from
from core.tournament.state.tournament import Player, TournamentState, Waivers
from station.text.changes_in_words import (
    TournamentRules,
    change_in_words,
    describe_renaming,
    join_changed,
    result_changed,
    rules_changed,
    waivers_changed,
)
from station.text.i18n import Words
from station.text.names import names_of, round_title
from station.text.prizes import describe_prize_changes
from station.text.times import day_and_time, describe_round_clock

_AT_A_TABLE = re.compile(r"terminal (\d+)(?: \((PIN|key)\))?")
"""The author of steps that a judge has taken at a table's terminal."""


_MOST_UNDONE: Final = 3
"""The most undone steps that the line of an undo repeats."""


class HistoryLine(msgspec.Struct, frozen=True):
    """A step of the history. ``undone`` means that a later step undid it.

    steps_back: how many steps to undo to get back to before this one, or 0 if that is impossible.
    table: round and number of the step's table, if that has a page.
    """

    at: str
    by: str
    text: str
    undone: bool
    steps_back: int
    voided: tuple[VoidedGame, ...] = ()
    table: tuple[RoundNo, TableNo] | None = None


class _Former(msgspec.Struct, frozen=True):
    """The facts before a step that it may replace."""

    players: Mapping[PlayerId, Player] = {}
    chosen: TournamentRules | None = None
    results: Mapping[GameId, Result] = {}
    title: str = ""
    date: str = ""
    tables: str = ""
    prizes: tuple[Prize, ...] = ()

    def after(self, event: TournamentDecision) -> "_Former":
        match event:
            case OpenTournament():
                return replace(
                    self,
                    chosen=TournamentRules(event.rules, event.waivers, event.unofficial),
                    title=event.name,
                    date=event.date,
                    tables=event.hall_tables.describe(),
                )
            case MoveTables():
                return replace(self, tables=_tables_in_words(event))
            case RenameTournament():
                return replace(self, title=event.name, date=event.date)
            case ChangeRules():
                return replace(self, chosen=_chosen_in(event))
            case ChangeWaivers():
                chosen = None if self.chosen is None else replace(self.chosen, waivers=event.waivers)
                return replace(self, chosen=chosen)
            case ChangePrizes():
                return replace(self, prizes=event.prizes)
            case RegisterPlayers():
                return replace(
                    self, players={**self.players, **{player.player: player for player in event.players}}
                )
            case RenamePlayer():
                renamed = Player(event.player, event.name, event.club)
                return replace(self, players={**self.players, event.player: renamed})
            case AcceptResult() | CorrectResult():
                return replace(self, results={**self.results, event.game: event.result})
            case _:
                return self


def _chosen_in(event: ChangeRules) -> TournamentRules:
    return TournamentRules(event.rules, event.waivers, event.unofficial)


def _tables_in_words(event: MoveTables) -> str:
    return (event.tables or list_from(event.first)).describe()


def describe_last_step(history: Sequence[TournamentStep], state: TournamentState, words: Words) -> str:
    """Return the last step as text, apart from changes to the clock."""
    count = max(i for i, step in enumerate(history, 1) if not isinstance(step.events[0], ClockDecision))
    (line,) = history_lines(history[:count], state, words, range(1))
    return line.text


def history_lines(
    history: Sequence[TournamentStep], state: TournamentState, words: Words, page: range | None = None
) -> tuple[HistoryLine, ...]:
    """Return a tournament's steps, newest first. ``page`` is a range of them, by default all."""
    names = names_of(state)
    former = [_Former()]
    before: list[_Former] = []
    tables = {
        drawn.game: (published.round, drawn.table)
        for published in state.published_rounds
        for drawn in published.tables
    }
    counting: list[int] = []
    undone: dict[int, list[int]] = {}
    for index, step in enumerate(history):
        first = step.events[0]
        before.append(former[-1])
        if isinstance(first, UndoSteps):
            undone[index] = counting[-first.steps :]
            del counting[-first.steps :]
            del former[-first.steps :]
        elif not isinstance(first, ClockDecision):
            counting.append(index)
            former.append(reduce(_Former.after, step.events, former[-1]))

    def text(index: int) -> str:
        said = words.gettext("; ").join(
            _describe(event, before[index], state, names, words) for event in history[index].events
        )
        steps = undone.get(index, [])
        what = [text(one) for one in steps[: -_MOST_UNDONE - 1 : -1]]
        dots = ["…"] if len(steps) > len(what) else []
        return f"{said} ({words.gettext('; ').join((*what, *dots))})" if what else said

    gone = {one for steps in undone.values() for one in steps}
    back = {index: len(counting) - place for place, index in enumerate(counting) if place}
    span = range(len(history)) if page is None else page
    return tuple(
        HistoryLine(
            day_and_time(step.at, words.gettext),
            judge_or_table(step.events[0].by, words),
            text(index),
            index in gone,
            back.get(index, 0),
            tuple(game for event in step.events if isinstance(event, UndoSteps) for game in event.voided),
            _table_of(step.events[0], tables),
        )
        for index, step in islice(reversed([*enumerate(history)]), span.start, span.stop)
    )


def _table_of(
    event: TournamentDecision, tables: Mapping[GameId, tuple[RoundNo, TableNo]]
) -> tuple[RoundNo, TableNo] | None:
    if isinstance(event, AcceptResult | CorrectResult | ContestResult | DisputeSheet | SettleDispute):
        return tables.get(event.game)
    return None


def judge_or_table(by: str, words: Words) -> str:
    """Return the judge's name, or at which table and how a judge confirmed."""
    parts = _AT_A_TABLE.fullmatch(by)
    if parts is None:
        return by
    _ = words.gettext
    match parts[2]:
        case "PIN":
            said = _("terminal of table {n}, by PIN")
        case "key":
            said = _("terminal of table {n}, by key")
        case _:
            said = _("terminal of table {n}, judge's menu")
    return said.format(n=parts[1])


def _describe(  # noqa: C901 (a line for each kind)
    event: TournamentDecision,
    former: _Former,
    state: TournamentState,
    names: Mapping[PlayerId, str],
    words: Words,
) -> str:
    _ = words.gettext

    def title(number: RoundNo) -> str:
        return round_title(state, number, words)

    def name(player: PlayerId) -> str:
        return names.get(player, player)

    if isinstance(event, ClockDecision):
        return describe_round_clock(event, state, words)
    match event:
        case OpenTournament():
            return _("Tournament opened: {name}").format(name=event.name)
        case MoveTables():
            return _("Tables in the hall: {tables}").format(
                tables=join_changed(former.tables, _tables_in_words(event))
            )
        case ChangeRules():
            return _("Rules changed: {changes}").format(
                changes=rules_changed(former.chosen, _chosen_in(event), words)
            )
        case RenameTournament():
            return _("Tournament renamed: {name}, {date}").format(
                name=join_changed(former.title, event.name), date=join_changed(former.date, event.date)
            )
        case ChangeWaivers():
            before = Waivers() if former.chosen is None else former.chosen.waivers
            return _("Waivers changed: {changes} (reason: {reason})").format(
                changes=waivers_changed(before, event.waivers, words), reason=event.reason
            )
        case RegisterPlayers():
            return _registration(event, names, words)
        case SetLateEntry():
            said = _("Late entry opened: {reason}") if event.is_open else _("Late entry closed: {reason}")
            return said.format(reason=event.reason)
        case ReinstatePlayer():
            said = _("{name} is in the tournament again: {reason}")
            return said.format(name=name(event.player), reason=event.reason)
        case AllowTablesOfFour():
            return _("Tables of 4 allowed: {reason}").format(reason=event.reason)
        case RenamePlayer():
            renamed = Player(event.player, event.name, event.club)
            return describe_renaming(former.players.get(event.player, renamed), renamed, words)
        case RemovePlayer():
            return _("{name} removed").format(name=event.name)
        case WithdrawPlayer() | WarnPlayer() | EjectPlayer():
            return _departure(event, words).format(name=name(event.player), reason=event.reason)
        case SealDraw():
            said = _("{round}, draw {attempt}: seed sealed")
            said = said.format(round=title(event.round), attempt=event.attempt)
            return said if not event.reason else said + _(": ") + event.reason
        case MakeDraw():
            return _("{round}, draw {attempt}: drawn").format(round=title(event.round), attempt=event.attempt)
        case ChangeDraw():
            change = change_in_words(event.change, names, words, state.hall_tables)
            return _("{round} changed by hand: {change} (reason: {reason})").format(
                round=title(event.round), change=change, reason=event.reason
            )
        case PublishDraw():
            return _("{round} published").format(round=title(event.round))
        case AcceptResult():
            return _sheet(event.result, _describe_acceptance(event, words), state, words)
        case CorrectResult():
            said = _("corrected: {reason}").format(reason=event.reason)
            changes = result_changed(former.results.get(event.game), event.result, names, words)
            return _sheet(event.result, "; ".join((said, *changes)), state, words)
        case DisputeSheet():
            return _("Record sheet disputed: {reason}").format(reason=event.reason)
        case SettleDispute():
            return _("Disputed record sheet upheld: {reason}").format(reason=event.reason)
        case ContestResult():
            what = _("disputed: another one was imported from terminal {terminal}")
            return _sheet(event.result, what.format(terminal=event.origin.terminal[:8]), state, words)
        case DrawLots():
            return _("Lots drawn")
        case EnterOneOnOne():
            return _("{winner} won the one-on-one game against {loser}").format(
                winner=name(event.winner), loser=name(event.loser)
            )
        case PublishRoundsRanking():
            finalists = ", ".join(name(player) for player in event.finalists)
            return _("Ranking of the rounds published; finals: {names}").format(names=finalists)
        case BeginDuels(part=DuelPart.TIE_BREAK, tables=(table,)):
            players = ", ".join(name(player) for player in table.players)
            return _("One-on-one at table {n}: {names}").format(n=table.table, names=players)
        case CallOffTieDuel():
            return _("One-on-one called off")
        case BeginDuels(part=DuelPart.SEMIFINALS):
            return _("Semifinalists called to their tables")
        case BeginDuels():
            return _("Finalists called to their table")
        case PublishRanking():
            return _("Ranking published")
        case ChangePrizes():
            return describe_prize_changes(former.prizes, event.prizes, words)
        case WaiveOwedEntries():
            tables = ", ".join(str(table.table) for table in event.tables)
            said = _("Continued without the missing entries of tables {tables}: {reason}")
            return said.format(tables=tables, reason=event.reason)
        case WaiveOpenSheets():
            return _drew_without(event, state, words)
        case UndoSteps():
            said = words.ngettext(
                "{steps} step undone: {reason}", "{steps} steps undone: {reason}", event.steps
            )
            return said.format(steps=event.steps, reason=event.reason)
        case _:
            assert_never(event)


def _registration(event: RegisterPlayers, names: Mapping[PlayerId, str], words: Words) -> str:
    count = len(event.players)
    said = words.ngettext("{count} player registered: {names}", "{count} players registered: {names}", count)
    return said.format(count=count, names=", ".join(names.get(one.player, one.name) for one in event.players))


def _departure(event: WithdrawPlayer | WarnPlayer | EjectPlayer, words: Words) -> str:
    _ = words.gettext
    match event:
        case WithdrawPlayer():
            return _("{name} withdrawn: {reason}")
        case WarnPlayer():
            said = _("{name} warned: {reason}")
        case EjectPlayer():
            said = _("{name} ejected: {reason}")
        case _:
            assert_never(event)
    return said if event.offence is None else f"{said} ({words.label(event.offence)})"


def _drew_without(event: WaiveOpenSheets, state: TournamentState, words: Words) -> str:
    tables = ", ".join(f"{sheet.round}/{sheet.table}" for sheet in event.sheets)
    sentence = words.gettext("Next draw without these record sheets ({unit}/table): {tables}: {reason}")
    unit = words.gettext(rules_of(state.rules).unit)
    return sentence.format(unit=unit, tables=tables, reason=event.reason)


def _describe_acceptance(event: AcceptResult[Result], words: Words) -> str:
    _, origin = words.gettext, event.origin
    if event.reason:
        said = _("entered by the judge instead of the terminal's report: {reason}")
        return said.format(reason=event.reason)
    if event.source is Source.PAPER:
        return _("entered from paper")
    if origin is None:
        return _("confirmed as the terminal reported it")
    if origin.confirmed is None:
        said = _("confirmed here, imported from terminal {terminal} by code or USB drive (entry {seq})")
    else:
        said = _(
            "confirmed at the table, imported from terminal {terminal} by code or USB drive (entry {seq})"
        )
    return said.format(terminal=origin.terminal[:8], seq=origin.seq)


def _sheet(result: Result, what: str, state: TournamentState, words: Words) -> str:
    sentence = words.gettext("{round}, table {table}: record sheet {what}")
    return sentence.format(round=round_title(state, result.round, words), table=result.table, what=what)

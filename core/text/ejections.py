"""Ejected players with the reasons, as the publisher wants to know them."""

from collections.abc import Iterator

import msgspec

from saloon.core.editions.edition import Edition, Schedule
from saloon.core.terms import RoundNo, TableNo
from saloon.core.text.conduct import PUBLISHER_ADDRESS
from saloon.core.tournament.state import TournamentState
from saloon.core.words import Words


class Ejection(msgspec.Struct, frozen=True):
    """An ejected player. reason: "" where only the table recorded it.

    warnings: the reasons of all warnings. round: the last one that the player was in. table: where it
    happened, if the table recorded it.
    """

    name: str
    club: str = ""
    reason: str = ""
    warnings: tuple[str, ...] = ()
    round: RoundNo | None = None
    table: TableNo | None = None


def must_report(rules: Edition) -> bool:
    """Return whether the rules ask the judge to report ejected players.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    return rules.schedule is Schedule.CHART


def ejections(state: TournamentState) -> tuple[Ejection, ...]:
    """Return the players ejected by the judge or at a table, in the order of registration."""
    at_tables = {
        sheet.result.players[left.seat - 1]: (drawn.round, sheet.result.table)
        for drawn in state.published_rounds
        for sheet in drawn.sheets
        for left in sheet.result.abandonments
        if left.ejected
    }
    return tuple(
        Ejection(
            entrant.name,
            entrant.club,
            entrant.out_reason if entrant.ejected else "",
            entrant.warnings,
            at_tables.get(entrant.player, (entrant.out_after_round, None))[0],
            at_tables.get(entrant.player, (None, None))[1],
        )
        for entrant in state.entrants
        if entrant.ejected or entrant.player in at_tables
    )


def report_to_publisher(state: TournamentState, rules: Edition, words: Words) -> str:
    """Return the report as a letter: address, tournament, names, reasons and warnings."""
    return "\n".join(_lines(state, rules, words)) + "\n"


def _lines(state: TournamentState, rules: Edition, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield _("To: {address}").format(address=PUBLISHER_ADDRESS)
    yield _("Subject: Players ejected from {tournament}, {date}").format(
        tournament=state.name, date=state.date
    )
    yield ""
    yield _("Tournament: {name}").format(name=state.name)
    yield _("Date: {date}").format(date=state.date)
    yield _("Rules: {rules}").format(rules=rules.title)
    yield _("Players: {n}").format(n=len(state.entrants))
    yield ""
    found = ejections(state)
    if not found:
        yield _("Nobody was ejected.")
        return
    yield _("The judge ejected these players:")
    for ejection in found:
        yield ""
        club = f" ({ejection.club})" if ejection.club else ""
        yield f"- {ejection.name}{club}"
        if ejection.table is not None:
            yield "  " + _("During the game at table {table} in round {round}.").format(
                table=ejection.table, round=ejection.round
            )
        elif ejection.round:
            yield "  " + _("During or after round {round}.").format(round=ejection.round)
        reason = ejection.reason or _("not recorded; please add it")
        yield "  " + _("Reason: {reason}").format(reason=reason)
        for warning in ejection.warnings:
            yield "  " + _("Earlier warning: {reason}").format(reason=warning)

"""A report of ejected players, with the reasons, for the publisher."""

from collections.abc import Iterator
from typing import Final

import msgspec

from core.editions.edition import Edition, Schedule
from core.game.state.offences import OFFENCE_NAMES, Offence, offence_rule
from core.terms import RoundNo, TableNo, Words
from core.text.conduct import PUBLISHER_ADDRESS
from core.tournament.state.tournament import RecordedWarning, TournamentState

_ = str  # marks a text for the translation catalogues


UNITS: Final = (_("game"), _("round"))
"""The values of ``Edition.unit``, for the translation catalogues."""


class Ejection(msgspec.Struct, frozen=True):
    """An ejected player. round: their last one.

    reason: "" if only the table recorded the ejection.
    table: the table of the ejection, if recorded there.
    """

    name: str
    club: str = ""
    reason: str = ""
    warnings: tuple[RecordedWarning, ...] = ()
    round: RoundNo | None = None
    table: TableNo | None = None
    offence: Offence | None = None


def must_report(rules: Edition) -> bool:
    """Return whether the rules require the judge to report ejected players.

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
            entrant.out_offence,
        )
        for entrant in state.entrants
        if entrant.ejected or entrant.player in at_tables
    )


class EjectionReport(msgspec.Struct, frozen=True):
    """The report of ejected players, ready to send."""

    address: str
    subject: str
    body: str

    def letter(self, words: Words) -> str:
        """Return the whole report as text."""
        _ = words.gettext
        head = _("To: {address}").format(address=self.address)
        subject = _("Subject: {subject}").format(subject=self.subject)
        return f"{head}\n{subject}\n\n{self.body}"


def report_to_publisher(state: TournamentState, rules: Edition, words: Words) -> EjectionReport:
    """Return the report: tournament, names, categories, reasons and warnings.

    Source: Championship 2022/23 v1.4, 3 "Penalties".
    """
    _ = words.gettext
    subject = _("Players ejected from {tournament}, {date}").format(tournament=state.name, date=state.date)
    return EjectionReport(PUBLISHER_ADDRESS, subject, "\n".join(_lines(state, rules, words)) + "\n")


def _lines(state: TournamentState, rules: Edition, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield _("Tournament: {name}").format(name=state.name)
    yield _("Date: {date}").format(date=state.date)
    yield _("Rules: {rules}").format(rules=rules.title)
    yield _("Players: {n}").format(n=len(state.entrants))
    yield ""
    all_ejections = ejections(state)
    if not all_ejections:
        yield _("Nobody was ejected.")
        return
    yield _("The judge ejected these players:")
    for ejection in all_ejections:
        yield ""
        club = f" ({ejection.club})" if ejection.club else ""
        yield f"- {ejection.name}{club}"
        if ejection.table is not None:
            when = _("During the game at table {table} ({round}).")
            yield "  " + when.format(table=ejection.table, round=f"{_(rules.unit)} {ejection.round}")
        elif ejection.round:
            yield "  " + _("During or after {round}.").format(round=f"{_(rules.unit)} {ejection.round}")
        if ejection.offence is not None:
            yield "  " + _("Category: {category}").format(category=category(ejection.offence, rules, words))
        reason = ejection.reason or _("not recorded; please add it")
        yield "  " + _("Reason: {reason}").format(reason=reason)
        for warning in ejection.warnings:
            yield "  " + _("Warning: {reason}").format(reason=warning_in_words(warning, rules, words))


def category(offence: Offence, rules: Edition, words: Words) -> str:
    """Return an offence as text, with the rule that it breaks if one is printed."""
    name, rule = words.gettext(OFFENCE_NAMES[offence]), offence_rule(offence, rules)
    return f"{name} ({rule})" if rule else name


def warning_in_words(warning: RecordedWarning, rules: Edition, words: Words) -> str:
    """Return a warning as a sentence: reason, category, rule and round."""
    _ = words.gettext
    parts = [] if warning.offence is None else [category(warning.offence, rules, words)]
    if warning.round is not None:
        parts.append(f"{_(rules.unit)} {warning.round}")
    return f"{warning.reason} – {', '.join(parts)}" if parts else warning.reason

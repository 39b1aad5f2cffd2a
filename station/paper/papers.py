"""A tournament's papers: which ones can be printed, when, and by whom."""

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from base.errors import Refused
from core.editions.edition import Edition
from core.terms import PlayerId
from core.tournament.state.names import fold_name
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import Stage, TournamentState
from station.accounts.permissions import Permission
from station.paper import results
from station.paper.certificates import (
    CertificateChoice,
    Letterhead,
    certificates,
    has_ranks,
    prize_certificates,
)
from station.paper.layouts import (
    TICK_BOX,
    AnyLayout,
    Badge,
    Badges,
    Certificates,
    Forms,
    NameColumns,
    Paper,
    PaperSize,
    PlanPage,
    PlanPlace,
    Poster,
    SeatCard,
    SeatCards,
    Sign,
    Signs,
    WideTable,
)
from station.paper.typesetting import letters_of_paper
from station.plan.service import HallPlan
from station.players.codes import PATH
from station.text.i18n import Words
from station.text.names import (
    names_of,
    printed_code,
    round_title,
    seats_by_name,
    with_readable_names,
)
from station.text.plan import plan_of
from station.text.times import day_in_words


class PaperKind(enum.Enum):
    """The papers in the order of the day; the values are used in commands and addresses."""

    REGISTRATION_POSTER = "registration-poster"
    BADGES = "badges"
    CHECK_IN_LIST = "check-in-list"
    TABLE_SIGNS = "table-signs"
    HALL_PLAN = "hall-plan"
    SEATS_BY_NAME = "seats-by-name"
    SEATS_BY_TABLE = "seats-by-table"
    RECORD_SHEETS = "record-sheets"
    RESULTS = "results"
    DUEL_SHEETS = "duel-sheets"
    STANDINGS = "standings"
    CERTIFICATES = "certificates"
    PRIZES = "prizes"
    PRIZE_CERTIFICATES = "prize-certificates"
    EJECTIONS = "ejections"
    PROOF = "proof"


def _(text: str) -> str:
    return text


PAPER_TEXTS: Final[Mapping[PaperKind, tuple[str, str]]] = {
    PaperKind.REGISTRATION_POSTER: (
        _("Registration poster"),
        _("Hang it up: the code opens the form with which players apply."),
    ),
    PaperKind.BADGES: (
        _("Badges"),
        _("Cut these out. Scanning the code checks the player in and finds their seat."),
    ),
    PaperKind.CHECK_IN_LIST: (_("Check-in list"), _("Players by name with boxes to tick, for the door.")),
    PaperKind.TABLE_SIGNS: (_("Table signs"), _("Fold in the middle and stand on the tables.")),
    PaperKind.HALL_PLAN: (_("Hall plan"), _("Where each table is, according to your hall plan.")),
    PaperKind.SEATS_BY_NAME: (_("Seats by name"), _("Hang this list at the entrance.")),
    PaperKind.SEATS_BY_TABLE: (_("Seats by table"), _("For the judges, and beside the hall plan.")),
    PaperKind.RECORD_SHEETS: (
        _("Record sheets"),
        _("For tables without a terminal. The code opens the sheet's form on a judge's phone."),
    ),
    PaperKind.RESULTS: (_("Results"), _("Confirmed record sheets of a round with roles and dollars.")),
    PaperKind.DUEL_SHEETS: (_("Duel sheets"), _("For tied players, or the semifinals and the final.")),
    PaperKind.STANDINGS: (_("Ranking"), _("Shows every tie-break.")),
    PaperKind.CERTIFICATES: (
        _("Certificates"),
        _("For all players or the best. Samples until all games are over."),
    ),
    PaperKind.EJECTIONS: (_("Report to the publisher"), _("Ejected players with the reasons.")),
    PaperKind.PRIZES: (_("Prizes"), _("For the person who hands them out, with a box to tick for each.")),
    PaperKind.PRIZE_CERTIFICATES: (_("Certificates for prizes"), _("One for each winner of a prize.")),
    PaperKind.PROOF: (
        _("Appendix: draws and results"),
        _("Seals, seeds, draws and results, to be checked by hand."),
    ),
}
"""The name of each paper, and a note on its purpose."""

OF_A_ROUND: Final = frozenset(
    {PaperKind.SEATS_BY_NAME, PaperKind.SEATS_BY_TABLE, PaperKind.RECORD_SHEETS, PaperKind.RESULTS}
)
"""Papers about a single round."""
PARTS_OF_DAY: Final[Mapping[PaperKind, str]] = {
    PaperKind.REGISTRATION_POSTER: _("Before you play"),
    PaperKind.SEATS_BY_NAME: _("While you play"),
    PaperKind.DUEL_SHEETS: _("At the end"),
}
"""The headings in the list of papers, by the first paper below each."""
_CERTIFICATES: Final = frozenset({PaperKind.CERTIFICATES, PaperKind.PRIZE_CERTIFICATES})
_SECRET: Final = _CERTIFICATES | {PaperKind.RESULTS, PaperKind.STANDINGS, PaperKind.PRIZES, PaperKind.PROOF}
"""Papers with money or ranks, which are secret until the ranking is published."""


class PaperRefusal(enum.Enum):
    """The reasons why a paper cannot be printed."""

    NO_ROUND = "No draw has been published yet."
    NOT_THAT_ROUND = "Draw {round} hasn't been published. Published: {rounds}."
    NO_PLAYERS = "Nobody is registered yet."
    NO_SHEETS = "None of these tables' record sheets has been confirmed yet."
    NO_REGISTRATION = (
        "Players can't apply yet. Switch it on under Check-in, What players can do themselves: Apply to play."
    )
    NO_ADDRESS = "The station doesn't know any address that phones can open."
    NO_PLAN = "There's no hall plan yet. Arrange the tables first."
    NO_DUELS = "These rules have no duels."
    NO_RANK = "This player has no place in the ranking, so there's no certificate."
    NO_PRIZES = "There are no prizes yet. Define them under “Prizes” first."
    NOT_RANKED = "The ranking isn't complete yet: certificates are printed when all games are over."


class PaperSource(msgspec.Struct, frozen=True):
    """The data from which papers are made.

    address: the pages' address for phones; empty to print no QR codes.
    code: returns the code of a player's badge.
    takes_applications: whether players may apply to play.
    most: the number of papers with a code to make, or None for all; a code takes a while.
    on_code: called for each QR code, whose drawing takes most of the time.
    """

    state: TournamentState
    rules: Edition
    words: Words
    plan: HallPlan = HallPlan()
    address: str = ""
    code: Callable[[PlayerId], str] | None = None
    takes_applications: bool = False
    letterhead: Letterhead = Letterhead()
    certified: CertificateChoice = CertificateChoice()
    most: int | None = None
    on_code: Callable[[], None] = lambda: None

    @property
    def names(self) -> Mapping[PlayerId, str]:
        return names_of(self.state)

    def qr(self, path: str) -> str:
        """Return a page's address as a QR code in SVG, or an empty string without an address."""
        self.on_code()
        return printed_code(self.address + path) if self.address else ""


def needed_permission(kind: PaperKind, state: TournamentState) -> Permission:
    """Return the permission that a paper requires at this stage of the tournament."""
    is_sample = kind is PaperKind.CERTIFICATES and not has_ranks(state)
    if kind in _SECRET and state.stage is not Stage.PUBLISHED and not is_sample:
        return Permission.STANDINGS
    return Permission.PLAYERS if kind is PaperKind.BADGES else Permission.TOURNAMENTS


def round_to_print(state: TournamentState, wanted: int | None = None) -> Round:
    """Return the wanted published round, by default the last one. Raises Refused."""
    published = state.published_rounds
    if not published:
        raise Refused(PaperRefusal.NO_ROUND)
    chosen = published[-1] if wanted is None else next((r for r in published if r.round == wanted), None)
    if chosen is None:
        known = ", ".join(str(r.round) for r in published)
        raise Refused(PaperRefusal.NOT_THAT_ROUND, round=wanted, rounds=known)
    return chosen


def check_printable(kind: PaperKind, source: PaperSource, round_no: int | None = None) -> None:
    """Check whether a paper can be printed, without making it. Raises Refused."""
    state = source.state
    if kind in OF_A_ROUND and not round_to_print(state, round_no).sheets and kind is PaperKind.RESULTS:
        raise Refused(PaperRefusal.NO_SHEETS)
    if kind in {PaperKind.STANDINGS, PaperKind.PROOF}:
        round_to_print(state)
    if kind is PaperKind.DUEL_SHEETS and source.rules.finals is None and not state.duels:
        raise Refused(PaperRefusal.NO_DUELS)
    of_players = {PaperKind.TABLE_SIGNS, PaperKind.BADGES, PaperKind.CHECK_IN_LIST}
    if kind in of_players and not state.contenders:
        raise Refused(PaperRefusal.NO_PLAYERS)
    if kind is PaperKind.REGISTRATION_POSTER and not (source.takes_applications and source.address):
        is_closed = not source.takes_applications
        raise Refused(PaperRefusal.NO_REGISTRATION if is_closed else PaperRefusal.NO_ADDRESS)
    if kind is PaperKind.HALL_PLAN and not source.plan.places:
        raise Refused(PaperRefusal.NO_PLAN)
    if kind in {PaperKind.PRIZES, PaperKind.PRIZE_CERTIFICATES} and not state.prizes:
        raise Refused(PaperRefusal.NO_PRIZES)
    if kind is PaperKind.PRIZE_CERTIFICATES and not has_ranks(state):
        raise Refused(PaperRefusal.NOT_RANKED)


def codes_on(kind: PaperKind, state: TournamentState) -> Sequence[object]:
    """Return the players or tables for each of which a paper has a QR code."""
    if kind is PaperKind.BADGES:
        return state.contenders
    tables = state.rounds[-1].tables if state.rounds else ()
    return tables if kind in {PaperKind.RECORD_SHEETS, PaperKind.TABLE_SIGNS} else ()


def paper_of(
    kind: PaperKind, source: PaperSource, *, size: PaperSize = PaperSize.A4, round_no: int | None = None
) -> Paper:
    """Make a paper. ``round_no`` is the round of a round's paper, by default the last one. Raises Refused."""
    check_printable(kind, source, round_no)
    words = source.words
    _ = words.gettext
    source = replace(source, state=with_readable_names(source.state, letters_of_paper(), _("Player")))
    state = source.state
    about = [state.name, day_in_words(state.date, _)]
    if kind in OF_A_ROUND:
        drawn = round_to_print(state, round_no)
        about.insert(1, round_title(state, drawn.round, words))
        body = _OF_ROUND[kind](source, drawn)
    else:
        body = _OF_TOURNAMENT[kind](source)
    is_secret = kind in _SECRET and state.stage is not Stage.PUBLISHED
    return Paper(
        title=_("Certificate") if kind in _CERTIFICATES else _(PAPER_TEXTS[kind][0]),
        about=" · ".join(about),
        body=body,
        page=_("Page {n} of {total}"),
        foot=_("Saloon is unofficial. BANG! is a trademark of its owner."),
        colon=_(": "),
        language=words.language,
        size=size,
        notice=_("Secret until the ranking is published. Not for players.") if is_secret else "",
    )


def _seats_by_name(source: PaperSource, drawn: Round) -> NameColumns:
    _ = source.words.gettext
    rows = tuple(
        (name, str(table), f"{seat} ★" if seat == 1 else str(seat))
        for name, table, seat in seats_by_name(source.names, drawn)
    )
    return NameColumns((_("Player"), _("Table"), _("Seat")), rows)


def _seats_by_table(source: PaperSource, drawn: Round) -> SeatCards:
    title, names = source.words.gettext("Table {n}"), source.names
    return SeatCards(
        tuple(
            SeatCard(
                title.format(n=table.table),
                tuple(f"{names[p]} ★" if seat == 0 else names[p] for seat, p in enumerate(table.players)),
            )
            for table in drawn.tables
        )
    )


def _blank_sheets(source: PaperSource, drawn: Round) -> Forms:
    path = f"/judge/t/{source.state.tournament}/tables/{drawn.round}"
    drawn = replace(drawn, tables=drawn.tables[: source.most])
    codes = {table.table: source.qr(f"{path}/{table.table}/sheet") for table in drawn.tables}
    return results.blank_sheets(source.state, source.rules, source.words, drawn, codes)


def _table_signs(source: PaperSource) -> Signs:
    _, state = source.words.gettext, source.state
    drawn_tables = {table.table for drawn in state.rounds for table in drawn.tables}
    page, hint = f"/t/{state.tournament}/table", _("Who sits here?")
    return Signs(
        tuple(
            Sign(_("Table"), str(number), source.qr(f"{page}/{number}"), hint)
            for number in (sorted(drawn_tables) or _likely_tables(source))[: source.most]
        )
    )


def _likely_tables(source: PaperSource) -> list[int]:
    """Return the table numbers that the next draw would have."""
    sizes = plan_of(source.state, source.rules).sizes
    return [source.state.hall_tables.find_number(place) for place in range(1, len(sizes) + 1)]


def _badges(source: PaperSource) -> Badges:
    hint, badges = source.words.gettext("Scan me: check-in, table, seat"), []
    people = sorted(source.state.contenders, key=lambda one: fold_name(one.name))
    for entrant in people[: source.most]:
        code = "" if source.code is None else source.code(entrant.player)
        qr = source.qr(f"{PATH}{code}") if code else ""
        badges.append(Badge(entrant.name, entrant.club, code, qr, hint if qr else ""))
    return Badges(tuple(badges))


def _check_in_list(source: PaperSource) -> WideTable:
    _, names = source.words.gettext, source.names
    people = sorted(source.state.contenders, key=lambda one: fold_name(one.name))
    rows = tuple((TICK_BOX, names[one.player], one.club) for one in people)
    return WideTable(("", _("Player"), _("Club or town")), rows, numbers=(0,))


def _registration_poster(source: PaperSource) -> Poster:
    _, page = source.words.gettext, f"/t/{source.state.tournament}/register"
    steps = (_("Scan the code with your phone's camera."), _("Enter your name and send the form."))
    return Poster(_("Play with us!"), source.qr(page), source.address + page, steps)


def _hall_plan(source: PaperSource) -> PlanPage:
    plan = source.plan
    places = [PlanPlace(str(table), place.column, place.row) for table, place in sorted(plan.places.items())]
    return PlanPage(max(place.column for place in places), max(place.row for place in places), tuple(places))


def _certificates(of: PaperSource) -> Certificates:
    made = certificates(of.state, of.rules, of.words, letterhead=of.letterhead, choice=of.certified)
    if not made.certificates:
        raise Refused(PaperRefusal.NO_RANK)
    return made


_OF_ROUND: Final[Mapping[PaperKind, Callable[[PaperSource, Round], AnyLayout]]] = {
    PaperKind.SEATS_BY_NAME: _seats_by_name,
    PaperKind.SEATS_BY_TABLE: _seats_by_table,
    PaperKind.RECORD_SHEETS: _blank_sheets,
    PaperKind.RESULTS: lambda of, drawn: results.filled_sheets(of.state, of.rules, of.words, drawn),
}
_OF_TOURNAMENT: Final[Mapping[PaperKind, Callable[[PaperSource], AnyLayout]]] = {
    PaperKind.DUEL_SHEETS: lambda of: results.duel_sheets(of.state, of.words),
    PaperKind.TABLE_SIGNS: _table_signs,
    PaperKind.BADGES: _badges,
    PaperKind.CHECK_IN_LIST: _check_in_list,
    PaperKind.REGISTRATION_POSTER: _registration_poster,
    PaperKind.HALL_PLAN: _hall_plan,
    PaperKind.STANDINGS: lambda of: results.ranking(of.state, of.rules, of.words),
    PaperKind.EJECTIONS: lambda of: results.ejections(of.state, of.rules, of.words),
    PaperKind.CERTIFICATES: _certificates,
    PaperKind.PRIZES: lambda of: results.prizes(of.state, of.rules, of.words),
    PaperKind.PRIZE_CERTIFICATES: lambda of: prize_certificates(of.state, of.rules, of.words, of.letterhead),
    PaperKind.PROOF: lambda of: results.proof(of.state, of.rules, of.words),
}

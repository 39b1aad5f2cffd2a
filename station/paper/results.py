"""The papers made from results: record sheets, ranking, report of ejections, and proof.

Record sheets are blank, for tables without a terminal, or filled in from accepted results.
"""

from collections.abc import Iterator, Mapping

from core.editions.edition import Edition, Scoring
from core.game.ending.record_sheet import RecordSheet, SheetLine, record_sheet
from core.game.state.game import Cause
from core.terms import DuelPart, MatchKind, PlayerId, TableNo
from core.text.ejections import report_to_publisher
from core.text.sentence import dollars, number_in
from core.tournament.standings.ledger import accepted_results, accounts, is_money_spent, start_money
from core.tournament.standings.standings import StandingRow, standings_of
from core.tournament.state.finals import Duels, Pair
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import TournamentState
from station.paper.layouts import (
    TICK_BOX,
    Cells,
    Chapters,
    Forms,
    Letter,
    SheetForm,
    WideTable,
)
from station.sheets.questions import SheetQuestions, sheet_questions
from station.text.filters import tie_break
from station.text.i18n import Words
from station.text.names import names_of, round_title
from station.text.prizes import awards_in_words


def ranking(state: TournamentState, rules: Edition, words: Words) -> WideTable:
    """Return the standings with all tie-breaks, without players who left before their first game."""
    _, names = words.gettext, names_of(state)
    standings = standings_of(state, rules)
    players = {entrant.player for entrant in state.participants}
    money = accounts(accepted_results(state, rules), [entrant.player for entrant in state.entrants], rules)
    is_average, is_spent = rules.scoring is Scoring.AVERAGE, is_money_spent(rules)
    has_bonus, has_prize = any(rules.bonus), rules.finals is not None
    head = [_("Rank"), _("Player"), _("Games")]
    head += [_("Money")] if is_average else []
    head += [_("Start"), _("Won"), _("Spent")] if is_spent else []
    head.append(_("Average") if is_average else _("Score"))
    head += [words.label(key) for key in rules.tie_breaks]
    head += [_("Bonus")] if has_bonus else []
    head += [_("Prize")] if has_prize else []
    head += [_("Total")] if has_bonus or has_prize else []

    def _cells(row: StandingRow) -> Iterator[str]:
        account = money[row.player]
        yield from (str(row.rank) if row.rank else _("has left"), names[row.player], str(row.games))
        if is_average:
            yield dollars(account.total)
        if is_spent:
            yield from map(dollars, (start_money(rules), account.won_money, account.spent))
        yield dollars(row.score)
        yield from (number_in(tie_break(row, key), words.language) for key in rules.tie_breaks)
        if has_bonus:
            yield dollars(row.bonus) if row.bonus else (_("by lot") if row.bonus_by_draw else "")
        if has_prize:
            yield dollars(row.prize) if row.prize else ""
        if has_bonus or has_prize:
            yield dollars(row.final_score)

    return WideTable(
        tuple(head),
        tuple(tuple(_cells(row)) for row in standings.rows if row.player in players),
        numbers=(0, *range(2, len(head))),
        notes=(
            _("Ties are broken by:") + " " + ", ".join(words.label(key) for key in rules.tie_breaks) + ".",
        ),
    )


def prizes(state: TournamentState, rules: Edition, words: Words) -> WideTable:
    """Return the winners of all prizes, with a box to tick when each has been handed over."""
    _ = words.gettext
    rows = tuple(
        (TICK_BOX, award.name, one.place, one.name, one.figure)
        for award in awards_in_words(state, rules, words)
        for one in award.winners
    )
    return WideTable(("", _("Prizes"), _("Place"), _("Winner"), _("Figure")), rows, numbers=(0, 2))


def ejections(state: TournamentState, rules: Edition, words: Words) -> Letter:
    return Letter(report_to_publisher(state, rules, words).letter(words))


def proof(state: TournamentState, rules: Edition, words: Words) -> Chapters:
    """Return all draws with their seeds and all accepted results, enough to verify everything by hand."""
    _, names = words.gettext, names_of(state)
    chapters: list[tuple[str, WideTable]] = []
    for drawn in state.published_rounds:
        title = round_title(state, drawn.round, words)
        chapters.append((title + _(": ") + _("Draw"), _draw(drawn, words)))
        chapters.append((title + _(": ") + _("Results"), _results(state, drawn, rules, words)))
    lots = zip(state.lot_seeds, state.lots, strict=True)
    if rows := tuple((word, ", ".join(names[player] for player in group)) for word, group in lots):
        chapters.append((_("Lots drawn"), WideTable((_("Seed"), _("Players")), rows)))
    for duels in (called for called in state.duels if called.sheets):
        title = round_title(state, duels.round, words) + _(": ") + _("Results")
        chapters.append((title, _duels(duels, names, words)))
    chapters.append((_("Ranking"), ranking(state, rules, words)))
    return Chapters(tuple(chapters))


def _duels(duels: Duels, names: Mapping[PlayerId, str], words: Words) -> WideTable:
    _ = words.gettext
    rows = []
    for duel in sorted((sheet.result for sheet in duels.sheets), key=lambda result: result.table):
        one, other, winner = (names[player] for player in (*duel.players, duel.winning_player))
        rows.append((str(duel.table), one, other, "{}:{}".format(*duel.score), winner))
    head = (_("Table"), _("Player"), _("Player"), _("Score"), _("Winner"))
    return WideTable(head, tuple(rows), numbers=(0, 3))


def _draw(drawn: Round, words: Words) -> WideTable:
    _ = words.gettext
    rows = [
        (_("Seal (SHA-256 of the seed)"), drawn.seal),
        (_("Seed"), drawn.seed),
        (_("Word from the hall"), drawn.hall_word or "–"),
        (_("Draw number"), str(drawn.attempt)),
        *((_("Changed by hand"), f"{change.reason} ({change.by})") for change in drawn.changes),
    ]
    return WideTable((_("Draw"), ""), tuple(rows))


def _results(state: TournamentState, drawn: Round, rules: Edition, words: Words) -> WideTable:
    _, names = words.gettext, names_of(state)
    rows = []
    for accepted in sorted(drawn.sheets, key=lambda one: one.result.table):
        sheet = record_sheet(accepted.result, rules)
        for line in sheet.lines:
            seat = (str(sheet.table), str(line.seat), names[line.player])
            rows.append((*seat, words.label(line.last_role), words.label(line.fate), dollars(line.winnings)))
    head = (_("Table"), _("Seat"), _("Player"), _("Role"), _("Result"), _("Winnings"))
    return WideTable(head, tuple(rows), numbers=(0, 1, 5))


_SHORT_DUEL_CHARACTERS = 8
_LONG_DUEL_CHARACTERS = 5


def blank_sheets(
    state: TournamentState,
    rules: Edition,
    words: Words,
    drawn: Round,
    codes: Mapping[TableNo, str],
) -> Forms:
    """Return a blank record sheet for each table of a round. ``codes`` are QR codes of the forms, as SVG."""
    _, names = words.gettext, names_of(state)
    forms = []
    for table in drawn.tables:
        questions = sheet_questions(rules, len(table.players), state.rules.mode)
        head = tuple(_blank_head(questions, words))
        sheriff = _("Sheriff")
        came_back = _("Brought back by Ghost Town or Dead Man, after elimination no.")
        rows = tuple(
            (str(seat), names[player], sheriff if seat == 1 else "", *("" for _column in head[3:]))
            for seat, player in enumerate(table.players, 1)
        )
        endings = [_("Sheriff and Deputies"), _("Outlaws"), _("Renegade")]
        forms.append(
            SheetForm(
                title=f"{_('Table {n}').format(n=table.table)} · r{drawn.round}t{table.table}",
                head=head,
                rows=rows,
                wide=(1, len(head) - 1),
                question=_("Ending"),
                ticks=(*endings, *((_("Time limit"),) if questions.time_limit else ())),
                lines=(*((came_back,) if questions.comebacks else ()), _("Judge"), _("Time")),
                qr=codes[table.table],
            )
        )
    return Forms(tuple(forms), _("Judges: scan to enter this sheet"))


def _blank_head(questions: SheetQuestions, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield from (_("Seat"), _("Player"), _("Role"))
    if questions.characters:
        yield _("Character")
    if questions.prices:
        yield _("Price")
    if questions.card:
        yield _("Cards kept")
    yield _("Elimination no.")
    if questions.by:
        yield _("by seat")
    if questions.turns:
        yield _("on whose turn")
    yield _("left?")
    if questions.turns_played:
        yield _("Turns (excl. Jail)")
    if not questions.is_light:
        yield _("Winnings")
    yield _("Signature")


def filled_sheets(state: TournamentState, rules: Edition, words: Words, drawn: Round) -> Forms:
    """Return the accepted sheets of a round, with all amounts."""
    _ = words.gettext
    forms = []
    for accepted in sorted(drawn.sheets, key=lambda sheet: sheet.result.table):
        sheet = record_sheet(accepted.result, rules)
        head = [_("Seat"), _("Player"), _("Role"), _("Result"), _("Winnings")]
        if any(line.spent for line in sheet.lines):
            head.append(_("Spent"))
        forms.append(
            SheetForm(
                title=_("Table {n}").format(n=sheet.table),
                head=(*head, _("Signature")),
                rows=tuple((*_result(sheet, line, state, words)[: len(head)], "") for line in sheet.lines),
                wide=(1, 3, len(head)),
                lines=(_("Judge"),),
                result=f"{words.label(sheet.ending)}. {sheet.ruled or words.label(sheet.because)}",
            )
        )
    return Forms(tuple(forms))


def _result(sheet: RecordSheet, line: SheetLine, state: TournamentState, words: Words) -> Cells:
    _, names = words.gettext, names_of(state)
    fate = words.label(line.fate)
    if line.by is not None:
        fate += " " + _("by {name}").format(name=names[sheet.lines[line.by - 1].player])
    if line.cause is not None and (line.cause is Cause.OWN_DUEL or line.by is None):
        fate += f" ({words.label(line.cause)})"
    if line.same_card:
        others = ", ".join(names[sheet.lines[seat - 1].player] for seat in line.same_card)
        fate += ", " + _("same card as {names}").format(names=others)
    fate += "".join(", " + _("came back: {card}").format(card=words.label(card)) for card in line.comebacks)
    if line.final_duel_lost:
        fate += ", " + _("lost the final duel")
    won = f"★ {words.label(line.last_role)}" if line.won else words.label(line.last_role)
    return (str(line.seat), names[line.player], won, fate, dollars(line.winnings), dollars(line.spent))


def duel_sheets(state: TournamentState, words: Words) -> Forms:
    return Forms(tuple(_duel_sheet(*duel, state, words) for duel in _duels_to_print(state, words)))


def _duels_to_print(
    state: TournamentState, words: Words
) -> Iterator[tuple[str, Pair | None, MatchKind | None]]:
    """Yield the title, players and kind of each duel. Players and kind are None while they are not known."""
    _, finals = words.gettext, state.finals
    for duels in state.tie_duels:
        if duels in state.duels:
            (table,) = duels.tables
            title = f"{_('One-on-one')}, {_('Table {n}').format(n=table.table)}"
            yield title, (table.players[0], table.players[1]), duels.kind
    if not state.with_finals:
        return
    one, other = (None, None) if finals is None else finals.semifinal_pairs
    kinds = {duels.part: duels.kind for duels in state.duels}
    yield _("Semifinal 1"), one, kinds.get(DuelPart.SEMIFINALS)
    yield _("Semifinal 2"), other, kinds.get(DuelPart.SEMIFINALS)
    yield _("Final"), None if finals is None else finals.final_pair, kinds.get(DuelPart.FINAL)


def _duel_sheet(
    title: str, pair: Pair | None, kind: MatchKind | None, state: TournamentState, words: Words
) -> SheetForm:
    most = _SHORT_DUEL_CHARACTERS if kind is MatchKind.SHORT_DUEL else _LONG_DUEL_CHARACTERS
    _, names = words.gettext, names_of(state)
    players = ("", "") if pair is None else (names[pair[0]], names[pair[1]])
    return SheetForm(
        title=title,
        head=(_("No."), *(name or _("Player") for name in players), _("Eliminated by")),
        rows=tuple((str(row), "", "", "") for row in range(1, most + 1)),
        wide=(1, 2),
        question=_("Winner"),
        ticks=tuple(name or "_" * 24 for name in players),
        lines=(_("Score"), _("Judge"), _("Signatures")),
    )

"""Record sheets on paper: blank ones, and filled ones with accepted results."""

from collections.abc import Callable, Iterator

from core.editions.edition import Edition
from core.game.ending.record_sheet import RecordSheet, SheetLine, record_sheet
from core.game.state.game import Cause
from core.terms import DuelPart, MatchKind, RoundNo
from core.text.sentence import dollars
from core.tournament.state.finals import Pair
from core.tournament.state.rounds import DrawnTable, Round
from core.tournament.state.tournament import TournamentState
from station.paper.layouts import Cells, Forms, SheetForm
from station.sheets.questions import SheetQuestions, sheet_questions
from station.text.i18n import Words
from station.text.names import names_of

_SHORT_DUEL_CHARACTERS = 8
_LONG_DUEL_CHARACTERS = 5


def blank_sheets(
    state: TournamentState,
    rules: Edition,
    words: Words,
    drawn: Round,
    code: Callable[[RoundNo, DrawnTable], str],
) -> Forms:
    """Return a blank sheet for each table of a round.

    ``code`` returns the SVG that opens the table's form.
    """
    _, names = words.gettext, names_of(state)
    forms = []
    for table in drawn.tables:
        questions = sheet_questions(rules, len(table.players))
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
                title=_("Table {n}").format(n=table.table),
                head=head,
                rows=rows,
                wide=(1, len(head) - 1),
                question=_("Ending"),
                ticks=(*endings, *((_("Time limit"),) if questions.time_limit else ())),
                lines=(*((came_back,) if questions.comebacks else ()), _("Judge"), _("Time")),
                qr=code(drawn.round, table),
            )
        )
    return Forms(tuple(forms), _("Judges: scan to enter this sheet"))


def _blank_head(questions: SheetQuestions, words: Words) -> Iterator[str]:
    _ = words.gettext
    yield from (_("Seat"), _("Player"), _("Role"))
    if questions.characters:
        yield from (_("Character"), _("Price"))
    if questions.card:
        yield _("Cards kept")
    yield from (_("Elimination no."), _("by seat"))
    if questions.turns:
        yield _("on whose turn")
    yield _("left?")
    if questions.turns_played:
        yield _("Turns (excl. Jail)")
    yield from (_("Winnings"), _("Signature"))


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
    """Return blank sheets for tie-break duels or the final matches, with the names that are known."""
    return Forms(tuple(_duel_sheet(*duel, state, words) for duel in _duels_to_print(state, words)))


def _duels_to_print(
    state: TournamentState, words: Words
) -> Iterator[tuple[str, Pair | None, MatchKind | None]]:
    """Yield title, players and kind of each duel, as far as they are known."""
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
    """Return a blank sheet for a duel. ``kind`` is None if not known yet."""
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

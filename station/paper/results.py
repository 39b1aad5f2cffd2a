"""The papers made from results: ranking, certificates, report of ejections and proof of the draws."""

from collections.abc import Iterator, Mapping

from core.editions.edition import Edition, Scoring
from core.game.ending.record_sheet import record_sheet
from core.terms import PlayerId
from core.text.ejections import report_to_publisher
from core.text.sentence import dollars, number_in
from core.tournament.standings.ledger import accepted_results, accounts, is_money_spent
from core.tournament.standings.standings import StandingRow, standings_of
from core.tournament.state.finals import Duels
from core.tournament.state.rounds import Round
from core.tournament.state.tournament import TournamentState
from station.paper.layouts import Certificate, Certificates, Chapters, Letter, WideTable
from station.text.filters import tie_break
from station.text.i18n import Words
from station.text.names import names_of, round_title


def ranking(state: TournamentState, rules: Edition, words: Words) -> WideTable:
    """Return the standings with all tie-break keys, without players who left before their first game."""
    _, names = words.gettext, names_of(state)
    standings = standings_of(state, rules)
    players = {entrant.player for entrant in state.participants}
    money = accounts(accepted_results(state, rules), [entrant.player for entrant in state.entrants], rules)
    is_average, is_spent = rules.scoring is Scoring.AVERAGE, is_money_spent(rules)
    has_bonus, has_prize = any(rules.bonus), rules.finals is not None
    head = [_("Rank"), _("Player"), _("Games")]
    head += [_("Money")] if is_average else []
    head += [_("Won"), _("Spent")] if is_spent else []
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
            yield from (dollars(account.won_money), dollars(account.spent))
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


def certificates(state: TournamentState, rules: Edition, words: Words) -> Certificates:
    """Return a certificate for each ranked player, winner first, including those who left after playing."""
    _, ngettext, names = words.gettext, words.ngettext, names_of(state)
    everybody = standings_of(state, rules).rows
    rows = [row for row in everybody if row.rank]
    count = sum(row.rank is not None or row.games > 0 for row in everybody)
    of = ngettext("of {n} player", "of {n} players", count).format(n=count)
    made = (
        Certificate(
            names[row.player],
            _("is the winner") if row.rank and row.rank.last == 1 else _("Place {n}").format(n=row.rank),
            f"{of} · {dollars(row.final_score)} · {rules.title}",
        )
        for row in rows
    )
    return Certificates(tuple(made), _("Judge"))


def ejections(state: TournamentState, rules: Edition, words: Words) -> Letter:
    """Return the report of ejected players to the publisher."""
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

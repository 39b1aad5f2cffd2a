"""Texts on winnings, score, ties, finals and options."""

from collections.abc import Iterator
from typing import assert_never

from core.editions.edition import Scoring, TieBreak
from core.editions.readings import (
    MarogiAverage,
    MarogiScores,
    RenegadeFinalDuel,
    SimplifiedEliminated,
    SimplifiedMultiplier,
)
from core.editions.winnings_table import Counted, WinningsCase, WinningsRow
from core.game.state.role_counts import roles_left
from core.rule_set import OptionKey
from core.terms import Ending, Role
from core.text.sentence import OFFICIAL_2003, REBEL, RulesText, Sentence, dollars, list_numbers
from core.text.tournament import enlistment


def winnings(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the winnings tables."""
    _, rules = book.gettext, book.rules
    counted = {counted for row in rules.winnings for counted, _each in row.terms(rules.readings)}
    if {Counted.OUTLAWS, Counted.PLAYERS} & counted:
        yield book.from_document(_("Outlaws and players are counted at the start of the game."))
        yield book.from_document(_("Winnings by role don't depend on who eliminated whom."))
    if Counted.ELIMINATED in counted:
        yield from _explain_simplified(book)
    if any(row.case is WinningsCase.LOST_FINAL_DUEL for row in rules.winnings):
        yield from _final_duel(book)
    if rules.penalty:
        told = _("A Deputy who eliminates the Sheriff loses {money}.").format(money=dollars(rules.penalty))
        yield book.reading(told, "D36") if not rules.deputy_penalty else book.from_document(told)
        yield book.reading(_("A total below $0 stays negative and can't be spent."), "D36")
    yield from _example(book)


def _explain_simplified(book: RulesText) -> Iterator[Sentence]:
    """Yield the multipliers of amounts, and the payments for eliminated players."""
    _, readings = book.gettext, book.rules.readings
    counted = _("Part E is paid for each player who has been eliminated by the end.")
    match readings.simplified_eliminated:
        case SimplifiedEliminated.ALIVE:
            alive = _(
                "Part E is paid for each player who has been eliminated by the end, and only to "
                "players still alive."
            )
            yield book.from_document(alive)
            told = _("Part E is paid to winning Outlaws and to a winning Renegade just as it is to the Law.")
            yield book.reading(told, "D34")
        case SimplifiedEliminated.LAW_ALIVE:
            yield book.from_document(counted)
            told = _("Only the Sheriff and Deputies still alive get it, as in the document's example.")
            yield book.reading(told, "D34")
        case SimplifiedEliminated.ALL:
            yield book.from_document(counted)
            yield book.reading(_("All winners get it, eliminated ones too."), "D34")
        case _:
            assert_never(readings.simplified_eliminated)
    if readings.simplified_multiplier is SimplifiedMultiplier.PLAYERS:
        yield book.reading(_("Amounts are multiplied by the number of players, as the table says."), "D34")
        return
    if readings.simplified_multiplier is SimplifiedMultiplier.PRINTED:
        printed = _(
            "The Law is paid by the number of Outlaws, as in the example; the others by the number of "
            "players, as printed."
        )
        yield book.reading(printed, "D34")
        return
    yield book.reading(_("The table says “players”, but the example counts Outlaws, so we do too."), "D34")
    renegade = _("A winning Renegade is also paid by the number of Outlaws.")
    if readings.simplified_multiplier is SimplifiedMultiplier.RENEGADE_PLAYERS:
        renegade = _("A winning Renegade is paid by the number of players, as printed in that row.")
    yield book.reading(renegade, "D34")


def _final_duel(book: RulesText) -> Iterator[Sentence]:
    _ = book.gettext
    yield book.from_document(
        _("“Final duel” means that the Renegade was left alone with the Sheriff, and lost."), "1.1"
    )
    match book.rules.readings.renegade_final_duel:
        case RenegadeFinalDuel.FOOTNOTE:
            told = _("It doesn't matter what eliminated the Renegade in the final duel.")
        case RenegadeFinalDuel.STRICT:
            told = _("The Sheriff must have eliminated the Renegade in the final duel.")
        case RenegadeFinalDuel.LABEL:
            told = _(
                "The row also applies while others are still alive, if the Sheriff eliminated the "
                "Renegade last."
            )
        case reading:
            assert_never(reading)
    yield book.reading(told, "D08")


def _example(book: RulesText) -> Iterator[Sentence]:
    """Yield the documents' example of five players with this edition's amounts."""
    rules = book.rules
    paid = {row.role: row for row in rules.winnings if row.ending is Ending.LAW_WINS and _is_paid_alive(row)}
    dealt = next((row for row in rules.roles if row.players == _EXAMPLE_PLAYERS), None)
    if book.is_championship or dealt is None or not {Role.SHERIFF, Role.DEPUTY} <= set(paid):
        return
    told = book.gettext(
        "Example: {players} players, the Law wins, the Deputy is alive, {out} are eliminated. "
        "The Sheriff gets {sheriff}, the Deputy {deputy}, the others nothing."
    )
    start, out = roles_left(dealt, ()), dealt.outlaw + dealt.renegade
    alive: dict[Role, int] = {role: start[role] for role in (Role.SHERIFF, Role.DEPUTY)}
    amounts = {
        role: dollars(sum(term.count(start, alive) * each for term, each in row.terms(rules.readings)))
        for role, row in paid.items()
    }
    text = told.format(
        players=_EXAMPLE_PLAYERS, out=out, sheriff=amounts[Role.SHERIFF], deputy=amounts[Role.DEPUTY]
    )
    yield book.from_document(text)


_EXAMPLE_PLAYERS = 5


def _is_paid_alive(row: WinningsRow) -> bool:
    return row.per_outlaw > 0 and row.case in {WinningsCase.ALWAYS, WinningsCase.ALIVE}


def ranking(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the score and the tie-breaks."""
    _, rules = book.gettext, book.rules
    section = "1.1"
    start = rules.money_at_start
    if start or book.is_championship:
        yield book.from_document(_("Every player starts with {money}.").format(money=dollars(start)), section)
    match rules.scoring:
        case Scoring.SUM:
            told = _("The score is the sum of all winnings.")
            if rules.auction is not None:
                told = _(
                    "The score is the starting money plus all winnings, minus what was paid at auctions."
                )
            yield book.from_document(told, section)
        case Scoring.AVERAGE:
            yield book.from_document(
                _(
                    "The score is the total winnings divided by the number of games played, "
                    "rounded to the nearest dollar."
                )
            )
            yield book.reading(_("Exactly half a dollar is rounded away from zero."), "D29")
            if OptionKey.ENLISTMENT in rules.chosen and rules.readings.enlistment_in_score:
                yield book.reading(_("Starting money left over counts towards the score."), "D32")
    if book.is_championship:
        texts = (
            _(
                "At the end of a game, the players call the judge, who fills in the record sheet "
                "with them: the roles and how the game ended."
            ),
            _(
                "Totals and the ranking stay secret until the end; players may only ask the "
                "judge for their own total."
            ),
        )
        yield from book.all_printed(iter(texts), section)
    yield book.from_document(_("Ties are broken by these, in order:"), "1.2")
    for number, key in enumerate(rules.tie_breaks, 1):
        yield _tie(book, number, key)
    yield from _readings_of_ties(book)
    bonuses = [amount for amount in rules.bonus if amount]
    if bonuses:
        told = _("The top {n} players each get a bonus of {money}, added to their score.")
        yield book.from_document(told.format(n=len(bonuses), money=dollars(bonuses[0])), "1.2")
        yield book.reading(
            _("The bonus never changes the ranking; a tie for the last bonus is broken by drawing lots."),
            "D22",
        )


def _tie(book: RulesText, number: int, key: TieBreak) -> Sentence:
    _ = book.gettext
    words = {
        TieBreak.MAROGI: _("Marogi: the average score of all opponents faced; higher is better."),
        TieBreak.BUCHHOLZ: _("Buchholz: the sum of the scores of all opponents faced; higher is better."),
        TieBreak.MATCHES_WON: _("Games won."),
        TieBreak.WON_AS_SHERIFF: _("Games won as Sheriff."),
        TieBreak.WON_AS_RENEGADE: _("Games won as Renegade."),
        TieBreak.WON_AS_DEPUTY: _("Games won as Deputy."),
        TieBreak.WON_AS_OUTLAW: _("Games won as Outlaw."),
        TieBreak.TURNS_PLAYED: _("Turns played."),
        TieBreak.LOT: _("The judge draws lots."),
    }
    text = f"{number}. {words[key]}"
    if key is TieBreak.LOT and book.is_2010:
        return book.reading(text, "D20")
    return book.from_document(text, "1.2")


def _readings_of_ties(book: RulesText) -> Iterator[Sentence]:
    _, rules = book.gettext, book.rules
    if {TieBreak.MAROGI, TieBreak.BUCHHOLZ} & set(rules.tie_breaks):
        twice = _("An opponent faced twice counts once.")
        if rules.readings.tiebreak_opponents.value == "per_encounter":
            twice = _("An opponent faced twice counts twice.")
        yield book.reading(twice, "D19")
        counted = _("The opponents' scores are their final totals, before any bonus.")
        if rules.readings.marogi_scores is MarogiScores.COMMON_MATCHES:
            counted = _("For the Marogi, opponents count with what they won in the games played together.")
        yield book.reading(counted, "D18")
        if TieBreak.MAROGI in rules.tie_breaks:
            average = _("For the Marogi, the sum of the opponents' scores is divided by their number.")
            if rules.readings.marogi_average is MarogiAverage.PER_MATCH:
                average = _(
                    "The Marogi is the sum of the opponents' scores, divided by the number of matches."
                )
            yield book.reading(average, "D50")
        yield book.reading(
            _("Players who have left are ranked last, get no bonus and don't play in the finals."), "D21"
        )
    if TieBreak.TURNS_PLAYED in rules.tie_breaks:
        yield book.from_document(_("If only two players are tied, they may play a game one-on-one instead."))
        yield book.reading(
            _(
                "The document doesn't include the rules for two players: they play one of the duels of "
                "2010, or as the judge says."
            ),
            "D30",
        )
        yield book.reading(
            _("Turns skipped because of Jail, or after leaving, don't count as played."), "D31"
        )


def finals(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the finals and their prizes."""
    _, rules = book.gettext, book.rules
    if rules.finals is None:
        return
    texts = (
        _("The top four players play two semifinal duels: 1st against 4th, 2nd against 3rd."),
        _("The winners play the final for first and second place."),
        _("The duels alone decide places 1 to 4, whatever the totals."),
        _("The judge chooses the long or the short form of the duels."),
        _("The top four players get prizes that depend on the number of rounds played."),
    )
    yield from book.all_printed(iter(texts), "1.2")
    yield book.reading(_("The two players who lose the semifinals share third and fourth place."), "D23")
    yield book.from_document(_("A player who leaves before or during a duel loses it."), "1.3")
    yield book.reading(_("Nobody moves up to replace a finalist."), "D24")
    yield book.reading(_("If a different number of rounds is played, prizes are paid in proportion."), "D25")


def options(book: RulesText) -> Iterator[Sentence]:
    """Yield at least one sentence for each option that can be switched on."""
    for key in book.rules.offered:
        yield from option(book, key)
        offered = book.rules.options.enlistment
        if key is OptionKey.ENLISTMENT and offered and key not in book.rules.chosen:
            yield from enlistment(book, offered.auction)


def option(book: RulesText, key: OptionKey) -> Iterator[Sentence]:
    """Yield a description of an option."""
    _, offered = book.gettext, book.rules.options
    match key:
        case OptionKey.CASH_REWARDS if offered.cash_rewards:
            told = _("A player who personally eliminates an Outlaw gets {money} instead of three cards.")
            yield _of_2003(told.format(money=dollars(offered.cash_rewards.dollars)))
            yield book.reading(
                _(
                    "Eliminations by Dynamite or High Noon pay no reward, and nor does "
                    "eliminating the Rebel!; in a Duel, the other duellist gets the reward."
                ),
                "D35",
            )
        case OptionKey.EXPERIENCE if offered.experience:
            told = _(
                "Before a game, a player may keep cards that were in front of them at the end of "
                "the previous one, for {money} each."
            )
            yield _of_2003(told.format(money=dollars(offered.experience.dollars)))
            yield _of_2003(_("These cards go into the starting hand, each in place of another card."))
            yield _of_2003(
                _(
                    "Nobody may keep more cards than their starting life points, or spend more "
                    "than their total so far."
                )
            )
            yield book.reading(_("The life points are those at the start of the next game."), "D33")
        case OptionKey.ENLISTMENT if offered.enlistment:
            told = _("Everyone starts with {money}, and the characters are auctioned.")
            yield _of_2003(told.format(money=dollars(offered.enlistment.start_money)))
            yield _of_2003(
                _(
                    "A player still alive at the end may keep their character for the next game "
                    "at the price already paid."
                )
            )
        case OptionKey.RUTHLESS_LAW:
            yield _of_2003(
                _(
                    "At the end of their turn, the Sheriff may not discard a BANG! they could "
                    "have played in that turn."
                )
            )
        case OptionKey.REBEL if offered.rebel:
            sizes = list_numbers([row.players for row in offered.rebel.roles])
            yield Sentence(_("There's a Rebel! at tables of {sizes} players.").format(sizes=sizes), (REBEL,))
        case _:
            return


def _of_2003(text: str) -> Sentence:
    return Sentence(text, (OFFICIAL_2003,))


def rebel(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the Rebel!, if that role is offered."""
    _, rules = book.gettext, book.rules
    if rules.options.rebel is None:
        return
    texts = (
        _(
            "The Rebel! must eliminate the Sheriff personally, on their own turn: a Revolution. "
            "The game goes on."
        ),
        _(
            "The card that eliminated the Sheriff is resolved first; a Deputy it eliminates "
            "counts as eliminated before the Revolution."
        ),
        _(
            "The Rebel! reveals their role and becomes Sheriff: life points and their maximum go "
            "up by one; a Jail is discarded."
        ),
        _("With event cards in play, the new Sheriff takes that deck and turns over the next card."),
        _("The new Sheriff keeps all their cards, skips discarding and begins a new turn at once."),
        _("If the Sheriff is eliminated in any other way, the game ends as normal."),
        _(
            "If all Outlaws and Renegades are eliminated while the Sheriff is alive, the Law "
            "wins without the Rebel!"
        ),
        _("Deputies eliminated before the Revolution have lost; the others are on the new Sheriff's side."),
        _(
            "The Rebel! may reveal their role on any of their turns, after drawing; from then "
            "on, the Sheriff loses no cards for eliminating a Deputy."
        ),
        _("Two Renegades at the same table each play for themselves."),
        _(
            "If Ghost Town or the Dead Man brings back a Sheriff whom the Rebel! killed, that "
            "player plays as a Rebel!; others keep the role they showed."
        ),
        _(
            "A ghost who makes a Revolution is back for good with one life point, and begins a new turn "
            "once Ghost Town is gone."
        ),
        _("A Deputy who comes back after the Revolution wins if the Law wins."),
    )
    yield from (Sentence(text, (REBEL,)) for text in texts)
    yield book.reading(
        _(
            "The player who is Sheriff at the end is paid as Sheriff; a Rebel! without a "
            "Revolution gets nothing."
        ),
        "D37",
    )
    yield book.reading(
        _(
            "If the Sheriff is eliminated on the Rebel!'s turn and nobody is known to have done "
            "it, it counts as a Revolution."
        ),
        "D38",
    )
    yield book.reading(
        _("With two Renegades, the last one left alone with the Sheriff is the one in the final duel."), "D39"
    )

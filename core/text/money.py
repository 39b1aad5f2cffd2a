"""Texts on winnings, score, ties, finals and options."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from core.editions.edition import Scoring, TieBreak
from core.editions.readings import SimplifiedEliminated, SimplifiedMultiplier
from core.editions.winnings_table import Counted, WinningsCase
from core.game.state.seats import roles_left
from core.rule_set import OptionKey
from core.terms import Ending, Role
from core.text.conduct import leaving_a_duel
from core.text.rules_text import RulesText, official_2003
from core.text.sentence import REBEL, Brief, Sentence, dollars, list_numbers
from core.text.tournament import auction


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
        lost = _("“Final duel” means that the Renegade was left alone with the Sheriff, and lost.")
        yield book.from_document(lost, book.sections.winnings)
        yield from book.reading("renegade_final_duel")
    if rules.penalty:
        yield penalty(book)
        below = _("A total below $0 stays negative and can't be spent.")
        yield book.read_as("deputy_penalty_in_simplified", below)
    yield from _example(book)


def penalty(book: RulesText) -> Sentence:
    """Return the penalty for a Deputy who eliminates the Sheriff, printed in this edition or borrowed."""
    loses = book.brief(
        "A Deputy who eliminates the Sheriff loses {money}.", money=dollars(book.rules.penalty)
    )
    if book.rules.deputy_penalty:
        return book.from_document(loses)
    return book.read_as("deputy_penalty_in_simplified", loses)


def _explain_simplified(book: RulesText) -> Iterator[Sentence]:
    _, readings = book.gettext, book.rules.readings
    paid = _("Part E is paid for each player who has been eliminated by the end.")
    if readings.simplified_eliminated is SimplifiedEliminated.ALIVE:
        paid = _(
            "Part E is paid for each player who has been eliminated by the end, and only to "
            "players still alive."
        )
    yield book.from_document(paid)
    yield from book.reading("simplified_eliminated")
    if readings.simplified_multiplier in {
        SimplifiedMultiplier.OUTLAWS,
        SimplifiedMultiplier.RENEGADE_PLAYERS,
    }:
        example = _("The table says “players”, but the example counts Outlaws, so we do too.")
        yield book.read_as("simplified_multiplier", example)
    yield from book.reading("simplified_multiplier")


def _example(book: RulesText) -> Iterator[Sentence]:
    rules = book.rules
    paid = {
        row.role: row
        for row in rules.winnings
        if row.ending is Ending.LAW_WINS
        and row.per_outlaw > 0
        and row.case in {WinningsCase.ALWAYS, WinningsCase.ALIVE}
    }
    dealt = next((row for row in rules.roles if row.players == _EXAMPLE_PLAYERS), None)
    if book.is_championship or dealt is None or not {Role.SHERIFF, Role.DEPUTY} <= set(paid):
        return
    sentence = book.gettext(
        "Example: {players} players, the Law wins, the Deputy is alive, {out} are eliminated. "
        "The Sheriff gets {sheriff}, the Deputy {deputy}, the others nothing."
    )
    start, out = roles_left(dealt, ()), dealt.outlaw + dealt.renegade
    alive: dict[Role, int] = {role: start[role] for role in (Role.SHERIFF, Role.DEPUTY)}
    amounts = {
        role: dollars(sum(term.count(start, alive) * each for term, each in row.terms(rules.readings)))
        for role, row in paid.items()
    }
    text = sentence.format(
        players=_EXAMPLE_PLAYERS, out=out, sheriff=amounts[Role.SHERIFF], deputy=amounts[Role.DEPUTY]
    )
    yield book.from_document(text)


_EXAMPLE_PLAYERS = 5


def ranking(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the score and the tie-breaks."""
    _, rules, sections = book.gettext, book.rules, book.sections
    start = rules.money_at_start
    if start or book.is_championship:
        money = _("Every player starts with {money}.").format(money=dollars(start))
        yield book.from_document(money, sections.score)
    match rules.scoring:
        case Scoring.SUM:
            score = _("The score is the sum of all winnings.")
            if rules.auction is not None:
                score = _(
                    "The score is the starting money plus all winnings, minus what was paid at auctions."
                )
            yield book.from_document(score, sections.score)
        case Scoring.AVERAGE:
            average = _(
                "The score is the total winnings divided by the number of games played, "
                "rounded to the nearest dollar."
            )
            yield book.from_document(average)
            yield from book.reading("rounding")
            if OptionKey.ENLISTMENT in rules.chosen:
                yield from book.reading("enlistment_in_score")
    if book.is_championship:
        sheet = _(
            "At the end of a game, the players call the judge, who fills in the record sheet "
            "with them: the roles and how the game ended."
        )
        yield from book.all_printed((sheet, secret_totals(book)), sections.score)
    yield from tie_breaks(book)
    yield from _readings_of_ties(book)
    bonuses = [amount for amount in rules.bonus if amount]
    if bonuses:
        bonus = _("The top {n} players each get a bonus of {money}, added to their score.")
        text = bonus.format(n=len(bonuses), money=dollars(bonuses[0]))
        yield book.from_document(text, sections.bonus)
        yield from book.reading("bonus_ties")


def secret_totals(book: RulesText) -> Brief:
    """Return the rule that totals stay secret until the end."""
    return book.brief(
        "Totals and the ranking stay secret until the end; players may only ask the "
        "judge for their own total."
    )


def tie_breaks(book: RulesText) -> Iterator[Sentence]:
    """Yield the tie-breaks in the order in which they apply."""
    brief, sections = book.brief, book.sections
    words = {
        TieBreak.MAROGI: brief("Marogi: the average score of all opponents faced; higher is better."),
        TieBreak.BUCHHOLZ: brief("Buchholz: the sum of the scores of all opponents faced; higher is better."),
        TieBreak.MATCHES_WON: brief("Games won."),
        TieBreak.WON_AS_SHERIFF: brief("Games won as Sheriff."),
        TieBreak.WON_AS_RENEGADE: brief("Games won as Renegade."),
        TieBreak.WON_AS_DEPUTY: brief("Games won as Deputy."),
        TieBreak.WON_AS_OUTLAW: brief("Games won as Outlaw."),
        TieBreak.TURNS_PLAYED: brief("Turns played."),
        TieBreak.LOT: brief("The judge draws lots."),
    }
    yield book.from_document(brief("Ties are broken by these, in order:"), sections.tie_breaks)
    for number, key in enumerate(book.rules.tie_breaks, 1):
        text = Brief(f"{number}. {words[key]}")
        if key is TieBreak.LOT and sections.tie_breaks and not sections.lots:
            yield book.read_as("buchholz_further_tie", text)
        else:
            yield book.from_document(text, sections.tie_breaks)


def _readings_of_ties(book: RulesText) -> Iterator[Sentence]:
    tie_breaks = set(book.rules.tie_breaks)
    if {TieBreak.MAROGI, TieBreak.BUCHHOLZ} & tie_breaks:
        yield from book.reading("tiebreak_opponents")
        yield from book.reading("marogi_scores")
        if TieBreak.MAROGI in tie_breaks:
            yield from book.reading("marogi_average")
        yield from book.reading("withdrawn_ranking")
    if TieBreak.TURNS_PLAYED in tie_breaks:
        two = book.gettext("If only two players are tied, they may play a one-on-one game instead.")
        yield book.from_document(two)
        yield from book.reading("one_on_one")
        yield from book.reading("turns_played")


def finals(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the finals and their prizes."""
    _, sections = book.gettext, book.sections
    if book.rules.finals is None:
        return
    texts = (
        _("The top four players play two semifinal duels: 1st against 4th, 2nd against 3rd."),
        _("The winners play the final for first and second place."),
        _("The duels alone decide places 1 to 4, whatever the totals."),
        _("The judge chooses the long or the short form of the duels."),
        _("The top four players get prizes that depend on the number of rounds played."),
    )
    yield from book.all_printed(texts, sections.finals)
    yield from book.reading("third_place")
    yield book.from_document(leaving_a_duel(book), sections.leaving)
    yield from book.reading("finalist_replacement")
    yield from book.reading("prize_other_rounds")


def options(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of each option that can be switched on."""
    for key in book.rules.offered:
        yield from option(book, key)
        offered = book.rules.options.enlistment
        if key is OptionKey.ENLISTMENT and offered and key not in book.rules.chosen:
            yield from auction(book, offered.auction)


def option(book: RulesText, key: OptionKey) -> Iterator[Sentence]:
    """Yield the rules of an option."""
    _, brief, offered = book.gettext, book.brief, book.rules.options
    match key:
        case OptionKey.CASH_REWARDS if offered.cash_rewards:
            reward = brief(
                "A player who personally eliminates an Outlaw gets {money} instead of three cards.",
                money=dollars(offered.cash_rewards.dollars),
            )
            yield official_2003(reward)
            yield from book.reading("duel_elimination")
        case OptionKey.EXPERIENCE if offered.experience:
            kept = brief(
                "Before a game, a player may keep cards that were in front of them at the end of "
                "the previous one, for {money} each.",
                money=dollars(offered.experience.dollars),
            )
            yield official_2003(kept)
            yield official_2003(
                brief("These cards go into the starting hand, each in place of another card.")
            )
            most = brief(
                "Nobody may keep more cards than their starting life points, or spend more "
                "than their total so far."
            )
            yield official_2003(most)
            yield from book.reading("experience_cap")
        case OptionKey.ENLISTMENT if offered.enlistment:
            start = _("Everyone starts with {money}, and the characters are auctioned.")
            yield official_2003(start.format(money=dollars(offered.enlistment.start_money)))
            yield official_2003(kept_characters(book))
        case OptionKey.RUTHLESS_LAW:
            ruthless = brief(
                "At the end of their turn, the Sheriff may not discard a BANG! they could "
                "have played in that turn."
            )
            yield official_2003(ruthless)
        case OptionKey.REBEL if offered.rebel:
            sizes = list_numbers([row.players for row in offered.rebel.roles], book.words)
            yield Sentence(_("There's a Rebel! at tables of {sizes} players.").format(sizes=sizes), (REBEL,))
        case _:
            return


def kept_characters(book: RulesText) -> Brief:
    """Return the rule about keeping a character after an auction."""
    return book.brief(
        "A player still alive at the end may keep their character for the next game "
        "at the price already paid."
    )


def rebel(book: RulesText) -> Iterator[Sentence]:
    """Yield the rules of the Rebel!, if that role is offered."""
    _, brief = book.gettext, book.brief
    if book.rules.options.rebel is None:
        return
    texts = (
        brief(
            "The Rebel! must eliminate the Sheriff personally, on their own turn: a Revolution. "
            "The game goes on."
        ),
        _(
            "The card that eliminated the Sheriff is resolved first; a Deputy it eliminates "
            "counts as eliminated before the Revolution."
        ),
        brief(
            "The Rebel! reveals their role and becomes Sheriff: life points and their maximum go "
            "up by one; a Jail is discarded."
        ),
        _("With event cards in play, the new Sheriff takes that deck and turns over the next card."),
        brief("The new Sheriff keeps all their cards, skips discarding and begins a new turn at once."),
        brief("If the Sheriff is eliminated in any other way, the game ends as normal."),
        brief(
            "If all Outlaws and Renegades are eliminated while the Sheriff is alive, the Law "
            "wins without the Rebel!"
        ),
        brief(
            "Deputies eliminated before the Revolution have lost; the others are on the new Sheriff's side."
        ),
        brief(
            "The Rebel! may reveal their role on any of their turns, after drawing; from then "
            "on, the Sheriff loses no cards for eliminating a Deputy."
        ),
        two_renegades(book),
        brief(
            "If Ghost Town or the Dead Man brings back a Sheriff whom the Rebel! killed, that "
            "player plays as a Rebel!; others keep the role they showed."
        ),
        _(
            "A ghost who makes a Revolution is back for good with one life point, and begins a new turn "
            "once Ghost Town is gone."
        ),
        brief("A Deputy who comes back after the Revolution wins if the Law wins."),
    )
    yield from (Sentence(text, (REBEL,)) for text in texts)
    for name in ("rebel_money", "revolution", "two_renegades_final_duel"):
        yield from book.reading(name)


def two_renegades(book: RulesText) -> Brief:
    return book.brief("Two Renegades at the same table each play for themselves.")


_ = str  # marks a text for the translation catalogues


class TermWords(NamedTuple):
    """The texts of a term of the winnings formula. letter: stands for a number known only at the end."""

    counted: str
    paid: str
    letter: str = ""


TERM_WORDS: Final[Mapping[Counted, TermWords]] = {
    Counted.OUTLAWS: TermWords(_("Outlaws at the start"), _("{money} for each Outlaw")),
    Counted.PLAYERS: TermWords(_("players at the start"), _("{money} for each player")),
    Counted.ELIMINATED: TermWords(
        _("players eliminated at the end"),
        _("{money} for each eliminated player, if alive at the end"),
        "E",
    ),
}

"""The points that the rules leave open: questions, and the answers that an edition or a judge can choose.

The table is literal; its English texts are translation keys.
"""

import enum
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from base.errors import BadData
from core.editions.edition import Edition, Schedule
from core.editions.loader import base_edition, with_readings
from core.editions.readings import BEFORE_IT_WAS_ASKED, Readings
from core.editions.relevance import concerns
from core.rule_set import ReadingChoice, RuleSet
from core.text.settled_questions import SETTLED
from core.words import Words


def _(text: str) -> str:
    return text


_Value = str | bool
_Put = tuple[str, str, Mapping[_Value, str]]

QUESTIONS: Final[Mapping[str, _Put]] = {
    "min_players": (
        "D01", _("What if there are fewer players than the smallest number in the table chart?"),
        {"block_with_override": _("The tournament doesn't start unless the judge declares it unofficial.")},
    ),
    "rounds_recomputed_on_withdrawal": (
        "D04", _("Does the number of rounds change when players leave?"),
        {False: _("No, it stays as set at the first draw."), True: _("Yes, it's looked up again.")},
    ),
    "below_min_mid": (
        "D05", _("What if too few players are left midway through the tournament?"),
        {"judge": _("The judge decides.")},
    ),
    "sheriff_repeat": (
        "D06", _("Who is Sheriff when too few players are left who have never been Sheriff?"),
        {"fewest_then_draw": _("The player who has been Sheriff least often; the draw decides ties.")},
    ),
    "simultaneous": (
        "D07", _("When one card eliminates several players, when does the game end?"),
        {
            "end_of_effect": _("After the card's whole effect: all eliminations count."),
            "elimination_order": _("At the first elimination that ends it; the others don't count."),
        },
    ),
    "renegade_final_duel": (
        "D08", _("When does the Renegade count as having lost the final duel?"),
        {
            "footnote": _(
                "When only the Sheriff and the Renegade were "
                "left, whatever eliminated the Renegade."
            ),
            "strict": _("The same, but only if the Sheriff eliminated the Renegade."),
            "label": _("When the Sheriff eliminated the Renegade last, even if others were alive."),
        },
    ),
    "time_limit": (
        "D09", _("What happens when the time limit is reached?"),
        {
            "no_winner": _("Nobody wins and no role is paid; cash rewards are kept."),
            "high_noon": _("High Noon begins at once, and the game is played to its end."),
            "judge": _("The judge decides and says why."),
        },
    ),
    "high_noon_dead_starter": (
        "D10", _("Who does High Noon begin with if the player after the Sheriff has been eliminated?"),
        {"next_living": _("With the next player still in play.")},
    ),
    "high_noon_trigger_in_starter_turn": (
        "D11", _("What if High Noon is called during the turn of the player it begins with?"),
        {"next_orbit": _("It begins with that player's next turn.")},
    ),
    "high_noon_starter_died": (
        "D47", _("What if the player who begins High Noon is eliminated in the turn that announces it?"),
        {
            "next_living": _("The next player after the Sheriff begins it, even in the very next turn."),
            "next_orbit": _("It begins after the Sheriff's next turn."),
        },
    ),
    "high_noon_affects_passive": (
        "D12", _("Does High Noon take life points from a player who has left?"),
        {True: _("Yes, and a Beer can't be played against it."), False: _("No.")},
    ),
    "high_noon_order": (
        "D13", _("What comes first at the start of a turn: High Noon, or Jail and Dynamite?"),
        {"first": _("High Noon.")},
    ),
    "high_noon_beer": (
        "D14", _("When can a Beer be played against High Noon?"),
        {"last_point_only": _("Only when it takes the last life point.")},
    ),
    "high_noon_further_reshuffles": (
        "D15", _("Does another reshuffle during High Noon change anything?"),
        {"no_extra": _("No.")},
    ),
    "high_noon_sid_ketchum": (
        "D17", _("Can Sid Ketchum discard two cards against High Noon?"),
        {True: _("Yes, as with a Beer."), False: _("No.")},
    ),
    "sid_with_two_left": (
        "D48", _("Can Sid Ketchum's two cards save him when only two players are left?"),
        {"allowed": _("Yes."), "as_beer": _("No: they have no effect, like a Beer.")},
    ),
    "marogi_scores": (
        "D18", _("Which of the opponents' scores count for the Marogi?"),
        {
            "final_totals": _("Their final totals, before the bonus."),
            "common_matches": _("The money that they won in the games played together."),
        },
    ),
    "marogi_average": (
        "D50", _("For the Marogi, what is the sum of the opponents' scores divided by?"),
        {
            "per_opponent": _("By the number of opponents."),
            "per_match": _("By the number of matches."),
        },
    ),
    "tiebreak_opponents": (
        "D19", _("How many times does an opponent met twice count?"),
        {"per_encounter": _("Twice."), "distinct": _("Once.")},
    ),
    "withdrawn_ranking": (
        "D21", _("Where are players who left ranked?"), {"bottom": _("Below everyone else, without a rank.")},
    ),
    "withdrawn_count_for_opponents": (
        "D21", _("Do players who left count for their opponents' tie-breaks?"),
        {True: _("Yes."), False: _("No.")},
    ),
    "buchholz_further_tie": (
        "D20", _("What if players are still tied after Buchholz?"),
        {
            "draw": _("The judge draws lots."),
            "matches_won": _("The player who won more matches comes first; then the judge draws lots."),
        },
    ),
    "third_place": (
        "D23", _("Where do the two losing semifinalists finish?"),
        {"shared": _(
            "They share third and fourth place; the one ranked "
            "higher after the rounds is listed first."
        )},
    ),
    "finalist_replacement": (
        "D24", _("What if a finalist leaves?"), {"none": _("The opponent wins; nobody moves up.")},
    ),
    "prize_other_rounds": (
        "D25", _("What are the prizes after a number of rounds that the table doesn't list?"),
        {"linear": _("In proportion to the rounds actually played.")},
    ),
    "auction_broke_player": (
        "D26", _("What if a player who has to put a character up for auction has no money?"),
        {"skipped": _("That player is skipped and takes a character after everyone else.")},
    ),
    "auction_take_order": (
        "D27", _("In what order do players without money take what's left?"),
        {"clockwise_from_sheriff": _("Clockwise from the Sheriff.")},
    ),
    "rounding": (
        "D29", _("What happens to an average that isn't a whole number of dollars?"),
        {"half_up": _("It's rounded to the nearest dollar; halves are rounded away from zero.")},
    ),
    "one_on_one": (
        "D30", _("What if exactly two players are still tied after everything has been counted?"),
        {"offered": _("The judge may let them play a one-on-one game; otherwise lots are drawn.")},
    ),
    "turns_played": (
        "D31", _("Which turns count as played?"),
        {"played": _("Turns actually played; turns skipped because of Jail or after leaving don't count.")},
    ),
    "enlistment_in_score": (
        "D32", _("Does starting money left over from an enlistment count towards the score?"),
        {True: _("Yes."), False: _("No.")},
    ),
    "enlistment_insufficient_fee": (
        "D32", _("What if the player who takes the last character has less than its price?"),
        {"pay_what_you_have": _("The player pays what they have.")},
    ),
    "experience_cap": (
        "D33", _("How many cards can a player keep at most?"),
        {"next_game_starting_life": _("As many as the player's life points at the start of the next game.")},
    ),
    "simplified_multiplier": (
        "D34", _(
            "Where the table pays a winning Renegade for each "
            "Outlaw, what is the amount multiplied by?"
        ),
        {
            "outlaws": _("By the number of Outlaws at the start, as for the other roles."),
            "renegade_players": _(
                "By the number of players at the start; for the others, by the number of Outlaws."
            ),
            "players": _("By the number of players at the start, for all roles."),
            "printed": _(
                "By the number of Outlaws for the Law, as in the example; by the number of players "
                "for the others."
            ),
        },
    ),
    "simplified_eliminated": (
        "D34", _("Which winners are paid for each eliminated player?"),
        {
            "alive": _("Those still alive at the end."),
            "law_alive": _("Only the Sheriff and Deputies still alive."),
            "all": _("All of them, eliminated ones too."),
        },
    ),
    "deputy_penalty_in_simplified": (
        "D36", _("Does the Deputy's penalty apply if the winnings table doesn't mention it?"),
        {False: _("No."), True: _("Yes.")},
    ),
    "rebel_money": (
        "D37", _("Who is paid as Sheriff after a Revolution?"),
        {"current_sheriff": _("The player who is Sheriff at the end.")},
    ),
    "short_duel_start": (
        "D40", _("Who starts a short duel?"),
        {"draw": _("It's drawn by lot."), "better_placed": _("The higher-ranked player.")},
    ),
    "long_duel_excess": (
        "D40", _("In a long duel, what happens to wounds beyond a character's last life point?"),
        {"lost": _("They are lost."), "carried": _("The next character to enter takes them.")},
    ),
    "eliminated_count_as_winners": (
        "D42", _("Does an eliminated player on the winning side count as having won the match?"),
        {True: _("Yes."), False: _("No.")},
    ),
    "above_chart": (
        "D02", _("How are players seated if there are more than the table chart lists?"),
        {
            "fives_first": _("At as many of the smallest tables as possible; those left over join them."),
            "fewest_tables": _("At as few tables as possible, as equal as possible."),
        },
    ),
    "bid_order": (
        "D32", _("In which direction do the bidding and the choice of the next player go?"),
        {"counterclockwise": _("Anticlockwise."), "clockwise": _("Clockwise.")},
    ),
    "next_nominator": (
        "D32", _("Who puts up the next character?"),
        {
            "from_nominator": _("The next player after the one who put up the last character."),
            "from_winner": _("The next player after the one who won the last character."),
        },
    ),
    "bid_step": (
        "D32", _("By how much can a bid be raised?"),
        {"step": _("By any multiple of the step set in the file.")},
    ),
}  # fmt: skip
"""The question of each reading, with its decision and the answers by their values in files."""

_AUCTION: Final = "options.enlistment.auction"
_KEYS: Final[Mapping[str, str]] = {
    "above_chart": "tables.above_chart",
    "bid_order": f"{_AUCTION}.order",
    "next_nominator": f"{_AUCTION}.next_nominator",
    "bid_step": f"{_AUCTION}.step",
}
"""Keys of edition files for readings that aren't among ``readings``."""


class ReadingOption(msgspec.Struct, frozen=True):
    """A possible reading. is_default: the edition's file states it. is_chosen: the judge chose it."""

    value: str
    text: str
    is_default: bool
    is_chosen: bool


class ReadingQuestion(msgspec.Struct, frozen=True):
    """A point that the rules leave open. name: the reading's. decision: its number, such as D16."""

    name: str
    decision: str
    text: str
    answers: tuple[ReadingOption, ...]

    @property
    def key(self) -> str:
        """The key in an edition's file; empty for a point with only one answer."""
        return "" if self.name in SETTLED else _KEYS.get(self.name, f"readings.{self.name}")

    @property
    def chosen(self) -> ReadingOption:
        """The answer in effect."""
        return next(answer for answer in self.answers if answer.is_chosen)


def questions(base: Edition, chosen: Mapping[str, str], words: Words) -> tuple[ReadingQuestion, ...]:
    """Return the questions that an edition leaves to the judge. chosen: values by name of the reading."""
    return tuple(question for question in _build_questions(base, chosen, words) if len(question.answers) > 1)


def all_questions(rules: Edition, words: Words) -> tuple[ReadingQuestion, ...]:
    """Return every question that concerns an edition, including those with one answer, by decision."""
    found = list(_build_questions(rules, {}, words))
    if rules.schedule is Schedule.CHART:
        found.append(_file_question("above_chart", rules.tables.above_chart, words))
    if rules.options.enlistment is not None:
        auction = rules.options.enlistment.auction
        found.append(_file_question("bid_order", auction.order, words))
        found.append(_file_question("next_nominator", auction.next_nominator, words))
        found.append(_question("bid_step", ("step",), "step", "", words))
    found += [_settled(name, words) for name, point in SETTLED.items() if point[3](rules)]
    return tuple(sorted(found, key=lambda question: question.decision))


def choices(base: Edition, chosen: Mapping[str, str]) -> tuple[ReadingChoice, ...]:
    """Return the readings that differ from the edition's, for a rule set; unknown values are kept."""
    found = []
    for field in msgspec.structs.fields(Readings):
        text = chosen.get(field.name, "")
        value = next((known for known in _values(field.type) if _text(known) == text), text)
        if text and value != _plain(getattr(base.readings, field.name)):
            found.append(ReadingChoice(field.name, value))
    return tuple(found)


def changed_questions(rules: RuleSet, words: Words) -> tuple[ReadingQuestion, ...]:
    """Return the questions that a tournament answers differently from its edition."""
    asked = questions(base_edition(rules), {**BEFORE_IT_WAS_ASKED, **chosen_readings(rules)}, words)
    return tuple(question for question in asked if not question.chosen.is_default)


def count_changed(rules: RuleSet) -> int:
    """Return the number of questions that a tournament answers differently from its edition."""
    base = base_edition(rules)
    answers = {**BEFORE_IT_WAS_ASKED, **chosen_readings(rules)}
    edition = {name: _text(_plain(getattr(base.readings, name))) for name in answers}
    return sum(concerns(name, base) and edition[name] != value for name, value in answers.items())


def chosen_readings(rules: RuleSet) -> Mapping[str, str]:
    """Return the readings of a rule set as ``questions`` expects them."""
    return {choice.name: _text(choice.value) for choice in rules.readings}


def _build_questions(base: Edition, chosen: Mapping[str, str], words: Words) -> Iterator[ReadingQuestion]:
    for field in msgspec.structs.fields(Readings):
        name = field.name
        if concerns(name, base):
            possible = tuple(value for value in _values(field.type) if _is_possible(base, name, value))
            default = _plain(getattr(base.readings, name))
            yield _question(name, possible, default, chosen.get(name, ""), words)


def _question(
    name: str, possible: tuple[_Value, ...], default: _Value, chosen: str, words: Words
) -> ReadingQuestion:
    decision, text, answers = QUESTIONS[name]
    wanted = next((value for value in possible if _text(value) == chosen), default)
    return ReadingQuestion(
        name,
        decision,
        words.gettext(text),
        tuple(
            ReadingOption(
                _text(value),
                words.gettext(answers[value]),
                is_default=value == default,
                is_chosen=value == wanted,
            )
            for value in possible
        ),
    )


def _file_question(name: str, answer: enum.Enum, words: Words) -> ReadingQuestion:
    kinds = tuple(str(kind.value) for kind in type(answer))
    return _question(name, kinds, str(answer.value), "", words)


def _settled(name: str, words: Words) -> ReadingQuestion:
    decision, text, answer, _asks = SETTLED[name]
    only = ReadingOption("", words.gettext(answer), is_default=True, is_chosen=True)
    return ReadingQuestion(name, decision, words.gettext(text), (only,))


def _values(kind: object) -> tuple[_Value, ...]:
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return tuple(member.value for member in kind)
    return (True, False) if kind is bool else ()


def _plain(value: object) -> _Value:
    return value.value if isinstance(value, enum.Enum) else bool(value)


def _text(value: _Value) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def _is_possible(base: Edition, name: str, value: _Value) -> bool:
    try:
        with_readings(base, {name: value}, name)
    except BadData:
        return False
    return True

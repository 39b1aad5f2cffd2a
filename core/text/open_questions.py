"""The questions that a document leaves open, and the reading of an edition."""

import enum
import typing
from collections.abc import Mapping

import msgspec

from saloon.core.editions.edition import Edition, Schedule
from saloon.core.editions.readings import Readings
from saloon.core.editions.relevance import concerns
from saloon.core.editions.tables import AboveChart

READING_WORDS: Mapping[str, tuple[str, str]] = {
    "min_players": ("D01", "fewer players than the chart's first row"),
    "rounds_recomputed_on_withdrawal": ("D04", "withdrawals change the number of rounds"),
    "below_min_mid": ("D05", "fewer players than the chart's first row are left"),
    "sheriff_repeat": ("D06", "too few players are left who were never Sheriff"),
    "simultaneous": ("D07", "several players die by one card"),
    "renegade_final_duel": ("D08", "when the Renegade lost the final duel"),
    "time_limit": ("D09", "the time limit is reached"),
    "high_noon_dead_starter": ("D10", "the player after the Sheriff is out"),
    "high_noon_trigger_in_starter_turn": ("D11", "the reshuffle falls in the starter's own turn"),
    "high_noon_affects_passive": ("D12", "High Noon takes life points of players who left"),
    "high_noon_order": ("D13", "High Noon against the checks for Jail and Dynamite"),
    "high_noon_beer": ("D14", "when a Beer may answer the loss"),
    "high_noon_further_reshuffles": ("D15", "a reshuffle during High Noon"),
    "high_noon_sid_ketchum": ("D17", "Sid Ketchum may save his last point at High Noon"),
    "marogi_scores": ("D18", "which scores of the opponents count"),
    "tiebreak_opponents": ("D19", "an opponent met twice"),
    "buchholz_further_tie": ("D20", "players are still tied after Buchholz"),
    "withdrawn_count_for_opponents": ("D21", "players who left count for their opponents"),
    "withdrawn_ranking": ("D21", "where players who left are ranked"),
    "third_place": ("D23", "the places of the two who lost a semifinal"),
    "finalist_replacement": ("D24", "a finalist leaves"),
    "prize_other_rounds": ("D25", "prizes after a number of rounds that the table does not name"),
    "auction_broke_player": ("D26", "a player without money would be the next to nominate"),
    "auction_take_order": ("D27", "in which order players without money take what is left"),
    "rounding": ("D29", "an average that is not a whole number of dollars"),
    "one_on_one": ("D30", "exactly two are tied after all that is counted"),
    "turns_played": ("D31", "which turns count"),
    "enlistment_in_score": ("D32", "start money that enlistment left counts in the score"),
    "enlistment_insufficient_fee": ("D32", "the player of the last character has less than its fee"),
    "experience_cap": ("D33", "whose life points are the most cards to keep"),
    "simplified_multiplier": ("D34", "what a winning Renegade's amount is counted by"),
    "deputy_penalty_in_simplified": ("D36", "the penalty of a Deputy also with the simplified table"),
    "rebel_money": ("D37", "whom the tables pay as Sheriff after a Revolution"),
    "long_duel_excess": ("D40", "wounds too many for a character of a long duel"),
    "short_duel_start": ("D40", "who starts a short duel"),
    "eliminated_count_as_winners": ("D42", "an eliminated winner has won the match"),
}
"""For each reading its decision and the question that the document leaves open."""


class OpenQuestion(msgspec.Struct, frozen=True):
    """A question. key: of the reading, in files. value: how it is read. others: what else is possible."""

    decision: str
    question: str
    key: str
    value: str
    others: tuple[str, ...]

    @property
    def reading(self) -> str:
        """The key without its table."""
        return self.key.rpartition(".")[2]


def open_questions(rules: Edition) -> tuple[OpenQuestion, ...]:
    """Return the questions that matter to an edition, by their decision."""
    found: dict[str, object] = msgspec.to_builtins(rules.readings)
    asked = [_question(key, found[key], rules) for key in READING_WORDS if concerns(key, rules)]
    if rules.schedule is Schedule.CHART:
        above = rules.tables.above_chart
        others = tuple(other.value for other in AboveChart if other.value != above.value)
        asked.append(
            OpenQuestion("D02", "more players than the chart", "tables.above_chart", above.value, others)
        )
    return tuple(sorted(asked, key=lambda question: question.decision))


def possible_readings(key: str, rules: Edition) -> tuple[object, ...]:
    """Return all values that a reading may have, as in a file. key: a field of ``Readings``."""
    kind = typing.get_type_hints(Readings)[key]
    values: tuple[object, ...] = (False, True)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        values = tuple(member.value for member in kind)
    return tuple(value for value in values if _is_possible(key, value, rules))


def _question(key: str, value: object, rules: Edition) -> OpenQuestion:
    decision, question = READING_WORDS[key]
    others = tuple(_written(other) for other in possible_readings(key, rules) if other != value)
    return OpenQuestion(decision, question, f"readings.{key}", _written(value), others)


def _is_possible(key: str, value: object, rules: Edition) -> bool:
    found: dict[str, object] = msgspec.to_builtins(rules.readings)
    try:
        msgspec.convert({**found, key: value}, Readings, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

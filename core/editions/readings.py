"""The readings: decisions on points that an edition's document leaves open.

``core.text.open_questions`` explains them. A reading whose type is a literal has no alternatives so far.
"""

import enum
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from core.editions.part import EditionFault, Part


class Simultaneous(enum.Enum):
    """The order of eliminations by one card."""

    END_OF_EFFECT = "end_of_effect"
    ELIMINATION_ORDER = "elimination_order"


class RenegadeFinalDuel(enum.Enum):
    """The rule that decides whether the Renegade has lost the final duel."""

    FOOTNOTE = "footnote"
    STRICT = "strict"
    LABEL = "label"


class TimeLimit(enum.Enum):
    """The ending of a game that reaches the time limit."""

    NO_WINNER = "no_winner"
    HIGH_NOON = "high_noon"
    JUDGE = "judge"


class HighNoonStarterDied(enum.Enum):
    """The player who begins High Noon if its starter is eliminated in the turn of the last reshuffle."""

    NEXT_LIVING = "next_living"
    NEXT_ORBIT = "next_orbit"


class SidWithTwoLeft(enum.Enum):
    """The use of Sid Ketchum's ability for the last life point when only two players are left."""

    ALLOWED = "allowed"
    AS_BEER = "as_beer"


class BuchholzFurtherTie(enum.Enum):
    """The tie-break among players who are still tied after Buchholz."""

    DRAW = "draw"
    MATCHES_WON = "matches_won"


class MarogiScores(enum.Enum):
    """The scores of opponents that count for the Marogi."""

    FINAL_TOTALS = "final_totals"
    COMMON_MATCHES = "common_matches"


class MarogiAverage(enum.Enum):
    """The divisor of the opponents' total score in the Marogi."""

    PER_OPPONENT = "per_opponent"
    PER_MATCH = "per_match"


class TieBreakOpponents(enum.Enum):
    """The weight of an opponent whom a player has met twice."""

    PER_ENCOUNTER = "per_encounter"
    DISTINCT = "distinct"


class SimplifiedMultiplier(enum.Enum):
    """The multiplier if a winnings table pays an amount for each Outlaw."""

    OUTLAWS = "outlaws"
    RENEGADE_PLAYERS = "renegade_players"
    PLAYERS = "players"
    PRINTED = "printed"


class SimplifiedEliminated(enum.Enum):
    """The winners who are paid for each eliminated player."""

    ALIVE = "alive"
    LAW_ALIVE = "law_alive"
    ALL = "all"


class ShortDuelStart(enum.Enum):
    """The player who starts a short duel."""

    DRAW = "draw"
    BETTER_PLACED = "better_placed"


class LongDuelExcess(enum.Enum):
    """The excess wounds of an eliminated character in a long duel."""

    LOST = "lost"
    CARRIED = "carried"


BEFORE_IT_WAS_ASKED: Final[Mapping[str, str]] = {
    "high_noon_starter_died": HighNoonStarterDied.NEXT_ORBIT.value,
    "sid_with_two_left": SidWithTwoLeft.AS_BEER.value,
}
"""Readings that were introduced later, with the values for tournaments opened before."""


class Readings(Part, frozen=True, kw_only=True):
    """All readings of an edition. The default is the recommended one."""

    min_players: Literal["block_with_override"] = "block_with_override"
    rounds_recomputed_on_withdrawal: bool = False
    below_min_mid: Literal["judge"] = "judge"
    sheriff_repeat: Literal["fewest_then_draw"] = "fewest_then_draw"
    simultaneous: Simultaneous = Simultaneous.END_OF_EFFECT
    renegade_final_duel: RenegadeFinalDuel = RenegadeFinalDuel.FOOTNOTE
    time_limit: TimeLimit = TimeLimit.NO_WINNER
    high_noon_dead_starter: Literal["next_living"] = "next_living"
    high_noon_trigger_in_starter_turn: Literal["next_orbit"] = "next_orbit"
    high_noon_starter_died: HighNoonStarterDied = HighNoonStarterDied.NEXT_LIVING
    high_noon_affects_passive: bool = True
    high_noon_order: Literal["first"] = "first"
    high_noon_beer: Literal["last_point_only"] = "last_point_only"
    high_noon_further_reshuffles: Literal["no_extra"] = "no_extra"
    high_noon_sid_ketchum: bool = True
    sid_with_two_left: SidWithTwoLeft = SidWithTwoLeft.ALLOWED
    buchholz_further_tie: BuchholzFurtherTie = BuchholzFurtherTie.DRAW
    third_place: Literal["shared"] = "shared"
    finalist_replacement: Literal["none"] = "none"
    prize_other_rounds: Literal["linear"] = "linear"
    rounding: Literal["half_up"] = "half_up"
    one_on_one: Literal["offered"] = "offered"
    turns_played: Literal["played"] = "played"
    enlistment_in_score: bool = True
    marogi_scores: MarogiScores = MarogiScores.FINAL_TOTALS
    marogi_average: MarogiAverage = MarogiAverage.PER_OPPONENT
    tiebreak_opponents: TieBreakOpponents = TieBreakOpponents.PER_ENCOUNTER
    withdrawn_ranking: Literal["bottom"] = "bottom"
    withdrawn_count_for_opponents: bool = True
    eliminated_count_as_winners: bool = True
    simplified_multiplier: SimplifiedMultiplier = SimplifiedMultiplier.OUTLAWS
    simplified_eliminated: SimplifiedEliminated = SimplifiedEliminated.ALIVE
    deputy_penalty_in_simplified: bool = False
    auction_broke_player: Literal["skipped"] = "skipped"
    auction_take_order: Literal["clockwise_from_sheriff"] = "clockwise_from_sheriff"
    enlistment_insufficient_fee: Literal["pay_what_you_have"] = "pay_what_you_have"
    experience_cap: Literal["next_game_starting_life"] = "next_game_starting_life"
    short_duel_start: ShortDuelStart = ShortDuelStart.DRAW
    long_duel_excess: LongDuelExcess = LongDuelExcess.LOST
    rebel_money: Literal["current_sheriff"] = "current_sheriff"

    def faults(self) -> Iterator[EditionFault]:
        if self.rounds_recomputed_on_withdrawal:
            yield EditionFault(
                ("rounds_recomputed_on_withdrawal",),
                "is true; allowed is false: the rounds are fixed when the first draw is published",
            )

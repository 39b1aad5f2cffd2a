"""The readings of points that an edition's document leaves open, one field for each decision (D..).

An enum with one member is a reading without alternatives so far.
"""

import enum
from collections.abc import Iterator, Mapping
from typing import Final

from core.editions.part import EditionFault, Part


class MinPlayers(enum.Enum):
    """D01: fewer players than the chart's first row."""

    BLOCK_WITH_OVERRIDE = "block_with_override"
    """It is refused, unless the judge declares the tournament unofficial."""


class BelowMinimum(enum.Enum):
    """D05: withdrawals leave fewer players than the chart's first row."""

    JUDGE = "judge"


class SheriffRepeat(enum.Enum):
    """D06: too few players are left who were never Sheriff."""

    FEWEST_THEN_DRAW = "fewest_then_draw"


class Simultaneous(enum.Enum):
    """D07: several players are eliminated by one card."""

    END_OF_EFFECT = "end_of_effect"
    ELIMINATION_ORDER = "elimination_order"


class RenegadeFinalDuel(enum.Enum):
    """D08: when the Renegade counts as having lost the final duel."""

    FOOTNOTE = "footnote"
    """Only the Renegade and the Sheriff were left; the killer doesn't matter."""
    STRICT = "strict"
    """The same, and the Sheriff was the killer."""
    LABEL = "label"
    """The Renegade was eliminated last, by the Sheriff; others may be alive."""


class TimeLimit(enum.Enum):
    """D09: the time limit is reached before an ending condition."""

    NO_WINNER = "no_winner"
    HIGH_NOON = "high_noon"
    "High Noon begins with the next turn, and play continues."
    JUDGE = "judge"
    """The judge rules the ending and gives a reason."""


class RebelMoney(enum.Enum):
    """D37: which player is paid as Sheriff after a Revolution."""

    CURRENT_SHERIFF = "current_sheriff"


class HighNoonDeadStarter(enum.Enum):
    """D10: the player after the Sheriff has been eliminated."""

    NEXT_LIVING = "next_living"


class HighNoonTriggerInStarterTurn(enum.Enum):
    """D11: the reshuffle happens in the starter's own turn."""

    NEXT_ORBIT = "next_orbit"


class HighNoonStarterDied(enum.Enum):
    """D47: the player who is to begin High Noon is eliminated in the turn that announces it."""

    NEXT_LIVING = "next_living"
    """The next living player after the Sheriff begins it in their next turn, even if that comes at once."""
    NEXT_ORBIT = "next_orbit"
    """It begins after the Sheriff's next turn."""


class HighNoonOrder(enum.Enum):
    """D13: whether High Noon comes before or after the checks for Jail and Dynamite."""

    FIRST = "first"


class HighNoonBeer(enum.Enum):
    """D14: when a Beer may save the point taken by High Noon."""

    LAST_POINT_ONLY = "last_point_only"


class HighNoonFurtherReshuffles(enum.Enum):
    """D15: a reshuffle during High Noon."""

    NO_EXTRA = "no_extra"


class SidWithTwoLeft(enum.Enum):
    """D48: Sid Ketchum's two cards for the last life point, with only two players left."""

    ALLOWED = "allowed"
    AS_BEER = "as_beer"
    """They have no effect, just like a Beer."""


class BuchholzFurtherTie(enum.Enum):
    """D20: players are still tied after Buchholz."""

    DRAW = "draw"
    MATCHES_WON = "matches_won"
    """The number of matches won decides, then lots."""


class ThirdPlace(enum.Enum):
    """D23: the places of the losers of the semifinals."""

    SHARED = "shared"
    """Both share places 3 and 4; the better placed one in the rounds is listed first."""


class FinalistReplacement(enum.Enum):
    """D24: a finalist withdraws."""

    NONE = "none"
    """The opponent wins; nobody replaces the finalist."""


class PrizeOtherRounds(enum.Enum):
    """D25: prizes after a number of rounds that the table doesn't list."""

    LINEAR = "linear"
    """They are in proportion to the rounds actually played."""


class Rounding(enum.Enum):
    """D29: rounding of an average to whole dollars."""

    HALF_UP = "half_up"
    """It is rounded to the nearest dollar; halves are rounded away from zero."""


class OneOnOne(enum.Enum):
    """D30: exactly two players are still tied after all tie-breaks."""

    OFFERED = "offered"
    "The judge may let them play a one-on-one game; otherwise lots are drawn."


class TurnsPlayed(enum.Enum):
    """D31: the turns that count as played."""

    PLAYED = "played"
    """Only turns actually played count, not those skipped by Jail or after leaving."""


class MarogiScores(enum.Enum):
    """D18: the scores of opponents that count."""

    FINAL_TOTALS = "final_totals"
    """Their final totals count, without bonuses."""
    COMMON_MATCHES = "common_matches"
    """Their winnings in the matches played together count."""


class MarogiAverage(enum.Enum):
    """D50: the divisor of the opponents' total score."""

    PER_OPPONENT = "per_opponent"
    PER_MATCH = "per_match"


class TieBreakOpponents(enum.Enum):
    """D19: an opponent faced twice."""

    PER_ENCOUNTER = "per_encounter"
    DISTINCT = "distinct"


class SimplifiedMultiplier(enum.Enum):
    """D34: the multiplier of an amount where a table pays a winning Renegade for each Outlaw."""

    OUTLAWS = "outlaws"
    RENEGADE_PLAYERS = "renegade_players"
    """All players at the start for the Renegade; Outlaws for the other roles."""
    PLAYERS = "players"
    """All players at the start for every role, as printed in all four rows."""
    PRINTED = "printed"
    """It is the Outlaws for the Law, as in the printed example, and all players for the other roles."""


class SimplifiedEliminated(enum.Enum):
    """D34: the winners who are paid for each eliminated player."""

    ALIVE = "alive"
    """Those alive at the end."""
    LAW_ALIVE = "law_alive"
    """The Sheriff and Deputies alive at the end, as in the printed example."""
    ALL = "all"
    """All winners, including eliminated ones."""


class WithdrawnRanking(enum.Enum):
    """D21: the rank of withdrawn players."""

    BOTTOM = "bottom"


class AuctionBrokePlayer(enum.Enum):
    """D26: the next nominator has no money."""

    SKIPPED = "skipped"
    """The player is skipped, even the Sheriff, and takes a character after all others."""


class AuctionTakeOrder(enum.Enum):
    """D27: the order in which players without money take the remaining characters."""

    CLOCKWISE_FROM_SHERIFF = "clockwise_from_sheriff"


class EnlistmentInsufficientFee(enum.Enum):
    """D32: the player of the last character has less money than its fee."""

    PAY_WHAT_YOU_HAVE = "pay_what_you_have"


class ExperienceCap(enum.Enum):
    """D33: the game whose starting life points limit the cards to keep."""

    NEXT_GAME_STARTING_LIFE = "next_game_starting_life"
    """The game that the cards are for, including the Sheriff's extra point."""


class ShortDuelStart(enum.Enum):
    """D40: the player who starts a short duel."""

    DRAW = "draw"
    BETTER_PLACED = "better_placed"


class LongDuelExcess(enum.Enum):
    """D40: excess wounds of a character in a long duel."""

    LOST = "lost"
    CARRIED = "carried"
    """The next character to enter takes them, as in the short duel."""


BEFORE_IT_WAS_ASKED: Final[Mapping[str, str]] = {
    "high_noon_starter_died": HighNoonStarterDied.NEXT_ORBIT.value,
    "sid_with_two_left": SidWithTwoLeft.AS_BEER.value,
}
"""Readings introduced later, with the value for tournaments opened before then."""


class Readings(Part, frozen=True, kw_only=True):
    """All readings of an edition; the names are those in the ``config`` of worked cases.

    A reading that a file doesn't state has the recommended value, which is the default here.
    enlistment_in_score: D32, whether start money left over from enlistment counts for the score.
    rounds_recomputed_on_withdrawal: D04, only false so far. high_noon_affects_passive: D12.
    high_noon_sid_ketchum: D17. withdrawn_count_for_opponents: D21.
    eliminated_count_as_winners: D42, whether eliminated winners have won the match.
    deputy_penalty_in_simplified: D36, whether a table without its own penalty uses the borrowed one.
    """

    min_players: MinPlayers = MinPlayers.BLOCK_WITH_OVERRIDE
    rounds_recomputed_on_withdrawal: bool = False
    below_min_mid: BelowMinimum = BelowMinimum.JUDGE
    sheriff_repeat: SheriffRepeat = SheriffRepeat.FEWEST_THEN_DRAW
    simultaneous: Simultaneous = Simultaneous.END_OF_EFFECT
    renegade_final_duel: RenegadeFinalDuel = RenegadeFinalDuel.FOOTNOTE
    time_limit: TimeLimit = TimeLimit.NO_WINNER
    high_noon_dead_starter: HighNoonDeadStarter = HighNoonDeadStarter.NEXT_LIVING
    high_noon_trigger_in_starter_turn: HighNoonTriggerInStarterTurn = HighNoonTriggerInStarterTurn.NEXT_ORBIT
    high_noon_starter_died: HighNoonStarterDied = HighNoonStarterDied.NEXT_LIVING
    high_noon_affects_passive: bool = True
    high_noon_order: HighNoonOrder = HighNoonOrder.FIRST
    high_noon_beer: HighNoonBeer = HighNoonBeer.LAST_POINT_ONLY
    high_noon_further_reshuffles: HighNoonFurtherReshuffles = HighNoonFurtherReshuffles.NO_EXTRA
    high_noon_sid_ketchum: bool = True
    sid_with_two_left: SidWithTwoLeft = SidWithTwoLeft.ALLOWED
    buchholz_further_tie: BuchholzFurtherTie = BuchholzFurtherTie.DRAW
    third_place: ThirdPlace = ThirdPlace.SHARED
    finalist_replacement: FinalistReplacement = FinalistReplacement.NONE
    prize_other_rounds: PrizeOtherRounds = PrizeOtherRounds.LINEAR
    rounding: Rounding = Rounding.HALF_UP
    one_on_one: OneOnOne = OneOnOne.OFFERED
    turns_played: TurnsPlayed = TurnsPlayed.PLAYED
    enlistment_in_score: bool = True
    marogi_scores: MarogiScores = MarogiScores.FINAL_TOTALS
    marogi_average: MarogiAverage = MarogiAverage.PER_OPPONENT
    tiebreak_opponents: TieBreakOpponents = TieBreakOpponents.PER_ENCOUNTER
    withdrawn_ranking: WithdrawnRanking = WithdrawnRanking.BOTTOM
    withdrawn_count_for_opponents: bool = True
    eliminated_count_as_winners: bool = True
    simplified_multiplier: SimplifiedMultiplier = SimplifiedMultiplier.OUTLAWS
    simplified_eliminated: SimplifiedEliminated = SimplifiedEliminated.ALIVE
    deputy_penalty_in_simplified: bool = False
    auction_broke_player: AuctionBrokePlayer = AuctionBrokePlayer.SKIPPED
    auction_take_order: AuctionTakeOrder = AuctionTakeOrder.CLOCKWISE_FROM_SHERIFF
    enlistment_insufficient_fee: EnlistmentInsufficientFee = EnlistmentInsufficientFee.PAY_WHAT_YOU_HAVE
    experience_cap: ExperienceCap = ExperienceCap.NEXT_GAME_STARTING_LIFE
    short_duel_start: ShortDuelStart = ShortDuelStart.DRAW
    long_duel_excess: LongDuelExcess = LongDuelExcess.LOST
    rebel_money: RebelMoney = RebelMoney.CURRENT_SHERIFF

    def faults(self) -> Iterator[EditionFault]:
        """Yield a fault for readings that aren't implemented yet."""
        if self.rounds_recomputed_on_withdrawal:
            yield EditionFault(
                ("rounds_recomputed_on_withdrawal",),
                "is true; allowed is false: the rounds are fixed when the first draw is published",
            )

"""The readings of points that an edition's document leaves open, one field for each decision (D..).

An enum with one member is a reading that has no second one yet: a file that asks for another
is refused with what is allowed.
"""

import enum
from collections.abc import Iterator, Mapping
from typing import Final

from saloon.core.editions.part import EditionFault, Part


class MinPlayers(enum.Enum):
    """D01: fewer players than the chart's first row."""

    BLOCK_WITH_OVERRIDE = "block_with_override"
    """Refused, unless the judge declares the tournament unofficial."""


class BelowMinimum(enum.Enum):
    """D05: fewer players than the chart's first row are left in the middle of a tournament."""

    JUDGE = "judge"


class SheriffRepeat(enum.Enum):
    """D06: not enough players are left who were never Sheriff."""

    FEWEST_THEN_DRAW = "fewest_then_draw"


class Simultaneous(enum.Enum):
    """D07: several players die by one card."""

    END_OF_EFFECT = "end_of_effect"
    ELIMINATION_ORDER = "elimination_order"


class RenegadeFinalDuel(enum.Enum):
    """D08: when the Renegade lost the final duel."""

    FOOTNOTE = "footnote"
    """Exactly he and the Sheriff were left; who or what eliminated him does not matter."""
    STRICT = "strict"
    """The same, and the Sheriff eliminated him."""
    LABEL = "label"
    """He was eliminated last, by the Sheriff; others may be alive."""


class TimeLimit(enum.Enum):
    """D09: the time limit is reached before an ending condition."""

    NO_WINNER = "no_winner"
    HIGH_NOON = "high_noon"
    "High Noon begins with the next turn, and play continues."
    JUDGE = "judge"
    """The judge rules how it ended, with the reason."""


class RebelMoney(enum.Enum):
    """D37: whom the winnings tables pay as Sheriff after a Revolution."""

    CURRENT_SHERIFF = "current_sheriff"


class HighNoonDeadStarter(enum.Enum):
    """D10: the player after the Sheriff is out."""

    NEXT_LIVING = "next_living"


class HighNoonTriggerInStarterTurn(enum.Enum):
    """D11: the reshuffle falls in the starter's own turn."""

    NEXT_ORBIT = "next_orbit"


class HighNoonStarterDied(enum.Enum):
    """D47: the player with whom High Noon begins is eliminated in the turn that announces it."""

    NEXT_LIVING = "next_living"
    """The first living player after the Sheriff begins it with their next turn, even the very next one."""
    NEXT_ORBIT = "next_orbit"
    """It begins after the Sheriff's next turn."""


class HighNoonOrder(enum.Enum):
    """D13: High Noon against the checks for Jail and Dynamite."""

    FIRST = "first"


class HighNoonBeer(enum.Enum):
    """D14: when a Beer may answer the loss."""

    LAST_POINT_ONLY = "last_point_only"


class HighNoonFurtherReshuffles(enum.Enum):
    """D15: a reshuffle during High Noon."""

    NO_EXTRA = "no_extra"


class SidWithTwoLeft(enum.Enum):
    """D48: Sid Ketchum's two cards for the last life point, with only two players left."""

    ALLOWED = "allowed"
    AS_BEER = "as_beer"
    """They have no effect, as a Beer has none."""


class BuchholzFurtherTie(enum.Enum):
    """D20: players are still tied after Buchholz."""

    DRAW = "draw"
    MATCHES_WON = "matches_won"
    """More matches won come first; then lots."""


class ThirdPlace(enum.Enum):
    """D23: the places of the two who lost a semifinal."""

    SHARED = "shared"
    """Both are 3rd to 4th; the better placed of the rounds is named first."""


class FinalistReplacement(enum.Enum):
    """D24: a finalist leaves."""

    NONE = "none"
    """The opponent wins; nobody moves up."""


class PrizeOtherRounds(enum.Enum):
    """D25: prizes after a number of rounds that the table does not name."""

    LINEAR = "linear"
    """By rounds really played, in proportion."""


class Rounding(enum.Enum):
    """D29: an average that is not a whole number of dollars."""

    HALF_UP = "half_up"
    """To the nearest one; a half goes away from zero."""


class OneOnOne(enum.Enum):
    """D30: exactly two are tied after all that is counted."""

    OFFERED = "offered"
    "The judge may let them play a one-on-one game; otherwise lots are drawn."


class TurnsPlayed(enum.Enum):
    """D31: which turns count."""

    PLAYED = "played"
    """Those really played; skipped ones, by Jail or after leaving, do not."""


class MarogiScores(enum.Enum):
    """D18: which scores of the opponents count."""

    FINAL_TOTALS = "final_totals"
    """Totals at the end, before the bonus."""
    COMMON_MATCHES = "common_matches"
    """The money that they won in the matches played together."""


class MarogiAverage(enum.Enum):
    """D50: what the sum of the opponents' scores is divided by."""

    PER_OPPONENT = "per_opponent"
    PER_MATCH = "per_match"


class TieBreakOpponents(enum.Enum):
    """D19: an opponent met twice."""

    PER_ENCOUNTER = "per_encounter"
    DISTINCT = "distinct"


class SimplifiedMultiplier(enum.Enum):
    """D34: what an amount is counted by, where a table pays a winning Renegade for each Outlaw."""

    OUTLAWS = "outlaws"
    RENEGADE_PLAYERS = "renegade_players"
    """All players at the start for the Renegade, Outlaws for the others."""
    PLAYERS = "players"
    """All players at the start for everybody, as all four rows are printed."""
    PRINTED = "printed"
    """Outlaws for the Law, as in the printed example; all players for the others, as in the table."""


class SimplifiedEliminated(enum.Enum):
    """D34: which winners get the part for each eliminated player."""

    ALIVE = "alive"
    """Those who are alive at the end."""
    LAW_ALIVE = "law_alive"
    """The same, and only the Sheriff and Deputies, as in the printed example."""
    ALL = "all"
    """Eliminated winners too."""


class WithdrawnRanking(enum.Enum):
    """D21: where withdrawn players are ranked."""

    BOTTOM = "bottom"


class AuctionBrokePlayer(enum.Enum):
    """D26: a player without money would be the next to nominate."""

    SKIPPED = "skipped"
    """Passed over, also the Sheriff; takes a character after all others."""


class AuctionTakeOrder(enum.Enum):
    """D27: the order in which players without money take what is left."""

    CLOCKWISE_FROM_SHERIFF = "clockwise_from_sheriff"


class EnlistmentInsufficientFee(enum.Enum):
    """D32: the player of the last character has less than its fee."""

    PAY_WHAT_YOU_HAVE = "pay_what_you_have"


class ExperienceCap(enum.Enum):
    """D33: whose starting life points are the most cards to keep."""

    NEXT_GAME_STARTING_LIFE = "next_game_starting_life"
    """Those of the game that the cards are for, the Sheriff's extra point included."""


class ShortDuelStart(enum.Enum):
    """D40: who starts a short duel."""

    DRAW = "draw"
    BETTER_PLACED = "better_placed"


class LongDuelExcess(enum.Enum):
    """D40: wounds too many for a character of a long duel."""

    LOST = "lost"
    CARRIED = "carried"
    """The one who enters next takes them, as in the short duel."""


BEFORE_IT_WAS_ASKED: Final[Mapping[str, str]] = {
    "high_noon_starter_died": HighNoonStarterDied.NEXT_ORBIT.value,
    "sid_with_two_left": SidWithTwoLeft.AS_BEER.value,
}
"""Readings that every new tournament states, and how tournaments opened before were played."""


class Readings(Part, frozen=True, kw_only=True):
    """All readings of an edition; the names are those of the worked cases' ``config``.

    What a file does not state is read as recommended, which is the default here.
    enlistment_in_score: D32, what enlistment left of the start money is part of the score.
    rounds_recomputed_on_withdrawal: D04, only false so far. high_noon_affects_passive: D12.
    high_noon_sid_ketchum: D17. withdrawn_count_for_opponents: D21.
    eliminated_count_as_winners: D42, an eliminated winner has won the match.
    deputy_penalty_in_simplified: D36, a table without a penalty of its own takes the borrowed one.
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
        """Yield a fault for a reading that nothing uses yet."""
        if self.rounds_recomputed_on_withdrawal:
            yield EditionFault(
                ("rounds_recomputed_on_withdrawal",),
                "is true; allowed is false: the rounds are fixed when the first draw is published",
            )

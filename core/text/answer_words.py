"""The answers to open questions, in a few words each."""

from collections.abc import Mapping

ANSWER_WORDS: Mapping[str, Mapping[str, str]] = {
    "min_players": {"block_with_override": "refused, unless the judge calls the tournament unofficial"},
    "below_min_mid": {"judge": "the judge decides"},
    "sheriff_repeat": {"fewest_then_draw": "who was Sheriff least often; among equals the draw"},
    "simultaneous": {
        "end_of_effect": "all whom one card eliminates go out together",
        "elimination_order": "one after the other; what follows the end does not count",
    },
    "renegade_final_duel": {
        "footnote": "only Sheriff and Renegade were left, whatever eliminated the Renegade",
        "strict": "the same, and the Sheriff did it",
        "label": "eliminated last, by the Sheriff; others may be alive",
    },
    "time_limit": {
        "no_winner": "nobody wins and no role is paid; cash rewards are kept",
        "high_noon": "High Noon begins and ends the game",
        "judge": "the judge rules the ending, with a reason",
    },
    "high_noon_dead_starter": {"next_living": "with the next player in play"},
    "high_noon_trigger_in_starter_turn": {"next_orbit": "with that player's next turn"},
    "high_noon_order": {"first": "High Noon first"},
    "high_noon_beer": {"last_point_only": "when it takes the last life point"},
    "high_noon_further_reshuffles": {"no_extra": "changes nothing"},
    "marogi_scores": {"final_totals": "totals at the end, before the bonus"},
    "tiebreak_opponents": {"per_encounter": "counts each time", "distinct": "counts once"},
    "buchholz_further_tie": {
        "draw": "the judge draws lots",
        "matches_won": "more matches won, and lots only then",
    },
    "above_chart": {"fives_first": "as many tables as fives fit in; who is left over makes sixes"},
    "withdrawn_ranking": {"bottom": "below all others, without a rank"},
    "third_place": {"shared": "both are third to fourth"},
    "finalist_replacement": {"none": "the opponent wins; nobody moves up"},
    "prize_other_rounds": {"linear": "in proportion to the rounds played"},
    "auction_broke_player": {"skipped": "passed over; takes what is left after all others"},
    "auction_take_order": {"clockwise_from_sheriff": "clockwise from the Sheriff"},
    "rounding": {"half_up": "to the nearest dollar, a half away from zero"},
    "one_on_one": {"offered": "the judge may let them play a game of two; otherwise a lot"},
    "turns_played": {"played": "those really played, not skipped by Jail or after leaving"},
    "enlistment_insufficient_fee": {"pay_what_you_have": "pays what is there"},
    "experience_cap": {"next_game_starting_life": "the life points at the start of the next game"},
    "simplified_multiplier": {
        "outlaws": "the Outlaws at the start",
        "renegade_players": "all players at the start, as that row is printed",
    },
    "rebel_money": {"current_sheriff": "the player who is Sheriff at the end"},
    "short_duel_start": {"draw": "a draw decides", "better_placed": "the better placed player"},
    "long_duel_excess": {"lost": "they are lost", "carried": "the next character takes them"},
}
"""For each reading that is not a yes or no, what each of its values means."""


def answer_words(reading: str, value: str) -> str:
    """Return a value with its meaning; yes and no for themselves."""
    meaning = ANSWER_WORDS.get(reading, {}).get(value)
    return value if meaning is None else f"{value}: {meaning}"

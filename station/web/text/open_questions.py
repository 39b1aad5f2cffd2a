"""The points that the rules don't settle, in words: one question for each field of ``Readings``.

The table is literal. The answers are keyed by the value in a file. The English words are the keys for
translation.
"""

from collections.abc import Mapping
from typing import Final


def _(text: str) -> str:
    return text


_Put = tuple[str, str, Mapping[str | bool, str]]

QUESTIONS: Final[Mapping[str, _Put]] = {
    "min_players": (
        "D01", _("What if fewer players come than the table chart begins with?"),
        {"block_with_override": _("The tournament does not begin, unless the judge calls it unofficial.")},
    ),
    "rounds_recomputed_on_withdrawal": (
        "D04", _("Does the number of rounds change when players leave?"),
        {False: _("No, it stays as at the first draw."), True: _("Yes, it is looked up again.")},
    ),
    "below_min_mid": (
        "D05", _("What if too few players are left in the middle of the tournament?"),
        {"judge": _("The judge decides.")},
    ),
    "sheriff_repeat": (
        "D06", _("Who is Sheriff when too few players are left who never were?"),
        {"fewest_then_draw": _("Whoever was Sheriff least often; among equals the draw decides.")},
    ),
    "simultaneous": (
        "D07", _("When one card eliminates several players, when does the game end?"),
        {
            "end_of_effect": _("After the whole card: all of them count."),
            "elimination_order": _("At the first elimination that ends it; the others do not count."),
        },
    ),
    "renegade_final_duel": (
        "D08", _("When has the Renegade lost the final duel?"),
        {
            "footnote": _("When only Sheriff and Renegade were left, whatever eliminated the Renegade."),
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
        "D10", _("With whom does High Noon begin when the player after the Sheriff is out?"),
        {"next_living": _("With the next player in play.")},
    ),
    "high_noon_trigger_in_starter_turn": (
        "D11", _("What if High Noon is called in the very turn of the player it begins with?"),
        {"next_orbit": _("It begins with that player's next turn.")},
    ),
    "high_noon_affects_passive": (
        "D12", _("Does High Noon take life points from a player who left?"),
        {True: _("Yes, and no Beer may answer it."), False: _("No.")},
    ),
    "high_noon_order": (
        "D13", _("What comes first at the start of a turn: High Noon, or Jail and Dynamite?"),
        {"first": _("High Noon.")},
    ),
    "high_noon_beer": (
        "D14", _("When may a Beer answer High Noon?"),
        {"last_point_only": _("Only when it takes the last life point.")},
    ),
    "high_noon_further_reshuffles": (
        "D15", _("Does another reshuffle during High Noon change anything?"),
        {"no_extra": _("No.")},
    ),
    "high_noon_sid_ketchum": (
        "D17", _("May Sid Ketchum discard two cards to answer High Noon?"),
        {True: _("Yes, as with a Beer."), False: _("No.")},
    ),
    "marogi_scores": (
        "D18", _("Which scores of the opponents make the Marogi?"),
        {"final_totals": _("Their totals at the end, before the bonus.")},
    ),
    "tiebreak_opponents": (
        "D19", _("How does an opponent count whom a player met twice?"),
        {"per_encounter": _("Twice."), "distinct": _("Once.")},
    ),
    "withdrawn_ranking": (
        "D21", _("Where are players ranked who left?"), {"bottom": _("Below all others, without a rank.")},
    ),
    "withdrawn_count_for_opponents": (
        "D21", _("Do players who left count for the tie-breaks of those they met?"),
        {True: _("Yes."), False: _("No.")},
    ),
    "high_noon_threshold": (
        "D16", _("When does High Noon begin at a table of a size that is not printed?"),
        {"nearest_printed": _("As at the nearest size that is printed.")},
    ),
    "buchholz_further_tie": (
        "D20", _("What if players are still tied after Buchholz?"),
        {
            "draw": _("The judge draws lots."),
            "matches_won": _("Whoever won more matches comes first; then the judge draws lots."),
        },
    ),
    "third_place": (
        "D23", _("Which places do the two have who lost a semifinal?"),
        {"shared": _("Both are third to fourth; the better placed of the rounds is named first.")},
    ),
    "finalist_replacement": (
        "D24", _("What if a finalist leaves?"), {"none": _("The opponent wins; nobody moves up.")},
    ),
    "prize_other_rounds": (
        "D25", _("Which prizes are there after a number of rounds that the table does not name?"),
        {"linear": _("In proportion, by the rounds really played.")},
    ),
    "auction_broke_player": (
        "D26", _("What if a player without money should put a character up?"),
        {"skipped": _("The player is passed over and takes a character after all others.")},
    ),
    "auction_take_order": (
        "D27", _("In which order do players without money take what is left?"),
        {"clockwise_from_sheriff": _("Clockwise from the Sheriff.")},
    ),
    "rounding": (
        "D29", _("What becomes of an average that is not a whole number of dollars?"),
        {"half_up": _("It goes to the nearest dollar; a half goes away from zero.")},
    ),
    "one_on_one": (
        "D30", _("What if exactly two are tied after all that is counted?"),
        {"offered": _("The judge may let them play a game of two; otherwise lots are drawn.")},
    ),
    "turns_played": (
        "D31", _("Which turns count as played?"),
        {"played": _("Those really played; turns skipped by Jail or after leaving do not.")},
    ),
    "enlistment_in_score": (
        "D32", _("Is what is left of the start money of an enlistment part of the score?"),
        {True: _("Yes."), False: _("No.")},
    ),
    "enlistment_insufficient_fee": (
        "D32", _("What if the player of the last character has less than its price?"),
        {"pay_what_you_have": _("The player pays what is there.")},
    ),
    "experience_cap": (
        "D33", _("How many cards may be kept at most?"),
        {"next_game_starting_life": _("As many as the life points at the start of the next game.")},
    ),
    "simplified_multiplier": (
        "D34", _("By what is a winning Renegade's amount counted, where a table pays it for each Outlaw?"),
        {"outlaws": _("By the Outlaws at the start."), "renegade_players": _("By all players at the start.")},
    ),
    "deputy_penalty_in_simplified": (
        "D36", _("Does the Deputy's penalty hold with a winnings table that does not name it?"),
        {False: _("No."), True: _("Yes.")},
    ),
    "rebel_money": (
        "D37", _("Who is paid as the Sheriff after a Revolution?"),
        {"current_sheriff": _("Whoever is Sheriff at the end.")},
    ),
    "short_duel_start": (
        "D40", _("Who starts a short duel?"),
        {"draw": _("It is drawn."), "better_placed": _("The better placed player.")},
    ),
    "long_duel_excess": (
        "D40", _("In a long duel, what becomes of wounds that are too many for a character?"),
        {"lost": _("They are lost."), "carried": _("The character who enters next takes them.")},
    ),
    "eliminated_count_as_winners": (
        "D42", _("Has an eliminated player of the winning side won the match?"),
        {True: _("Yes."), False: _("No.")},
    ),
}  # fmt: skip
"""Each reading with its decision, its question, and its answers."""

"""Reasons for refusals: our names, and the synonyms used in cases."""

from collections.abc import Mapping, Sequence

from core.game.state.reasons import GameReason

NOT_IN_FRONT = "not_in_front"
TOO_LITTLE_MONEY = "insufficient_funds"
MORE_THAN_LIFE = "more_than_starting_life"

_ALSO_CALLED: Mapping[str, frozenset[str]] = {
    NOT_IN_FRONT: frozenset(
        {"card_not_in_front", "no_such_card", "eliminated", "did_not_survive", "no_cards"}
    ),
    TOO_LITTLE_MONEY: frozenset(
        {"not_enough_money", "may_not_spend", "more_than_total", "too_expensive", "insufficient_money"}
    ),
    MORE_THAN_LIFE: frozenset({"too_many_cards", "more_than_life", "above_starting_life", "experience_cap"}),
    GameReason.DUEL_OVER.name.lower(): frozenset({"over", "won", "duel_won", "already_won", "game_over"}),
    GameReason.BEER_IN_A_DUEL.name.lower(): frozenset(
        {"beer_is_only_a_joker", "beer_is_a_joker", "beer_never_heals", "no_beer", "beer_cannot_heal"}
    ),
    GameReason.CHARACTER_FULL.name.lower(): frozenset({"full_life", "at_maximum", "already_full"}),
    GameReason.ALREADY_PICKED.name.lower(): frozenset(
        {"taken", "character_taken", "not_free", "already_taken"}
    ),
    GameReason.PICKS_NOT_NOW.name.lower(): frozenset(
        {"out_of_turn", "not_your_pick", "not_its_turn", "wrong_player"}
    ),
    GameReason.NOT_FACE_UP.name.lower(): frozenset({"not_offered", "unknown_character", "not_available"}),
    GameReason.JAILED_IN_FRONT.name.lower(): frozenset({"jailed", "in_jail", "jail", "character_in_jail"}),
}
"""Synonyms of each reason. Any other word in a case is a remark for human readers."""


def with_reasons_of(expected: object, actual: object) -> object:
    """Replace synonyms of refusal reasons in expected by the equivalent ones in found.

    The refusal itself is compared under ``accepted``. A known reason that differs is kept.
    """
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return {
            key: _reason(value, actual[key])
            if key == "reason" and key in actual
            else with_reasons_of(value, actual.get(key))
            for key, value in expected.items()
        }
    if isinstance(expected, list) and isinstance(actual, Sequence) and len(expected) == len(actual):
        return [with_reasons_of(one, other) for one, other in zip(expected, actual, strict=True)]
    return expected


def _reason(expected: object, actual: object) -> object:
    if not isinstance(expected, str) or not isinstance(actual, str):
        return expected
    meant = [reason for reason, others in _ALSO_CALLED.items() if expected in {reason, *others}]
    return actual if not meant or actual in meant else expected

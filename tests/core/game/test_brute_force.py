"""The derivation of endings against a second, naive referee: every order of eliminations.

One by one and exhaustive: at tables of 4 to 8, 34,389 games. At 9 and 10 all orders of roles,
where players of one role are alike, 26,707 games; which of them falls, and several by one card, is sampled.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.loader import edition
from core.game.ending.endings import InProgress, Outcome, outcome
from core.game.state.game import Cause, Elimination
from core.terms import Role, SeatNo
from tests.core.game.naive_referee import DEALS, REBEL_DEALS, Fall, Referee, every_order
from tests.examples import examples

READINGS = edition("championship-2022").readings
GAMES = {
    "4": (16, DEALS[4], False),
    "5": (59, DEALS[5], False),
    "6": (302, DEALS[6], False),
    "7": (1_669, DEALS[7], False),
    "8": (12_020, DEALS[8], False),
    "4 with the Rebel!": (23, REBEL_DEALS[4], False),
    "6 with the Rebel!": (473, REBEL_DEALS[6], False),
    "8 with the Rebel!": (19_827, REBEL_DEALS[8], False),
    "9 with the Rebel!": (7_808, REBEL_DEALS[9], True),
    "10 with the Rebel!": (18_899, REBEL_DEALS[10], True),
}

MANY = 10_000
"""So many orders are left to the night."""


def written(deal: Sequence[str], cards: Sequence[Sequence[Fall]]) -> tuple[Elimination, ...]:
    """The same falls as the core reads them; a fall by nobody's own turn is Dynamite, or a Duel lost."""
    eliminations = []
    rebel = deal.index("rebel") + 1 if "rebel" in deal else None
    for number, card in enumerate(cards, start=1):
        for seat, hand in card:
            lost_duel = hand is None and seat % 2 == 0 and rebel not in {None, seat}
            by = rebel if lost_duel else hand
            turn = seat if by is None or lost_duel else by
            cause = Cause.DYNAMITE if by is None else Cause.PLAYER
            killer = None if by is None else SeatNo(by)
            role = Role(deal[seat - 1])
            eliminations.append(Elimination(SeatNo(seat), killer, SeatNo(turn), number, cause, role))
    return tuple(eliminations)


def check_agreement(deal: Sequence[str], cards: Sequence[Sequence[Fall]]) -> None:
    """Both referees say the same of these cards, of which the last one ends the game."""
    referee = Referee(deal)
    for card in cards:
        assert referee.ending is None
        referee.watch([seat for seat, _ in card], card[0][1])
    roles, eliminations = tuple(Role(role) for role in deal), written(deal, cards)
    result = outcome(roles, eliminations, READINGS)
    assert list(result.alive) == referee.alive
    assert result.current_sheriff == referee.star
    assert (None if result.revolution is None else result.revolution.seat) == referee.revolution
    if referee.ending is None:
        assert isinstance(result, InProgress)
        return
    assert isinstance(result, Outcome)
    assert result.ending.value == referee.ending
    assert result.after == len(eliminations)
    assert list(result.winners) == referee.winners()
    assert list(result.final_duel_lost) == referee.final_duel
    before = outcome(roles, written(deal, cards[:-1]), READINGS)
    assert isinstance(before, InProgress), "the game had ended before"


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [pytest.param(name, marks=() if game[0] < MANY else pytest.mark.nightly) for name, game in GAMES.items()],
)
def test_every_order_of_eliminations_ends_once_and_as_the_referee_says(game: str) -> None:
    expected, deal, equals = GAMES[game]
    count = 0
    for falls in every_order(deal, equals=equals):
        check_agreement(deal, [[fall] for fall in falls])
        count += 1
    assert count == expected


@st.composite
def any_cards(draw: st.DrawFn) -> tuple[tuple[str, ...], list[list[Fall]]]:
    """A game of any size up to its end, or short of it, with cards that hit several."""
    deal = draw(st.sampled_from([*DEALS.values(), *REBEL_DEALS.values()]))
    others = draw(st.permutations(deal[1:]))
    roles = (deal[0], *others)
    referee, cards = Referee(roles), list[list[Fall]]()
    while referee.ending is None and draw(st.integers(0, 19)):
        hit = draw(st.integers(1, min(3, len(referee.alive) - 1)))
        falls = draw(st.permutations(referee.alive))[:hit]
        rebels = [seat for seat in referee.alive if roles[seat - 1] == "rebel" and seat not in falls]
        hand = draw(st.sampled_from([None, *rebels]))
        referee.watch(falls, hand)
        cards.append([(seat, hand) for seat in falls])
    return roles, cards


@pytest.mark.slow
@settings(max_examples=examples(2_000), deadline=None)
@given(game=any_cards())
def test_cards_that_hit_several_are_judged_alike(game: tuple[tuple[str, ...], list[list[Fall]]]) -> None:
    check_agreement(*game)

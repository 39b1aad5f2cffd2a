"""Endings and winnings of whole games: worked cases, what holds for any eliminations, and a second referee.

A naive referee judges every order of eliminations: at tables of 4 to 8 one by one, 34,389 games; at 9 and
10 all orders of roles, where players of one role are alike, 26,707 games. Which of them falls, and several
by one card, is sampled.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.editions.loader import edition
from core.game.ending.endings import InProgress, Outcome, outcome
from core.game.ending.finished_game import FinishedGame, check_finished
from core.game.ending.winnings import winnings
from core.game.state.game import Abandonment, Because, Cause, Elimination
from core.terms import Ending, PlayerId, Role, RoundNo, SeatNo, TableNo
from tests.core.game.conftest import ROLES, with_readings
from tests.core.game.naive_referee import DEALS, REBEL_DEALS, Fall, Referee, every_order
from tests.examples import examples

CASES = json.loads((Path(__file__).parents[1] / "golden" / "endings.json").read_text(encoding="utf-8"))
RULES = edition("championship-2022")


def eliminations_of(case: dict[str, Any]) -> tuple[Elimination, ...]:
    eliminations: list[Elimination] = []
    effect, card = 0, None
    for given_out in case["eliminations"]:
        if given_out.get("effect") is None or given_out["effect"] != card:
            effect += 1
        card = given_out.get("effect")
        cause = Cause.DYNAMITE if given_out["by"] is None else Cause.PLAYER
        role = Role(case["roles"][given_out["seat"] - 1])
        eliminations.append(
            Elimination(given_out["seat"], given_out["by"], given_out["turn"], effect, cause, role)
        )
    return tuple(eliminations)


def found_for(case: dict[str, Any]) -> dict[str, object]:
    rules = with_readings(RULES, **case["config"])
    eliminations = eliminations_of(case)
    roles = tuple(Role(role) for role in case["roles"])
    ended = outcome(roles, eliminations, rules.readings, time_limit=case["time_limit"])
    over = ended if isinstance(ended, Outcome) else None
    if over and over.after == len(eliminations):
        assert check_finished(finished(case, over), rules) == over
    return {
        "outcome": over.ending.value if over else "in_progress",
        "ended_after_elimination": over.after if over else None,
        "won": list(over.winners) if over else [],
        "alive_at_end": list(ended.alive),
        "renegade_final_duel_lost": list(over.final_duel_lost) if over else [],
        "payout": list(winnings(finished(case, over), rules)) if over else None,
    }


def finished(case: dict[str, Any], ended: Outcome) -> FinishedGame:
    return FinishedGame(
        round=RoundNo(1),
        table=TableNo(1),
        players=tuple(PlayerId(f"p{seat}") for seat in range(len(case["roles"]))),
        roles=ended.roles,
        eliminations=eliminations_of(case),
        abandonments=tuple(
            Abandonment(left["seat"], left["after_eliminations"]) for left in case["abandonments"]
        ),
        ending=ended.ending,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}: {case['about']}")
def test_worked_case(case: dict[str, Any]) -> None:
    """The sheet of a game that ends with its last elimination is accepted too."""
    result = found_for(case)
    assert {key: result[key] for key in case["expected"]} == case["expected"]


def killed(*seats: int, by: int = 1, players: int = 5) -> tuple[Elimination, ...]:
    """Each by a card of its own, in the turn of the same player."""
    return tuple(
        Elimination(SeatNo(seat), SeatNo(by), SeatNo(by), number, Cause.PLAYER, ROLES[players][seat - 1])
        for number, seat in enumerate(seats, start=1)
    )


def ended(eliminations: tuple[Elimination, ...], *, time_limit: bool = False, **readings: object) -> Outcome:
    """The outcome of a game of five."""
    read = with_readings(RULES, **readings).readings
    result = outcome(ROLES[5], eliminations, read, time_limit=time_limit)
    assert isinstance(result, Outcome)
    return result


@pytest.mark.parametrize(
    ("reading", "last_by", "lost"),
    [
        pytest.param("label", 1, (5,), id="label, by the Sheriff"),
        pytest.param("label", 3, (), id="label, by the Deputy"),
        pytest.param("footnote", 1, (), id="footnote"),
    ],
)
def test_d08_label_lets_others_be_alive(reading: str, last_by: int, lost: tuple[int, ...]) -> None:
    shots = (*killed(2, 4), killed(2, 4, 5, by=last_by)[2])
    assert ended(shots, renegade_final_duel=reading).final_duel_lost == lost


def test_d08_the_last_outlaw_and_the_renegade_by_one_card_is_no_final_duel() -> None:
    first, second, third, fourth = killed(3, 2, 4, 5)
    gatling = Elimination(fourth.seat, fourth.by, fourth.turn, third.effect, fourth.cause, fourth.role)
    result = ended((first, second, third, gatling))
    assert (result.ending, result.final_duel_lost) == (Ending.LAW_WINS, ())


def test_d42_otherwise_read_only_the_living_have_won() -> None:
    shots = (*killed(2, by=1), *killed(2, 1, by=5)[1:])
    result = ended(shots, eliminated_count_as_winners=False)
    assert (result.ending, result.winners) == (Ending.OUTLAWS_WIN, (4,))


def test_the_time_limit_does_not_undo_an_ending_that_was_met() -> None:
    result = ended(killed(1, by=2), time_limit=True)
    assert (result.ending, result.because) == (Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


@st.composite
def any_eliminations(draw: st.DrawFn) -> tuple[tuple[Role, ...], tuple[Elimination, ...]]:
    roles = ROLES[draw(st.sampled_from([4, 5, 6, 7]))]
    order = draw(st.permutations(range(1, len(roles) + 1)))
    count = draw(st.integers(0, len(roles) - 1))
    effect, eliminations = 0, []
    for seat in order[:count]:
        effect += draw(st.sampled_from([0, 1])) if effect else 1
        by = draw(st.sampled_from([other for other in order if other != seat]))
        eliminations.append(
            Elimination(SeatNo(seat), SeatNo(by), SeatNo(by), effect, Cause.PLAYER, roles[seat - 1])
        )
    return roles, tuple(eliminations)


@pytest.mark.slow
@pytest.mark.parametrize("simultaneous", ["end_of_effect", "elimination_order"])
@given(game=any_eliminations())
def test_whoever_wins_is_of_the_side_that_won(
    game: tuple[tuple[Role, ...], tuple[Elimination, ...]], simultaneous: str
) -> None:
    roles, eliminations = game
    readings = with_readings(RULES, simultaneous=simultaneous).readings
    result = outcome(roles, eliminations, readings)
    living = {roles[seat - 1] for seat in result.alive}
    if isinstance(result, InProgress):
        assert Role.SHERIFF in living
        assert living & {Role.OUTLAW, Role.RENEGADE}
        return
    sides = {
        Ending.LAW_WINS: {Role.SHERIFF, Role.DEPUTY} & set(roles),
        Ending.OUTLAWS_WIN: {Role.OUTLAW},
        Ending.RENEGADE_WINS: {Role.RENEGADE},
    }
    assert {roles[seat - 1] for seat in result.winners} == sides[result.ending]
    assert (Role.SHERIFF in living) is (result.ending is Ending.LAW_WINS)
    assert len(result.alive) == len(roles) - result.after
    assert set(result.final_duel_lost) <= {roles.index(Role.RENEGADE) + 1}


@given(game=any_eliminations())
def test_one_more_elimination_never_changes_an_ending(
    game: tuple[tuple[Role, ...], tuple[Elimination, ...]],
) -> None:
    roles, eliminations = game
    whole = outcome(roles, eliminations, RULES.readings)
    for count in range(1, len(eliminations)):
        ends_effect = eliminations[count].effect != eliminations[count - 1].effect
        part = outcome(roles, eliminations[:count], RULES.readings)
        if ends_effect and isinstance(part, Outcome):
            assert whole == part


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

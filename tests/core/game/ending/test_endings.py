"""Endings and winnings of whole games: worked cases, and what holds for any eliminations."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.ending.endings import InProgress, Outcome, outcome
from core.game.ending.finished_game import FinishedGame, check_finished
from core.game.ending.winnings import winnings
from core.game.state.game import Abandonment, Because, Cause, Elimination
from core.terms import Ending, PlayerId, Role, RoundNo, SeatNo, TableNo
from tests.core.game.conftest import ROLES, with_readings

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
    roles = tuple(Role(role) for role in case["roles"])
    ended = outcome(roles, eliminations_of(case), rules.readings, time_limit=case["time_limit"])
    if isinstance(ended, InProgress):
        return {
            "outcome": "in_progress",
            "ended_after_elimination": None,
            "won": [],
            "alive_at_end": list(ended.alive),
            "renegade_final_duel_lost": [],
        }
    return {
        "outcome": ended.ending.value,
        "ended_after_elimination": ended.after,
        "won": list(ended.winners),
        "alive_at_end": list(ended.alive),
        "renegade_final_duel_lost": list(ended.final_duel_lost),
        "payout": list(winnings(finished(case, ended), rules)),
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
    result = found_for(case)
    assert {key: result[key] for key in case["expected"]} == case["expected"]


def killed(*seats: int, by: int = 1, players: int = 5) -> tuple[Elimination, ...]:
    """Each by a card of its own, in the turn of the same player."""
    return tuple(
        Elimination(SeatNo(seat), SeatNo(by), SeatNo(by), number, Cause.PLAYER, ROLES[players][seat - 1])
        for number, seat in enumerate(seats, start=1)
    )


def test_d08_label_lets_others_be_alive() -> None:
    label = with_readings(RULES, renegade_final_duel="label").readings
    by_sheriff = outcome(ROLES[5], killed(2, 4, 5), label)
    by_deputy = outcome(ROLES[5], (*killed(2, 4), killed(2, 4, 5, by=3)[2]), label)
    footnote = outcome(ROLES[5], killed(2, 4, 5), RULES.readings)
    assert isinstance(by_sheriff, Outcome)
    assert isinstance(by_deputy, Outcome)
    assert isinstance(footnote, Outcome)
    assert (by_sheriff.final_duel_lost, by_deputy.final_duel_lost, footnote.final_duel_lost) == ((5,), (), ())


def test_d08_the_last_outlaw_and_the_renegade_by_one_card_is_no_final_duel() -> None:
    first, second, third, fourth = killed(3, 2, 4, 5)
    gatling = Elimination(fourth.seat, fourth.by, fourth.turn, third.effect, fourth.cause, fourth.role)
    ended = outcome(ROLES[5], (first, second, third, gatling), RULES.readings)
    assert isinstance(ended, Outcome)
    assert (ended.ending, ended.final_duel_lost) == (Ending.LAW_WINS, ())


def test_d42_otherwise_read_only_the_living_have_won() -> None:
    living = with_readings(RULES, eliminated_count_as_winners=False)
    ended = outcome(ROLES[5], (*killed(2, by=1), *killed(2, 1, by=5)[1:]), living.readings)
    assert isinstance(ended, Outcome)
    assert (ended.ending, ended.winners) == (Ending.OUTLAWS_WIN, (4,))


def test_the_time_limit_does_not_undo_an_ending_that_was_met() -> None:
    ended = outcome(ROLES[5], killed(1, by=2), RULES.readings, time_limit=True)
    assert isinstance(ended, Outcome)
    assert (ended.ending, ended.because) == (Ending.OUTLAWS_WIN, Because.SHERIFF_OUT)


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
    ended = outcome(roles, eliminations, readings)
    living = {roles[seat - 1] for seat in ended.alive}
    if isinstance(ended, InProgress):
        assert Role.SHERIFF in living
        assert living & {Role.OUTLAW, Role.RENEGADE}
        return
    sides = {
        Ending.LAW_WINS: {Role.SHERIFF, Role.DEPUTY} & set(roles),
        Ending.OUTLAWS_WIN: {Role.OUTLAW},
        Ending.RENEGADE_WINS: {Role.RENEGADE},
    }
    assert {roles[seat - 1] for seat in ended.winners} == sides[ended.ending]
    assert (Role.SHERIFF in living) is (ended.ending is Ending.LAW_WINS)
    assert len(ended.alive) == len(roles) - ended.after
    assert set(ended.final_duel_lost) <= {roles.index(Role.RENEGADE) + 1}


@given(game=any_eliminations())
def test_one_more_elimination_never_changes_an_ending(
    game: tuple[tuple[Role, ...], tuple[Elimination, ...]],
) -> None:
    roles, eliminations = game
    whole = outcome(roles, eliminations, RULES.readings)
    for count in _ends_of_effects(eliminations):
        part = outcome(roles, eliminations[:count], RULES.readings)
        if isinstance(part, Outcome):
            assert whole == part


def _ends_of_effects(eliminations: Sequence[Elimination]) -> list[int]:
    return [
        count
        for count in range(1, len(eliminations))
        if eliminations[count].effect != eliminations[count - 1].effect
    ]


def test_check_finished_accepts_the_worked_games(rules: Edition) -> None:
    for case in CASES:
        ended = outcome(
            tuple(Role(role) for role in case["roles"]),
            eliminations_of(case),
            rules.readings,
            time_limit=case["time_limit"],
        )
        if isinstance(ended, Outcome) and ended.after == len(case["eliminations"]):
            assert check_finished(finished(case, ended), rules) == ended

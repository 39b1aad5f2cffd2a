"""High Noon from plain events; the worked cases are in golden/high-noon.json."""

import pytest

from base.errors import BadData
from core.cli.cases.turn_trace import PlainGame, Trace, trace_game
from core.cli.files import decode
from core.editions.loader import edition

RULES = edition("championship-2022")
ARMED = '{"type":"turn_start","seat":1},{"type":"reshuffle"},{"type":"reshuffle"},{"type":"reshuffle"}'


def after(events: str, life: str = "[5,1,4,4,4]", roles: str = "null") -> Trace:
    text = f'{{"players":5,"life":{life},"roles":{roles},"events":[{events}]}}'
    return trace_game(decode(text, PlainGame, "here"), RULES, "here")[-1]


@pytest.mark.parametrize(("response", "accepted"), [("beer", True), ("sid_ketchum", True), ("missed", False)])
def test_a_beer_may_answer_the_loss_of_the_last_point_and_a_missed_may_not(
    response: str, *, accepted: bool
) -> None:
    trace = after(f'{ARMED},{{"type":"turn_start","seat":2,"response":"{response}"}}')
    assert trace.turns[-1].accepted is accepted
    assert trace.turns[-1].eliminated is not accepted
    assert trace.life[1] == (1 if accepted else 0)


def test_an_answer_where_nothing_was_lost_is_not_accepted() -> None:
    assert after('{"type":"turn_start","seat":2,"response":"beer"}').turns[-1].accepted is False


def test_the_game_ends_when_high_noon_takes_the_sheriff() -> None:
    roles = '["sheriff","outlaw","deputy","outlaw","renegade"]'
    turns = ",".join(f'{{"type":"turn_start","seat":{seat}}}' for seat in (2, 3, 4, 5, 1))
    trace = after(f"{ARMED},{turns}", "[1,4,4,4,4]", roles)
    assert trace.ending is not None
    assert trace.ending.value == "outlaws_win"
    with pytest.raises(BadData, match=r"events\[9\]: the game is already over"):
        after(f'{ARMED},{turns},{{"type":"turn_start","seat":2}}', "[1,4,4,4,4]", roles)


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ('{"type":"turn_start","seat":6}', r"events\[0\]: there is no seat 6"),
        ('{"type":"eliminated","seat":2},{"type":"life","seat":2,"delta":1}', "seat 2 is already out"),
        ('{"type":"duel","seat":2}', "Invalid value 'duel'"),
    ],
)
def test_an_event_that_cannot_happen_is_named(events: str, problem: str) -> None:
    with pytest.raises(BadData, match=problem):
        after(events)


def test_a_game_that_does_not_fit_itself_is_refused() -> None:
    with pytest.raises(BadData, match="4 seats in life for 5 players"):
        after("", "[5,4,4,4]")
    with pytest.raises(BadData, match="seat 1 is not the only Sheriff"):
        after("", roles='["outlaw","sheriff","deputy","outlaw","renegade"]')
    with pytest.raises(BadData, match="seat 1 is not the only Sheriff"):
        after("", roles='["outlaw","outlaw","deputy","outlaw","renegade"]')

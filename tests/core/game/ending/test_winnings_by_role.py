"""The winnings announced before the roles are shown are those of the record sheet afterwards."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.editions.edition import Edition
from core.editions.loader import edition
from core.editions.winnings_table import WinningsCase
from core.game.clock import EndByTimeLimit
from core.game.ending.finished import finished_game
from core.game.ending.sheet import DeclareRoles
from core.game.ending.winnings import winnings, winnings_by_role
from core.game.state.game import Phase
from core.terms import Role
from tests.core.game.conftest import ROLES, ScriptedTable
from tests.core.game.strategies import next_move
from tests.core.game.test_decide import after
from tests.examples import examples

RULES = edition("championship-2022")
BEGUN = {players: ScriptedTable(RULES).begun(players).timeline for players in (5, 6, 7)}
TELLING = [
    edition(key) for key in ("championship-2022", "championship-2010", "official-2003", "simplified-2003")
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", TELLING, ids=lambda rules: rules.key)
@settings(deadline=None, max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])
@given(players=st.sampled_from([5, 6, 7]), data=st.data())
def test_each_amount_of_the_sheet_is_among_those_told_for_the_role(
    rules: Edition, players: int, data: st.DataObject
) -> None:
    timeline = BEGUN[players]
    assert timeline is not None
    for _ in range(80):
        if timeline.state.phase is not Phase.PLAYING:
            break
        timeline = after(timeline, data.draw(next_move(timeline.state, ROLES[players])))
    if timeline.state.phase is Phase.PLAYING:
        timeline = after(timeline, EndByTimeLimit())
    payments = winnings_by_role(timeline.state, rules)
    declared = after(timeline, DeclareRoles(ROLES[players])).state
    if declared.phase is not Phase.SHEET:
        return
    killed_sheriff = {e.by for e in declared.eliminations if e.seat == 1}
    for seat, dollars in zip(declared.seats, winnings(finished_game(declared), rules), strict=True):
        if seat.seat in killed_sheriff:
            continue  # a Deputy's penalty is no row of the table
        assert dollars in {pay.dollars for pay in payments if pay.role is seat.role}


def test_nothing_is_told_before_an_ending() -> None:
    timeline = BEGUN[5]
    assert timeline is not None
    assert winnings_by_role(timeline.state, RULES) == ()


def test_an_eliminated_winner_is_not_paid_for_those_eliminated() -> None:
    rules = edition("simplified-2003")
    table = ScriptedTable(RULES).begun(5)
    one, other = (seat for seat, role in enumerate(ROLES[5], start=1) if role is Role.OUTLAW)
    table.kill(one, by=1)
    table.kill(1, by=other)
    payments = winnings_by_role(table.now(), rules)
    assert [(pay.case, pay.dollars) for pay in payments if pay.role is Role.OUTLAW] == [
        (WinningsCase.ALIVE, 2 * 1000 + 2 * 500),
        (WinningsCase.ELIMINATED, 2 * 1000),
    ]
    table.declare()
    assert winnings(finished_game(table.now()), rules) == (0, 2000, 0, 3000, 0)

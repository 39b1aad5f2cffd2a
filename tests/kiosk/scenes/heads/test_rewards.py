"""The rewards and penalties of an elimination are shown in the middle until the turn ends."""

import pytest

from core.editions.loader import rules_of
from core.game.ending.rebel import RevealRebel
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn
from core.game.state.decisions import Undo
from core.game.state.game import Cause
from core.rule_set import OptionKey, RuleSet
from core.terms import Role, SeatNo
from kiosk.terminal.display.screen import TableScreen
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES
from tests.scenarios.moments import Table

SHERIFF, TWO, FOUR = SeatNo(1), SeatNo(2), SeatNo(4)
CASH = rules_of(RuleSet("simplified-2003", (OptionKey.CASH_REWARDS,)))
DUE = "draws 3 cards"
COST = "The Sheriff eliminated a Deputy and discards all cards."


def said(table: Table) -> str:
    screen = TableScreen(GLASSES["800x480"], failsafe=False)
    screen.update(table.view())
    return " / ".join(screen.visible_text())


def test_who_eliminated_an_outlaw_is_told_to_draw_three_cards_until_the_turn_ends() -> None:
    table = Table(6).begun()
    assert DUE not in said(table)
    table.kill(TWO, FOUR, Role.OUTLAW)
    assert f"{table.state.seats[FOUR - 1].name} {DUE}" in said(table)
    table.wound(5, 1)
    assert DUE in said(table)
    table.do(EndTurn())
    assert DUE not in said(table)


def test_a_whole_round_later_nothing_is_told_again() -> None:
    table = Table(6).begun().kill(TWO, FOUR, Role.OUTLAW)
    for _ in range(5):
        table.do(EndTurn())
        assert DUE not in said(table)
    assert table.state.turn == SHERIFF


def test_undo_takes_the_words_back() -> None:
    table = Table(6).begun().wound(TWO, 4)
    eliminated = table.do(Eliminate(TWO, FOUR, Role.OUTLAW, Cause.PLAYER))
    assert DUE in said(eliminated)
    assert DUE not in said(eliminated.do(Undo(1)))


def test_a_sheriff_who_eliminated_a_deputy_is_told_to_discard_all_cards() -> None:
    table = Table(6).begun().kill(TWO, SHERIFF, Role.DEPUTY)
    assert COST in said(table)
    assert COST not in said(table.do(EndTurn()))


@pytest.mark.parametrize(("by", "role"), [(FOUR, Role.DEPUTY), (SHERIFF, Role.RENEGADE)])
def test_other_eliminations_bring_and_cost_nothing_at_once(by: SeatNo, role: Role) -> None:
    text = said(Table(6).begun().kill(TWO, by, role))
    assert "cards." not in text


def test_dynamite_is_nobodys() -> None:
    table = Table(6).begun().wound(TWO, 4)
    assert DUE not in said(table.do(Eliminate(TWO, None, Role.OUTLAW, Cause.DYNAMITE)))


def test_with_cash_rewards_nobody_draws() -> None:
    assert DUE not in said(Table(6, CASH).begun().kill(TWO, FOUR, Role.OUTLAW))


def test_a_shown_rebel_lets_the_sheriff_keep_the_cards() -> None:
    table = Table(6, rebel_rules()).begun()
    table.do(EndTurn(), EndTurn(), RevealRebel(SeatNo(3)))
    assert "the Sheriff keeps all cards" in said(table.kill(TWO, SHERIFF, Role.DEPUTY))

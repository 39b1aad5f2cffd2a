"""Players' budgets follow from their earlier games."""

import msgspec

from core.characters import Character
from core.editions.loader import edition
from core.game.ending.finished import FinishedGame
from core.game.state.game import Stake
from core.rule_set import OptionKey
from core.terms import Dollars, RoundNo
from core.tournament.consequences import consequences
from core.tournament.sheets import CorrectSheet
from core.tournament.standings.ledger import budgets, is_money_spent, stakes
from core.tournament.state.rounds import DrawnTable, Round
from tests.core.game.auction.conftest import RULES_2010, rules_2003
from tests.core.tournament.conftest import Judge, outlaws_won

BASE = edition("championship-2022")
AUCTION = msgspec.structs.replace(BASE, start_money=Dollars(5000), characters=RULES_2010.characters)
"""The winnings of one championship with the auction of another: amounts as in the tests beside."""
PRICE = 6000
"""More than the start money: only who won a game can pay it."""


def bought(round_: Round, table: DrawnTable) -> FinishedGame:
    """Seat 2, an Outlaw, shoots the Sheriff; seats 1 and 2 have paid for their characters."""
    result = outlaws_won(round_, table)
    size = len(table.players)
    paid = (Dollars(100), Dollars(300), *(Dollars(0),) * (size - 2))
    return msgspec.structs.replace(result, spent=paid, prices=paid, characters=tuple(Character)[:size])


def test_nothing_is_brought_where_nothing_is_bought() -> None:
    judge = Judge(BASE).opens(10)
    judge.plays_round()
    assert is_money_spent(BASE) is False
    assert stakes(judge.state, BASE, RoundNo(2)) == {}


def test_start_money_comes_first_then_winnings_less_what_was_spent() -> None:
    judge = Judge(AUCTION).opens(10)
    round_ = judge.plays_round(bought)
    assert set(budgets(judge.state, AUCTION, RoundNo(1)).values()) == {5000}
    assert stakes(judge.state, AUCTION, RoundNo(1))[round_.tables[0].players[0]] == Stake(Dollars(5000))
    brought = stakes(judge.state, AUCTION, RoundNo(2))
    sheriff, outlaw, deputy = round_.tables[0].players[:3]
    first, second, third, *_ = Character
    assert brought[sheriff] == Stake(Dollars(4900), survived=False, owned=first, price=Dollars(100))
    assert brought[outlaw] == Stake(Dollars(6500), survived=True, owned=second, price=Dollars(300))
    assert brought[deputy] == Stake(Dollars(5000), survived=True, owned=third, price=Dollars(0))


def test_with_enlistment_everybody_starts_with_its_money() -> None:
    rules = rules_2003(OptionKey.ENLISTMENT)
    judge = Judge(rules).opens(10)
    assert set(budgets(judge.state, rules, RoundNo(1)).values()) == {1000}
    assert is_money_spent(rules_2003(OptionKey.EXPERIENCE))
    assert not is_money_spent(rules_2003())


def test_a_correction_shows_who_would_have_overspent_later() -> None:
    judge = Judge(AUCTION).opens(10)
    first = judge.plays_round(bought)
    winner = first.tables[0].players[1]

    def dear(round_: Round, table: DrawnTable) -> FinishedGame:
        spent = tuple(Dollars(PRICE if player == winner else 0) for player in table.players)
        return msgspec.structs.replace(outlaws_won(round_, table), spent=spent, prices=spent)

    second = judge.plays_round(dear)
    judge.publishes()
    table = first.tables[0]
    lost = msgspec.structs.replace(bought(first, table), spent=(), prices=())
    lost = msgspec.structs.replace(
        lost, spent=(Dollars(0), Dollars(1000), Dollars(0), Dollars(0), Dollars(0))
    )
    assert judge.timeline is not None
    result = consequences(judge.timeline, CorrectSheet(table.game, lost, "paid more"), AUCTION)
    assert {(change.round, change.player, change.before, change.after) for change in result.budgets} == {
        (2, table.players[0], 4900, 5000),
        (2, winner, 6500, 5800),
        (3, table.players[0], *_later(judge, table.players[0], 100)),
        (3, winner, *_later(judge, winner, -700)),
    }
    (overspent,) = result.overspent
    assert (overspent.round, overspent.player, overspent.spent) == (second.round, winner, PRICE)
    running = [change for change in result.budgets if change.round == RoundNo(3)]
    assert {change.spent for change in running} == {None}


def _later(judge: Judge, player: str, difference: int) -> tuple[int, int]:
    before = {str(who): dollars for who, dollars in budgets(judge.state, AUCTION, RoundNo(3)).items()}[player]
    return before, before + difference

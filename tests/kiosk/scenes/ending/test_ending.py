"""The ending at the table: each player agrees on their own panel, or calls the judge."""

import msgspec

from core.game.ending.sheet import WithdrawAgreement, awaited_seats
from core.game.state.game import Agreement, GameState, Phase
from core.terms import SeatNo
from kiosk.terminal.display.screen import TableScreen
from kiosk.view.intents import AskGame
from tests.kiosk.scenes.conftest import GLASSES, Hand
from tests.scenarios.duel_moments import LONG, DuelTable
from tests.scenarios.moments import Table

ONE, TWO, THREE, SIX = SeatNo(1), SeatNo(2), SeatNo(3), SeatNo(6)


class Played:
    """A table whose touches are carried out by the rules, with a key that can be turned."""

    def __init__(self, table: Table | DuelTable, *, key: bool = False) -> None:
        self.table, self.key = table, key
        self.screen = TableScreen(GLASSES["800x480"], failsafe=False)
        self.hand = Hand(self.screen)
        self.show()

    def show(self) -> None:
        self.screen.update(msgspec.structs.replace(self.table.view(), judge_present=self.key))

    @property
    def state(self) -> GameState:
        return self.table.state

    def touch(self, *targets: str) -> None:
        for target in targets:
            self.hand.intents.clear()
            self.hand.touch(target)
            for intent in self.hand.intents:
                assert isinstance(intent, AskGame)
                self.table.do(intent.command)
            self.show()

    def offers(self, target: str) -> bool:
        return any(button.id == target and button.enabled for button in self.screen.targets())


def test_the_roles_are_shown_when_all_who_are_asked_have_agreed() -> None:
    played = Played(Table(6).ended())
    assert awaited_seats(played.state) == tuple(SeatNo(n) for n in range(1, 6))
    for seat in awaited_seats(played.state):
        assert not played.offers("to-roles")
        played.touch(f"seat-{seat}-agrees")
    assert not played.offers("seat-6-agrees")
    played.touch("to-roles")
    assert played.screen.scene_name() == "roles-declare"


def test_a_tap_on_agreed_takes_it_back() -> None:
    played = Played(Table(6).ended())
    played.touch("seat-2-agrees", "seat-2-withdraws")
    assert played.state.agreement == Agreement()
    assert played.offers("seat-2-agrees")


def test_a_dispute_is_told_and_confirmed_before_it_calls_the_judge() -> None:
    played = Played(Table(6).ended())
    played.touch("seat-2-disputes")
    assert played.screen.scene_name() == "dispute"
    played.touch("back")
    assert played.state.agreement == Agreement()
    played.touch("seat-2-disputes", "dispute-now")
    assert played.state.agreement.disputed == (TWO,)
    assert played.state.judge_called
    assert played.screen.scene_name() == "ending"
    played.touch("seat-2-settles")
    assert played.state.agreement == Agreement()


def test_undo_at_the_ending_goes_back_into_the_game_at_once() -> None:
    played = Played(Table(6).ended())
    played.touch("seat-1-agrees", "seat-3-agrees", "seat-2-disputes", "dispute-now", "undo")
    assert played.state.phase is Phase.PLAYING
    assert played.state.agreement == Agreement()
    assert played.screen.scene_name() == "last-life"


def test_the_judge_goes_on_without_somebody() -> None:
    played = Played(Table(6).ended(), key=True)
    played.touch("seat-2-disputes", "dispute-now")
    played.touch("menu", "judge-menu", "goes-on", "seat-2-waive")
    assert played.screen.scene_name() == "ending"
    assert played.state.agreement == Agreement(disputed=(TWO,), waived=(TWO,))
    assert TWO not in awaited_seats(played.state)


def test_who_did_not_touch_anything_is_named_when_few_are_missing() -> None:
    table = Table(6).ended().agreed().do(WithdrawAgreement(THREE))
    played = Played(table)
    assert any("Čeněk Dvořák" in line for line in played.screen.visible_text())


def test_the_reasons_name_who_is_out_and_what_each_role_wins() -> None:
    played = Played(Table(6).ended())
    played.touch("ending-why")
    said = " ".join(played.screen.visible_text())
    assert "Bartolomeo (Outlaw) · by Čeněk Dvořák" in said
    assert "$1,500" in said
    played.touch("back")
    assert played.screen.scene_name() == "ending"


def test_a_duel_is_signed_when_both_agree_and_disputed_by_either() -> None:
    table = DuelTable(LONG).long()
    for _ in range(3):
        table.fall(TWO).enter(TWO)
    played = Played(table.fall(TWO))
    assert played.screen.scene_name() == "ending"
    played.touch("seat-2-disputes", "dispute-now", "seat-1-agrees")
    assert played.screen.scene_name() == "ending"
    played.touch("seat-2-agrees")
    assert played.screen.scene_name() == "sheet"
    played.touch("undo")
    assert played.screen.scene_name() == "ending"

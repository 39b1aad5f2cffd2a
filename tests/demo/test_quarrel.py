"""A table that disputes an ending, on the real screen of a terminal."""

from core.game.ending.agreement import WaiveAgreement
from core.terms import SeatNo
from demo.rehearsal.people import SCENES, Quarrel
from tests.kiosk.test_a_whole_game import Play


def quarrelled(play: Play) -> Quarrel:
    quarrel = Quarrel()
    for _ in range(30):
        seen = play.see()
        assert seen.scene in SCENES
        quarrel, touch = quarrel.next_touch(seen)
        if touch is None:
            return quarrel
        play.touch(touch.target)
    raise AssertionError("they never stopped")


def test_one_disputes_at_the_own_panel_and_the_others_agree() -> None:
    play = Play(5)
    play.table.ended()
    play.screen.update(play.view())
    quarrel = quarrelled(play)
    said = play.table.state.agreement
    assert len(said.disputed) == 1
    assert play.table.state.judge_called
    assert not quarrel.is_overruled(play.see())


def test_a_judge_who_goes_on_ends_the_quarrel() -> None:
    play = Play(5)
    play.table.ended()
    play.screen.update(play.view())
    quarrel = quarrelled(play)
    for seat in play.table.state.agreement.disputed:
        play.do(WaiveAgreement(SeatNo(seat)))
    play.screen.update(play.view())
    assert quarrel.is_overruled(play.see())

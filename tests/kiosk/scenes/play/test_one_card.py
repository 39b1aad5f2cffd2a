"""One card that hits several players, entered by touches: the questions, and the record sheet."""

import pytest

from core.editions.loader import edition
from core.game.ending.rebel import RevealRebel
from core.game.ending.sheet import DeclareRoles
from core.game.play.eliminations import Eliminate
from core.game.play.turns import EndTurn
from core.game.state.game import Cause
from core.terms import Ending, Role, SeatNo
from kiosk.ui.blocks import Label, Paragraph
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import Played
from tests.scenarios.moments import Table


def said(played: Played) -> set[str]:
    parts = [part for block in played.screen._blocks for part in block.parts]
    return {part.text for part in parts if isinstance(part, Label | Paragraph)}


def before_a_final_duel() -> Played:
    """Return a game of seven with only the Sheriff, an Outlaw and the Renegade left."""
    table = Table(7).begun()
    for seat, role in ((3, Role.OUTLAW), (4, Role.DEPUTY), (6, Role.OUTLAW), (7, Role.DEPUTY)):
        table.do(Eliminate(SeatNo(seat), None, role, Cause.DYNAMITE))
    return Played(table)


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "effects"), [("same-card", [5, 5]), ("other-card", [5, 6])])
def test_the_table_is_asked_once_whether_it_was_the_same_card(answer: str, effects: list[int]) -> None:
    played = before_a_final_duel()
    played.touch("seat-2-menu", "eliminated", "by-seat-1", "role-outlaw")
    assert len(played.state.eliminations) == 5
    played.touch("seat-5-menu", "eliminated", "by-seat-1", "role-renegade")
    assert "Emil: by the same card as Bartolomeo?" in said(played)
    played.touch("back")
    assert played.screen.scene_name() == "eliminate"
    played.touch("by-seat-1", "role-renegade", answer)
    assert [e.effect for e in played.state.eliminations][-2:] == effects
    assert played.screen.scene_name() == "ending"


@pytest.mark.slow
def test_a_second_elimination_asks_nothing_where_nothing_depends_on_it() -> None:
    played = Played(Table(7).begun())
    played.touch("seat-2-menu", "eliminated", "by-seat-1", "role-outlaw")
    played.touch("seat-3-menu", "eliminated", "by-seat-1", "role-outlaw")
    assert len(played.state.eliminations) == 2


@pytest.mark.slow
def test_the_ending_asks_whom_the_card_took_as_well() -> None:
    table = Table(7, edition("official-2003")).begun().do(EndTurn())
    table.do(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER))
    played = Played(table)
    assert played.screen.scene_name() == "ending"
    played.touch("out-too")
    assert "Did the same card eliminate anybody else?" in said(played)
    assert not played.offers("seat-1-out-too")
    assert not played.offers("seat-2-out-too")
    played.touch("seat-4-out-too", "role-deputy", "seat-6-out-too", "role-outlaw", "back")
    assert played.screen.scene_name() == "ending"
    assert [(e.seat, e.by, e.effect) for e in played.state.eliminations] == [(1, 2, 1), (4, 2, 1), (6, 2, 1)]
    played.touch("ending-why")
    assert any("by Bartolomeo, same card" in text for text in said(played))


def test_the_ending_asks_nothing_where_nothing_depends_on_it() -> None:
    table = Table(5).begun()
    table.do(Eliminate(SeatNo(1), None, Role.SHERIFF, Cause.DYNAMITE))
    assert not Played(table).offers("out-too")


def test_the_card_that_took_the_sheriff_may_have_taken_others_before_the_rebel_is_shown() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn())
    played = Played(table.kill(1, 3, Role.SHERIFF))
    assert played.screen.scene_name() == "revolution"
    played.touch("out-too", "seat-2-out-too", "role-deputy", "back", "revolution-yes")
    assert played.state.revolutions[0].after == 2
    assert played.screen.scene_name() == "new-sheriff"
    played.touch("out-too", "seat-4-out-too", "role-outlaw", "back")
    assert played.screen.scene_name() == "new-sheriff"
    assert played.state.revolutions[0].after == 3


def test_a_rebel_who_is_known_is_sheriff_at_once_and_the_table_is_asked_then() -> None:
    table = Table(6, rebel_rules()).begun().do(EndTurn(), EndTurn(), RevealRebel(SeatNo(3)))
    played = Played(table)
    played.touch("seat-1-menu", "eliminated", "by-seat-3", "role-sheriff")
    assert played.screen.scene_name() == "new-sheriff"
    played.touch("out-too", "seat-2-out-too", "role-deputy", "back", "back")
    assert played.screen.scene_name() == "play"
    assert [e.effect for e in played.state.eliminations] == [1, 1]


def test_a_beer_against_the_card_that_has_taken_another_player() -> None:
    table = Table(5).begun()
    for seat, role in ((2, Role.OUTLAW), (3, Role.DEPUTY)):
        table.do(Eliminate(SeatNo(seat), None, role, Cause.DYNAMITE))
    table.kill(4, 1, Role.OUTLAW)
    table.wound(5, table.state.seats[4].life)
    played = Played(table)
    assert "A Beer only works if the card that eliminated Dafne hit this player too." in said(played)
    played.touch("rescue-beer")
    assert played.state.seats[4].life == 1


def test_the_other_duellist_eliminates_the_player_in_their_own_duel() -> None:
    played = Played(Table(6).begun())
    played.touch("seat-1-menu", "eliminated", "by-nobody", "by-own-duel")
    assert "Who was the other duellist?" in said(played)
    assert not played.offers("by-seat-1")
    played.touch("by-seat-2", "role-sheriff")
    elimination = played.state.eliminations[0]
    assert (elimination.by, elimination.cause, played.state.ending) == (2, Cause.OWN_DUEL, Ending.OUTLAWS_WIN)


def test_the_sheet_names_who_fell_to_the_same_card() -> None:
    played = before_a_final_duel()
    for seat, role in ((2, "outlaw"), (5, "renegade")):
        played.touch(f"seat-{seat}-menu", "eliminated", "by-seat-1", f"role-{role}")
    played.touch("same-card")
    roles = (Role.SHERIFF, Role.OUTLAW, Role.OUTLAW, Role.DEPUTY, Role.RENEGADE, Role.OUTLAW, Role.DEPUTY)
    played.table.do(DeclareRoles(roles))
    played.show()
    assert "eliminated by Ada, same card as Emil" in said(played)
    story = [line.text for line in played.table.view().story]
    assert (
        "Ada eliminates Emil (Renegade) with the same card; Game over: No Outlaws or Renegades are left."
        in story
    )

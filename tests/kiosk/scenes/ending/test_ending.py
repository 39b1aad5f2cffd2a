"""The ending at the table: each player agrees or calls the judge, and the middle says who is missing."""

from collections.abc import Iterator
from functools import lru_cache

import pytest

from core.game.ending.sheet import AgreeEnding, WithdrawAgreement, awaited_seats
from core.game.play.abandonment import Abandon
from core.game.state.game import Agreement, Phase
from core.rule_set import AgreementForm
from core.terms import Role, SeatNo
from kiosk.i18n import words_in
from kiosk.preferences import Layout
from kiosk.scenes.ending.ending import ending_table
from kiosk.view.table_view import TableView
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import Played, context_of, middle_of, types_for
from tests.kiosk.scenes.test_legible import GLASSES, LANGUAGES, Ruler
from tests.pairwise import pairs_first
from tests.scenarios.duel_moments import LONG, DuelTable
from tests.scenarios.moments import EDITION, Table

ONE, TWO, THREE, FOUR, SIX = SeatNo(1), SeatNo(2), SeatNo(3), SeatNo(4), SeatNo(6)


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
    played = Played(Table(6).ended(), judge_present=True)
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


SEATS = (4, 5, 7, 8, 10)
CROWDED = 8
LEAST_MM = 2.6
"""The least height of capitals in the smallest middles."""
ASKS = "Is this right? One of you taps for all; anybody may say no."
BOTH = "The Sheriff and one other player must agree; anybody may say no."
MORE = "The Sheriff agrees. One other player must agree too; anybody may say no."
FOR_SHERIFF = "Waiting for the Sheriff."


def ended(seats: int, form: AgreementForm, *agreed: SeatNo) -> Table:
    """Return a table whose game has ended, with these seats' agreement."""
    table = Table(seats, EDITION if seats < CROWDED else rebel_rules(), agreement=form).ended()
    return table.do(*(AgreeEnding(seat) for seat in agreed))


@lru_cache(maxsize=8)
def agreements(seats: int) -> tuple[tuple[TableView, tuple[str, ...]], ...]:
    """Return each moment of an agreement, with the possible texts about what is missing."""
    return tuple(_agreements(seats))


def _agreements(seats: int) -> Iterator[tuple[TableView, tuple[str, ...]]]:
    yield ended(seats, AgreementForm.ONE_FOR_ALL).view(), (ASKS, "One of you agrees.")
    both = AgreementForm.SHERIFF_AND_ONE
    yield ended(seats, both).view(), (BOTH, "Sheriff and one other agree.")
    yield ended(seats, both, ONE).view(), (MORE, "One more must agree.")
    yield ended(seats, both, FOUR).view(), (FOR_SHERIFF,)


def said(view: TableView, size: str, language: str, layout: Layout) -> str:
    ruler = Ruler(types_for(GLASSES[size]), GLASSES[size])
    ruler.block(middle_of(ending_table(), context_of(view, GLASSES[size], language, layout)))
    return " ".join(line.text for line in ruler.written if line.capitals_mm >= LEAST_MM).replace("- ", "")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "others"), pairs_first(GLASSES, LANGUAGES, SEATS, Layout))
def test_whose_agreement_is_missing_is_said_on_every_glass(
    size: str, others: list[tuple[str, int, Layout]]
) -> None:
    wrong = []
    for language, seats, layout in others:
        for view, ways in agreements(seats):
            text = said(view, size, language, layout)
            if not any(words_in(language).gettext(way).rstrip(".") in text for way in ways):
                wrong.append((language, seats, layout, ways[-1], text))
    assert wrong == []


def test_where_the_sheriff_has_left_one_player_agrees_for_all() -> None:
    table = Table(7, agreement=AgreementForm.SHERIFF_AND_ONE).begun().do(Abandon(ONE))
    table.kill(1, 3, Role.SHERIFF)
    assert "One of you taps for all" in said(table.view(), "1280x800", "en", Layout.RING)
    table.do(AgreeEnding(FOUR))
    assert awaited_seats(table.state) == ()

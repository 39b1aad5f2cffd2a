"""A confirmed game as a story: fate and winnings on each player's side, and a code to take home."""

import pytest

from base.languages import LANGUAGES
from core.editions.edition import Edition
from core.game.ending.finished_game import finished_game
from core.game.ending.sheet import ConfirmSheet
from core.game.ending.winnings import winnings
from core.game.state.game import Confirmation
from core.game.state.seats import role_counts
from core.terms import Role
from kiosk.i18n import role_name, words_in
from kiosk.preferences import Layout
from kiosk.scenes.widgets.card import short_names
from kiosk.terminal.link.qr_codes import code_of
from kiosk.terminal.story import Storyteller
from kiosk.ui.blocks import Block, Label, Paragraph
from kiosk.view.final_story import story_to_take
from kiosk.view.table_view import Delivery
from sync.terminal.agent_contract import LinkPhase
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, Played, hand_on, laid_out, types_for
from tests.scenarios.moments import EDITION, Moment, Table, speaking

GLASS = GLASSES["800x480"]
MOST_MODULES = 97
"""A side of version 20. Each module is at least half a millimetre on seven inches."""
SEATS = (4, 5, 7, 8, 10)


def rules_for(seats: int) -> Edition:
    return EDITION if seats in EDITION.sizes else rebel_rules()


def confirmed(seats: int, how: Confirmation = Confirmation.KEY) -> Table:
    return Table(seats, rules_for(seats)).declared().do(ConfirmSheet(how))


def texts_of(block: Block) -> list[str]:
    return [part.text for part in block.parts if isinstance(part, Label | Paragraph) and part.text]


def panels(table: Table, language: str = "en", layout: Layout = Layout.RING) -> dict[str, Block]:
    blocks = laid_out(GLASS, Moment("x", "confirmed", table.view()), language, layout)._blocks
    return {block.id: block for block in blocks}


@pytest.mark.parametrize("seats", SEATS)
def test_each_player_reads_role_winnings_and_fate_on_their_own_side(seats: int) -> None:
    table = confirmed(seats)
    game = table.state
    paid = winnings(finished_game(game), rules_for(seats))
    for number, dollars in enumerate(paid, 1):
        texts = texts_of(panels(table)[f"seat-{number}"])
        assert f"${dollars:,}" in texts
        assert any(role_name(words_in("en"), role) in texts for role in Role)
    killer = short_names(game.seats)[2]
    out = game.eliminations[0].seat
    assert f"by {killer}, turn 3" in texts_of(panels(table)[f"seat-{out}"])


def test_every_player_reads_it_in_their_own_language() -> None:
    view = speaking(confirmed(5).view(), "it", "de")
    blocks = {b.id: b for b in laid_out(GLASS, Moment("x", "confirmed", view))._blocks}
    assert "Sceriffo" in texts_of(blocks["seat-1"])
    assert any("Zug 3" in text for text in texts_of(blocks["seat-2"]))
    assert "Outlaw" in texts_of(blocks["seat-4"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", GLASSES)
def test_no_fate_is_cut_or_too_small_to_read(size: str, language: str) -> None:
    glass = GLASSES[size]
    for seats in SEATS:
        for layout in Layout:
            moment = Moment("x", "confirmed", confirmed(seats).view())
            for block in laid_out(glass, moment, language, layout)._blocks:
                for part in block.parts if block.id.startswith("seat-") else ():
                    if isinstance(part, Paragraph):
                        fitted = types_for(glass).wrap(part)
                        assert not fitted.cut
                        assert fitted.size_px >= part.least_px


def test_a_panel_opens_what_its_player_did_and_how_the_winnings_came_about() -> None:
    view = confirmed(7).view()
    hand = hand_on(view)
    hand.touch("seat-3-end", view=view)
    said = hand.screen.visible_text()
    assert "Čeněk Dvořák · Renegade" in said
    assert "eliminated Bartolomeo" in said
    assert "turn 3" in said
    assert "no winnings" in said
    hand.touch("back", view=view)
    assert hand.screen.scene_name() == "confirmed"


def test_the_story_comes_after_the_sheet_and_asks_for_no_touch() -> None:
    play = Played(Table(5).declared(), judge_present=True)
    assert play.screen.scene_name() == "sheet"
    play.touch("confirm-sheet")
    assert play.screen.scene_name() == "confirmed"
    play.touch("winnings", "back", "story-chart", "back")
    assert play.screen.scene_name() == "confirmed"


def test_without_a_station_the_sheet_is_carried_first_and_the_story_is_one_touch_away() -> None:
    view = confirmed(5).view(Delivery(9, 9, 2, LinkPhase.SEARCHING))
    hand = hand_on(view)
    assert {"carry", "final-story"} <= {target.id for target in hand.screen.targets()}
    hand.touch("final-story", "seat-2-end", view=view)
    assert "Bartolomeo · Outlaw" in hand.screen.visible_text()
    hand.touch("back", "back", view=view)
    assert hand.screen.scene_name() == "confirmed"


def test_a_corrected_sheet_has_no_story_as_its_winnings_are_unknown_here() -> None:
    view = confirmed(7, Confirmation.CORRECTED).view()
    assert not any(target.id.endswith("-end") for target in hand_on(view).screen.targets())
    assert view.timeline is not None
    assert Storyteller().to_take(view.timeline, view.edition, words_in("en")) == ""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", SEATS)
def test_the_code_names_everybody_and_stays_small_enough_to_scan(seats: int, language: str) -> None:
    view = confirmed(seats).view()
    text = Storyteller().to_take(view.timeline, view.edition, words_in(language))
    assert view.game is not None
    lines = text.splitlines()
    assert len(lines) == seats + 2
    for seat, line in zip(view.game.seats, lines[2:], strict=True):
        assert line.startswith(seat.name)
        assert "$" in line
    assert "\u00ad" not in text
    assert code_of(text).size <= MOST_MODULES


def test_nothing_can_be_taken_home_before_the_sheet_is_confirmed() -> None:
    table = Table(5).declared()
    view, teller = table.view(), Storyteller()
    assert teller.to_take(view.timeline, view.edition, words_in("en")) == ""
    after = table.do(ConfirmSheet(Confirmation.KEY)).view()
    assert after.game is not None
    assert after.timeline is not None
    text = teller.to_take(after.timeline, after.edition, words_in("en"))
    assert text == story_to_take(after.game, EDITION, after.timeline.moments, words_in("en"))
    assert "Ada: Sheriff, eliminated by Čeněk Dvořák, turn 6, $0" in text
    assert role_counts(5, EDITION).sheriff == text.count("Sheriff")

"""The end of a game: each player sees the winnings and how they came about."""

import re

import msgspec
import pytest

from base.languages import LANGUAGES
from core.editions.edition import Edition
from core.editions.loader import edition, with_options
from core.game.ending.finished_game import finished_game
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.ending.winnings import winnings
from core.game.state.game import Cause, Confirmation, GameState
from core.game.state.seats import role_counts
from core.rule_set import OptionKey
from core.terms import Role, SeatNo
from kiosk.i18n import words_in
from kiosk.preferences import Layout
from kiosk.ui.blocks import Box, Label, Part
from kiosk.ui.geometry import screen_geometry_for
from kiosk.ui.text import LEGIBLE_MM
from kiosk.view.table_view import TableView
from kiosk.view.theme import PARCHMENT_SHADE
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import GLASSES, Hand, Show, hand_on, laid_out, types_for
from tests.scenarios.auction_moments import auction_moments
from tests.scenarios.duel_moments import duel_moments
from tests.scenarios.moments import Moment, Table, moments


def written(view: TableView, *touches: str) -> tuple[str, ...]:
    hand = hand_on(view)
    hand.touch(*touches, view=view)
    return hand.screen.visible_text()


def listed(view: TableView) -> tuple[str, ...]:
    return written(view, "winnings")


def confirmed(seats: int, rules: Edition, how: Confirmation = Confirmation.KEY) -> Table:
    return Table(seats, rules).declared().do(ConfirmSheet(how))


def paid(state: GameState, rules: Edition) -> list[str]:
    return [f"${dollars:,}" for dollars in sorted(winnings(finished_game(state), rules), reverse=True)]


@pytest.mark.parametrize("key", ["championship-2022", "official-2003", "simplified-2003"])
def test_each_player_reads_the_winnings_the_highest_first(key: str) -> None:
    rules = edition(key)
    table = confirmed(7, rules)
    said = listed(table.view())
    assert [words for words in said if words.startswith("$")] == paid(table.state, rules)
    assert {seat.name for seat in table.state.seats} <= set(said)


def test_a_printed_amount_names_the_table_and_a_formula_is_worked_out() -> None:
    assert "Outlaw · at a table of 7" in listed(confirmed(7, edition("championship-2022")).view())
    assert "Outlaw · $1,000 × 3 Outlaws" in listed(confirmed(7, edition("official-2003")).view())


def test_a_reward_names_whom_it_was_for() -> None:
    rules = with_options(edition("official-2003"), (OptionKey.CASH_REWARDS,), "here")
    table = confirmed(5, rules)
    state = table.state
    by_two = msgspec.structs.replace(state.eliminations[0], seat=SeatNo(3), by=SeatNo(2), role=Role.OUTLAW)
    assert by_two.cause is Cause.PLAYER
    game = msgspec.structs.replace(state, eliminations=(by_two, *state.eliminations))
    said = listed(msgspec.structs.replace(table.view(), game=game))
    assert any("+$1,000 for eliminating" in words for words in said)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("panel", [(800, 480), (480, 800), (1280, 720)])
def test_every_amount_of_the_winnings_is_on_every_glass(panel: tuple[int, int], language: str) -> None:
    rules = with_options(edition("official-2003"), (OptionKey.CASH_REWARDS,), "here")
    row = role_counts(7, rules)
    deal = [role for role in Role for _ in range(row.count(role))]
    table = Table(7, rules).begun()
    for seat in sorted(range(2, 8), key=lambda seat: deal[seat - 1] is Role.RENEGADE):
        if deal[seat - 1] is not Role.DEPUTY:
            table.kill(seat, 1, deal[seat - 1])
    table.agreed().do(DeclareRoles(tuple(deal)), ConfirmSheet(Confirmation.KEY))
    glass, money = screen_geometry_for(panel), words_in(language).money
    for layout in Layout:
        blocks = laid_out(glass, Moment("x", "x", table.view(), ("winnings",)), language, layout)._blocks
        labels = (part for block in blocks for part in block.parts if isinstance(part, Label))
        lines = [types_for(glass).fit(label) for label in labels if " · " in label.text]
        assert len(lines) == 7
        assert not any(line.cut for line in lines)
        sheriff = lines[0].text
        assert f"{money(1500)} × 3" in sheriff
        assert f"+{money(1000)} × 3" in sheriff or sheriff.count(f"+{money(1000)}") == 3


def test_a_sheet_that_the_station_corrected_shows_no_winnings() -> None:
    table = confirmed(7, edition("championship-2022"), Confirmation.CORRECTED)
    said = written(table.view())
    assert not any(words.startswith("$") for words in said)
    assert any("another result" in words for words in said)


def test_a_game_that_the_station_confirmed_without_roles_shows_no_winnings() -> None:
    table = Table(7, edition("championship-2022")).ended().do(ConfirmSheet(Confirmation.STATION))
    assert "Thank you!" in written(table.view())


CROWD = 10
SHEETS = {
    moment.picture: moment for moment in (*moments(5), *duel_moments()) if moment.picture.endswith("sheet")
}


@pytest.mark.parametrize("picture", SHEETS)
def test_the_story_opens_from_the_sheet_and_leads_back(picture: str, show: Show) -> None:
    moment: Moment = SHEETS[picture]
    hand = Hand(show(GLASSES["800x480"], moment))
    for target, scene in (("story", "story"), ("back", "sheet")):
        hand.touch(target, view=moment.view)
        assert hand.screen.scene_name() == scene


def parts_of(picture: str, show: Show) -> list[Part]:
    moment = next(moment for moment in moments(CROWD, rebel_rules()) if moment.picture == picture)
    return [part for block in show(GLASSES["800x480"], moment)._blocks for part in block.parts]


@pytest.mark.parametrize("picture", ["sheet", "winnings"])
def test_no_row_is_painted_over_the_letters_of_the_row_before(picture: str, show: Show) -> None:
    parts = parts_of(picture, show)
    shades = [n for n, part in enumerate(parts) if isinstance(part, Box) and part.fill is PARCHMENT_SHADE]
    names = [n for n, part in enumerate(parts) if isinstance(part, Label) and "Dafne" in part.text]
    assert max(shades) < min(names)


def test_a_crowded_sheet_leaves_its_rows_more_than_the_height_of_their_letters(show: Show) -> None:
    rows = [
        part.rect
        for part in parts_of("sheet", show)
        if isinstance(part, Box) and part.fill is PARCHMENT_SHADE
    ]
    legible = GLASSES["800x480"].mm(LEGIBLE_MM)
    assert all(row.h >= legible for row in rows)


ENGLISH = re.compile(r"\d,\d{3}")
SHOWN = {"en": "$1,700", "it": "$1.700", "de": "$1.700", "es": "$1.700", "fr": "$1\xa0700"}


@pytest.mark.slow
@pytest.mark.parametrize("language", SHOWN)
def test_a_record_sheet_and_an_auction_write_thousands_as_the_reader_does(language: str) -> None:
    named = {"sheet", "confirmed", "winnings", "auction-hand", "auction-sheet"}
    seen = [moment for moment in (*moments(7), *auction_moments(7)) if moment.picture in named]
    texts = [
        text for moment in seen for text in laid_out(GLASSES["800x480"], moment, language).visible_text()
    ]
    assert {moment.picture for moment in seen} == named
    assert SHOWN[language] in texts
    assert (language == "en") == any(ENGLISH.search(text) for text in texts)

"""The next step is shown on every screen, in every language, at every table size."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import msgspec
import pytest

from core.editions.edition import Edition
from core.editions.loader import rules_of
from core.game.ending.rebel import RevealRebel
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, SetRecordMode, SetTurn
from core.game.state.decisions import Undo
from core.game.state.game import Cause, HighNoon
from core.rule_set import OptionKey, RecordMode, RuleSet
from core.terms import Role, SeatNo
from kiosk.i18n import words_in
from kiosk.preferences import Layout
from kiosk.scenes.play.play import play_table
from kiosk.ui.geometry import ScreenGeometry, screen_geometry_for
from kiosk.ui.text import SOFT_HYPHEN
from kiosk.view.table_view import TableQuestion
from tests.core.game.rebel_table import rebel_rules
from tests.kiosk.scenes.conftest import context_of, hand_on, middle_of, types_for
from tests.kiosk.scenes.test_legible import CAPITALS_MM, GLASSES, LANGUAGES, ROUNDING_MM, Ruler
from tests.pairwise import pairs_first
from tests.scenarios.moments import EDITION, NAMES, Moment, Table

SEATS = (4, 5, 7, 8, 10)
CROWDED = 8
TIGHTEST = (10, Layout.RING)
"""A size whose middle is only 42 by 38 mm."""
TIGHT_MM = 2.45
"""The least height of capitals there, and if two things must be shown at once."""
EVERY_GLASS = {
    **GLASSES,
    "1280x720": screen_geometry_for((1280, 720), 0, 7.0),
    "1024x600 at 10 inches": screen_geometry_for((1024, 600), 0, 10.1),
}
DRAWS = ("{name} draws {count} cards.",)
DISCARDS = (
    "The Sheriff discards all cards.", "The Sheriff eliminated a Deputy and discards all cards.",
)  # fmt: skip
LOSE = ("Lose a life point", "{name}: lose a life point")
REMOVED = (
    "Life point removed.", "Life points already removed.", "Life points removed.",
    "One life point already removed. {name}: draw two, play, discard.",
)  # fmt: skip
LEFT = (
    "{names} left: draw! first.", "{names} left: draw! for Jail and Dynamite in front of them first.",
)  # fmt: skip
"""Sentences that must be shown, each in a long or a short form."""


class Said(msgspec.Struct, frozen=True):
    """A moment, with the sentences that must be shown and their fields."""

    name: str
    moment: Moment
    must: tuple[tuple[str, ...], ...]
    fields: tuple[tuple[str, object], ...] = ()

    @property
    def is_double(self) -> bool:
        """Return whether two things must be shown, one of which may be a question."""
        return len(self.must) > 1 or self.moment.view.question is not None

    def lacks(self, said: str, language: str) -> bool:
        """Return whether a sentence is shown in none of its forms."""
        words, fields = words_in(language), dict(self.fields)
        sentences = [[words.gettext(way).format(**fields) for way in ways] for ways in self.must]
        return not all(any(is_said(way, said) for way in ways) for ways in sentences)


def is_said(sentence: str, said: str) -> bool:
    """Return whether a sentence is shown, completely or followed by more text."""
    return sentence.rstrip(".!").replace(SOFT_HYPHEN, "").casefold() in said.casefold()


def play(table: Table, question: TableQuestion | None = None) -> Moment:
    return Moment("play", "play", msgspec.structs.replace(table.view(), question=question))


def begun(seats: int) -> Table:
    return Table(seats, EDITION if seats < CROWDED else rebel_rules()).begun()


def at_noon(seats: int, mode: RecordMode = RecordMode.FULL) -> Table:
    """Return a table in the first turn of High Noon."""
    table = begun(seats)
    if mode is RecordMode.LIGHT:
        table.do(SetRecordMode(mode))
    while table.state.high_noon is HighNoon.OFF:
        table.do(Reshuffle())
    if table.state.is_turn_unknown:
        table.do(SetTurn(SeatNo(1)))
    while table.state.high_noon is not HighNoon.ON:
        table.do(EndTurn())
    return table


def kill(table: Table, role: Role, by: int | None = None) -> tuple[Table, int]:
    """Let a player eliminate the next one; return the table and the killer.

    by: the player in turn by default.
    """
    killer = by or table.state.turn or 1
    others = [s.seat for s in table.state.seats if s.in_play and s.seat not in {killer, 1} and not s.passive]
    return table.kill(others[-1], killer, role), killer


def name_of(table: Table) -> tuple[tuple[str, object], ...]:
    """Return the field of a sentence that names the player in turn."""
    return (("name", NAMES[(table.state.turn or 1) - 1]),)


def draws(killer: int, count: int = 3) -> tuple[tuple[str, object], ...]:
    return (("name", NAMES[killer - 1]), ("count", count))


@lru_cache(maxsize=8)
def what_must_be_done(seats: int) -> tuple[Said, ...]:
    return (*_at_noon(seats), *_after_eliminations(seats), *_after_a_departure(seats))


def _at_noon(seats: int) -> Iterator[Said]:
    light, full = at_noon(seats, RecordMode.LIGHT), at_noon(seats)
    for _turn in range(seats):
        yield Said(f"light noon of {light.state.turn}", play(light), (LOSE,), name_of(light))
        light.do(EndTurn())
    light.do(Undo(1))
    yield Said("light noon, undone", play(light), (LOSE,), name_of(light))
    for _turn in range(seats - 1):
        yield Said(f"noon of {full.state.turn}", play(full), (REMOVED,), name_of(full))
        full.do(EndTurn())
        if full.state.pending:
            break
    jumped = at_noon(seats)
    following = [s for s in (*range(1, seats + 1), *range(1, seats + 1)) if s > (jumped.state.turn or 0)]
    jumped.do(SetTurn(SeatNo(following[1])))
    yield Said("noon, turns passed", play(jumped), (REMOVED,), name_of(jumped))


def _after_eliminations(seats: int) -> Iterator[Said]:
    for name, table in (
        ("", begun(seats).do(EndTurn(), EndTurn())),
        ("at noon: ", at_noon(seats)),
        ("light at noon: ", at_noon(seats, RecordMode.LIGHT)),
    ):
        after, killer = kill(table, Role.OUTLAW)
        yield Said(f"{name}an Outlaw is out", play(after), (DRAWS,), draws(killer))
    after, killer = kill(begun(seats).do(EndTurn(), EndTurn()), Role.OUTLAW)
    for question in TableQuestion:
        yield Said(f"{question.value}, an Outlaw is out", play(after, question), (DRAWS,), draws(killer))
    light = begun(seats).do(SetRecordMode(RecordMode.LIGHT))
    after, killer = kill(light, Role.OUTLAW, 3)
    yield Said("light, an Outlaw is out", play(after), (DRAWS,), draws(killer))
    yield Said(
        "light, an Outlaw is out, reshuffled?", play(after, TableQuestion.RESHUFFLED), (DRAWS,), draws(killer)
    )
    if seats > 4:
        after, _ = kill(begun(seats), Role.DEPUTY)
        yield Said("a Deputy is out", play(after), (DISCARDS,))


def _after_a_departure(seats: int) -> Iterator[Said]:
    for name, table, more in (("", begun(seats), ()), ("at noon: ", at_noon(seats), (REMOVED,))):
        turn = table.state.turn or 1
        left = SeatNo(turn % seats + 1)
        table.do(Abandon(left), EndTurn())
        if table.state.phase.value == "playing" and not table.state.pending:
            yield Said(
                f"{name}somebody left",
                play(table),
                (LEFT, *more),
                (*name_of(table), ("names", NAMES[left - 1])),
            )


def legible_middle(
    glass: ScreenGeometry, moment: Moment, language: str, layout: Layout, least_mm: float = CAPITALS_MM
) -> str:
    """Return the text in the middle of the table with capitals of at least this height."""
    ruler = Ruler(types_for(glass), glass)
    ruler.block(middle_of(play_table(), context_of(moment.view, glass, language, layout)))
    legible = [line.text for line in ruler.written if line.capitals_mm >= least_mm - ROUNDING_MM]
    return " ".join(legible).replace("- ", "").replace(SOFT_HYPHEN, "")


@pytest.mark.slow
@pytest.mark.parametrize(("size", "others"), pairs_first(EVERY_GLASS, LANGUAGES, SEATS, Layout))
def test_what_must_be_done_is_said_on_every_glass(size: str, others: list[tuple[str, int, Layout]]) -> None:
    wrong = []
    for language, seats, layout in others:
        for one in what_must_be_done(seats):
            is_tight = (seats, layout) == TIGHTEST or one.is_double
            least = TIGHT_MM if is_tight else CAPITALS_MM
            said = legible_middle(EVERY_GLASS[size], one.moment, language, layout, least)
            if one.lacks(said, language):
                wrong.append(f"{language} {seats} {layout.value} {one.name}: {said}")
    assert wrong == []


def test_passed_players_are_named_unless_they_are_out_since() -> None:
    table = begun(7).do(SetTurn(SeatNo(4)))
    assert "Passed: Bartolomeo, Čeněk Dvořák. In Jail? Hold their panel." in said_in_english(table)
    table.kill(2, 4, Role.RENEGADE)
    assert "Passed: Čeněk Dvořák. In Jail? Hold their panel." in said_in_english(table)
    table.kill(3, 4, Role.DEPUTY)
    assert "Passed" not in said_in_english(table)


def test_in_a_light_game_a_reward_is_said_until_the_next_entry() -> None:
    table = begun(7).do(SetRecordMode(RecordMode.LIGHT)).kill(5, 3, Role.OUTLAW)
    assert "Čeněk Dvořák draws 3 cards" in said_in_english(table)
    assert "draws 3 cards" not in said_in_english(table.do(Reshuffle()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_says_what_to_do_rather_than_asking_again(language: str) -> None:
    assert not words_in(language).gettext("If not, tap that panel.").endswith("?")


@pytest.mark.slow
def test_what_was_undone_is_named_on_every_glass() -> None:
    wrong = []
    for size, seats, layout in product(EVERY_GLASS, SEATS, Layout):
        undone = begun(seats).do(EndTurn(), Undo(1))
        said = legible_middle(EVERY_GLASS[size], play(undone), "it", layout, TIGHT_MM)
        if "Bartolomeo" not in said:
            wrong.append((size, seats, layout, said))
    assert wrong == []


@pytest.mark.slow
def test_passed_players_are_named_or_counted_on_every_glass() -> None:
    wrong = []
    for size, seats, layout in product(EVERY_GLASS, SEATS, Layout):
        for turn, ways in ((3, ("Bartolomeo",)), (seats, ("Bartolomeo, Čeněk", f"Passed: {seats - 2}"))):
            passed = begun(seats).do(SetTurn(SeatNo(turn)))
            said = legible_middle(EVERY_GLASS[size], play(passed), "en", layout, TIGHT_MM)
            if not any(way in said for way in ways):
                wrong.append((size, seats, layout, turn, said))
    assert wrong == []


def said_in_english(table: Table) -> str:
    return legible_middle(EVERY_GLASS["1280x800"], play(table), "en", Layout.RING)


SHERIFF, TWO, FOUR = SeatNo(1), SeatNo(2), SeatNo(4)
CASH = rules_of(RuleSet("simplified-2003", (OptionKey.CASH_REWARDS,)))
DUE = "draws 3 cards"
COST = "The Sheriff eliminated a Deputy and discards all cards."


def said(table: Table) -> str:
    return " / ".join(hand_on(table.view()).screen.visible_text())


def test_who_eliminated_an_outlaw_is_told_once_to_draw_three_cards_until_the_turn_ends() -> None:
    table = Table(6).begun()
    assert DUE not in said(table)
    table.kill(TWO, FOUR, Role.OUTLAW)
    assert f"{table.state.seats[FOUR - 1].name} {DUE}" in said(table)
    table.wound(5, 1)
    assert DUE in said(table)
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


@pytest.mark.parametrize(
    ("rules", "by", "role"),
    [
        pytest.param(EDITION, FOUR, Role.DEPUTY, id="a Deputy by another"),
        pytest.param(EDITION, SHERIFF, Role.RENEGADE, id="a Renegade"),
        pytest.param(EDITION, None, Role.OUTLAW, id="an Outlaw by Dynamite"),
        pytest.param(CASH, FOUR, Role.OUTLAW, id="an Outlaw with cash rewards"),
    ],
)
def test_other_eliminations_bring_and_cost_nothing_at_once(
    rules: Edition, by: SeatNo | None, role: Role
) -> None:
    table = Table(6, rules).begun().wound(TWO, 4)
    text = said(table.do(Eliminate(TWO, by, role, Cause.DYNAMITE if by is None else Cause.PLAYER)))
    assert "cards." not in text
    assert DUE not in text


def test_a_shown_rebel_lets_the_sheriff_keep_the_cards() -> None:
    table = Table(6, rebel_rules()).begun()
    table.do(EndTurn(), EndTurn(), RevealRebel(SeatNo(3)))
    assert "the Sheriff keeps all cards" in said(table.kill(TWO, SHERIFF, Role.DEPUTY))

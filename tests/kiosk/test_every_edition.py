"""A whole game of each edition at the virtual table, from seating to the confirmed record sheet.

Simulated players play; a mistake is undone, High Noon begins, a player leaves, and the power fails. The
screen must show what the core computes from the journal's entries, and what an independent second
implementation computes from the eliminations.
"""

import re
from collections.abc import Callable

import msgspec
import pytest

from core.editions.loader import editions, rules_of
from core.game.ending.finished_game import FinishedGame, check_finished, finished_game
from core.game.ending.record_sheet import record_sheet
from core.game.events import GameStep
from core.game.orders import AssignTable
from core.game.result import check_finished_duel, finished_duel
from core.game.state.game import Cause, Confirmation, GameState, HighNoon, Phase, Stake
from core.game.timeline import fold
from core.rule_set import OptionKey, RuleSet
from core.terms import Dollars, Ending, MatchKind
from hardware.contract import Lamp, PanelButton
from kiosk.rehearsal.brain import Brain
from sync.protocol.entry import content_of
from tests.core.game.naive_referee import Referee
from tests.kiosk.rig.games import TABLE, play, seat_game
from tests.kiosk.rig.virtual_table import CHEAP_PIN, PIN, VirtualTable


class Evening(msgspec.Struct, frozen=True):
    """A game to be played. stake: what each player brings to an auction."""

    rules: RuleSet
    players: int
    match: MatchKind = MatchKind.GAME
    stake: Stake | None = None


RICH = Stake(Dollars(5000))
SURVIVED = Stake(Dollars(3000), survived=True)
HOUSE = (OptionKey.CASH_REWARDS, OptionKey.EXPERIENCE, OptionKey.ENLISTMENT, OptionKey.RUTHLESS_LAW)
EVENINGS = {
    "championship 2022/23, 5": Evening(RuleSet("championship-2022"), 5),
    "championship 2022/23, 7": Evening(RuleSet("championship-2022"), 7),
    "Italian 2010 with its auction, 6": Evening(RuleSet("championship-2010"), 6, stake=RICH),
    "Italian 2010, long duel": Evening(RuleSet("championship-2010"), 2, MatchKind.LONG_DUEL),
    "Italian 2010, short duel": Evening(RuleSet("championship-2010"), 2, MatchKind.SHORT_DUEL),
    "official 2003, 4": Evening(RuleSet("official-2003"), 4),
    "official 2003, 8": Evening(RuleSet("official-2003"), 8),
    "official 2003 with all house rules, 5": Evening(RuleSet("official-2003", HOUSE), 5, stake=SURVIVED),
    "official 2003 with the Rebel!, 10": Evening(RuleSet("official-2003", (OptionKey.REBEL,)), 10),
    "simplified 2003, 6": Evening(RuleSet("simplified-2003"), 6),
    "simplified 2003 with cash, 4": Evening(RuleSet("simplified-2003", (OptionKey.CASH_REWARDS,)), 4),
}
AT_NIGHT = {
    "championship 2022/23, 7", "official 2003, 4", "official 2003, 8", "official 2003 with the Rebel!, 10",
    "simplified 2003, 6",
}  # fmt: skip
"""Games whose rules are also played in a shorter one, or entered by fingers in tests/true_games."""
GAMES = {name: evening for name, evening in EVENINGS.items() if evening.match is MatchKind.GAME}
DUELS = {name: evening for name, evening in EVENINGS.items() if name not in GAMES}


def seat_at(table: VirtualTable, evening: Evening) -> None:
    stakes = () if evening.stake is None else (evening.stake,) * evening.players
    order = seat_game(rules=evening.rules, players=evening.players, stakes=stakes, match=evening.match)
    table.order(AssignTable(TABLE, CHEAP_PIN), order)


def steps_of(table: VirtualTable) -> tuple[GameStep, ...]:
    decoder = msgspec.msgpack.Decoder(GameStep)
    return tuple(decoder.decode(content_of(raw).body) for raw in table.entries())


def from_the_journal(table: VirtualTable) -> GameState:
    """Return the game as read from the entries on the disk."""
    timeline = fold(steps_of(table))
    assert timeline is not None
    return timeline.state


def is_over(game: GameState) -> bool:
    return game.phase in {Phase.ENDED, Phase.SHEET}


def play_until(table: VirtualTable, brain: Brain, what: Callable[[GameState], bool]) -> None:
    """Play until a condition holds or the game is over."""
    play(table, brain, until=lambda game: is_over(game) or what(game))


def bring_high_noon(table: VirtualTable) -> None:
    """Reshuffle with the panel's button until High Noon is on, if the edition has it."""
    rules = rules_of(table.game.rules)
    if rules.high_noon is None:
        return
    while table.game.high_noon is HighNoon.OFF:
        table.press(PanelButton.RESHUFFLE)
        table.confirm_reshuffle()


def undo_one(table: VirtualTable) -> None:
    seat = table.game.turn
    if seat is None or not table.offers(f"seat-{seat}-minus"):
        return
    before = table.game
    table.tap(seat, "minus")
    assert table.game != before
    table.touch("undo")
    assert table.game == before


def leave(table: VirtualTable) -> None:
    for seat in table.game.seats[1:]:
        if seat.in_play and seat.seat != table.game.turn and table.offers(f"seat-{seat.seat}-menu"):
            table.turn_key(on=True)
            table.touch(f"seat-{seat.seat}-menu", f"seat-{seat.seat}-leaves", f"seat-{seat.seat}-abandon")
            table.turn_key(on=False)
            assert table.game.abandonments[-1].seat == seat.seat
            return


def shown_dollars(table: VirtualTable) -> list[int]:
    matches = (re.fullmatch(r"\$([\d,.\s]+)", text) for text in table.says())
    return [int(re.sub(r"\D", "", match[1])) for match in matches if match]


def second_opinion(finished: FinishedGame) -> Referee:
    referee = Referee([role.value for role in finished.roles])
    cards: dict[int, list[int]] = {}
    hands: dict[int, int | None] = {}
    for fall in finished.eliminations:
        cards.setdefault(fall.effect, []).append(fall.seat)
        hands[fall.effect] = fall.by if fall.cause is Cause.PLAYER and fall.by == fall.turn else None
    for effect in sorted(cards):
        referee.watch(cards[effect], hands[effect])
    return referee


def test_every_edition_and_option_is_played_here() -> None:
    played = {evening.rules.edition for evening in EVENINGS.values()}
    assert played == {edition.key for edition in editions()}
    assert {option for evening in EVENINGS.values() for option in evening.rules.options} == set(OptionKey)
    kinds = {mode for edition in editions() if edition.finals is not None for mode in edition.finals.modes}
    assert {evening.match for evening in DUELS.values()} == kinds


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.nightly if name in AT_NIGHT else ()) for name in GAMES]
)
def test_a_game_from_the_seats_to_the_confirmed_sheet(table: VirtualTable, name: str) -> None:
    brain = Brain(len(name), PIN)
    seat_at(table, GAMES[name])
    play_until(table, brain, lambda game: game.turns >= 2)
    undo_one(table)
    play_until(table, brain, lambda game: game.turns >= 3 and not game.pending)
    leave(table)
    bring_high_noon(table)
    play_until(table, brain, lambda game: bool(game.eliminations))
    table.restart()
    play(table, brain, until=lambda _game: table.scene() == "sheet")
    assert table.lamp().pattern is Lamp.ENDED
    rules = rules_of(table.game.rules)
    finished = finished_game(from_the_journal(table))
    assert finished.eliminations
    assert finished.abandonments
    assert rules.high_noon is None or table.game.high_noon is HighNoon.ON
    outcome = check_finished(finished, rules)
    lines = record_sheet(finished, rules).lines
    assert shown_dollars(table) == [line.winnings for line in lines]
    referee = second_opinion(finished)
    if finished.ending is not Ending.NO_WINNER:
        assert referee.ending == finished.ending.value
        assert set(outcome.alive) == set(referee.alive)
        assert {line.seat for line in lines if line.won} == set(referee.winners())
    confirmed_by_key(table)


@pytest.mark.by_day(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", DUELS)
def test_a_duel_from_the_setup_to_the_confirmed_sheet(table: VirtualTable, name: str) -> None:
    brain = Brain(3, PIN)
    seat_at(table, DUELS[name])
    play(table, brain, until=lambda game: game.turns >= 4 or is_over(game))
    table.restart()
    play(table, brain, until=lambda _game: table.scene() == "sheet")
    check_finished_duel(finished_duel(from_the_journal(table)), rules_of(table.game.rules))
    confirmed_by_key(table)


def confirmed_by_key(table: VirtualTable) -> None:
    table.turn_key(on=True)
    table.touch("confirm-sheet")
    assert table.scene() == "confirmed"
    assert table.game.confirmed is Confirmation.KEY
    table.after(0)
    assert from_the_journal(table) == table.game
    assert table.view.delivery.received == len(table.entries())

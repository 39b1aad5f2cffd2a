"""A game of cards at a real terminal: its players touch what the glass offers."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from base.errors import Refused
from core.editions.loader import rules_of
from core.game.orders import AssignTable, SeatGame
from core.game.state.game import GameState, Phase, Stake
from core.rule_set import RecordMode
from core.terms import Dollars
from kiosk.rehearsal.brain import Brain
from kiosk.scenes.widgets.card import character_id
from tests.forgetful.hands import CAREFUL, CallsJudge, Faults
from tests.forgetful.people import People
from tests.forgetful.true_game import TrueGame, declare
from tests.kiosk.rig.games import PATIENCE, TABLE, seat_game
from tests.kiosk.rig.virtual_table import CHEAP_PIN, Rigging, VirtualTable
from tests.true_games.agreement import differences
from tests.true_games.careful import characters_for, play, rules_for
from tests.true_games.record import CardGame, Effect


class AtTheTable(msgspec.Struct, frozen=True):
    """A game that was entered by fingers.

    truth: as it happened. game: on the glass at the end. judge: why one was called, if it could not go on.
    """

    truth: TrueGame
    game: GameState
    people: People
    judge: str


def enter(game: CardGame, mode: RecordMode, faults: Faults = CAREFUL, seed: int = 0) -> AtTheTable:
    """Play a whole game at a new table. Raises Refused where the core doesn't go along with the truth."""
    truth, judge = play(game, RecordMode.FULL).true_game(), ""
    rules = rules_for(game, mode)
    stakes = (Stake(Dollars(0)),) * game.players if rules_of(rules).auction is not None else ()
    with tempfile.TemporaryDirectory() as folder:
        table = VirtualTable(Path(folder), Rigging(blinks=False))
        try:
            _take_seats(table, seat_game("true", rules, players=game.players, stakes=stakes), game)
            people = People(table, truth, faults, seed)
            try:
                people.play()
            except CallsJudge as why:
                judge = str(why)
            return AtTheTable(truth, table.game, people, judge)
        finally:
            table.close()


def disagreements(game: CardGame, mode: RecordMode, entered: AtTheTable) -> list[str]:
    truth = entered.truth
    try:
        final = declare(entered.game, truth.roles, truth.rules)
        began = entered.people.high_noon_entered
        return differences(game, final, truth.rules, began, by_card=mode is RecordMode.FULL)
    except Refused as error:
        return [f"{game.name}: {error} {entered.judge} {sorted(game.open_points)}"]


def _take_seats(table: VirtualTable, order: SeatGame, game: CardGame) -> None:
    table.order(AssignTable(TABLE, CHEAP_PIN), order)
    brain, seat, characters = Brain(game.game), 0, characters_for(game)
    turned_up = iter(characters)
    for _ in range(PATIENCE):
        if table.game.phase is Phase.PLAYING:
            return
        mine = character_id(characters[seat - 1])
        if table.scene() == "turn-up":
            name = "turned-up" if table.offers("turned-up") else character_id(next(turned_up))
        elif table.offers(mine):
            name = mine
        else:
            touch = brain.next_touch(table.see())
            if touch is None:
                table.advance(1)
                continue
            name = touch.target
        if name.startswith("seat-"):
            seat = int(name.split("-")[1])
        table.touch(name)
    raise AssertionError(f"no end in sight: {table.scene()}")


def sample(games: Iterable[CardGame], count: int) -> list[CardGame]:
    """Return the games in which most happens that the others don't show; the shorter of two alike."""
    rest, chosen, seen = list(games), list[CardGame](), set[str]()
    while rest and len(chosen) < count:
        best = max(rest, key=lambda game: (len(_scenes(game) - seen), -len(game.happenings)))
        rest.remove(best)
        chosen.append(best)
        seen |= _scenes(best)
    return chosen


def _scenes(game: CardGame) -> frozenset[str]:
    kinds = {type(happened).__name__ for happened in game.happenings}
    effects = [one for one in game.happenings if isinstance(one, Effect)]
    several = {"several out"} if any(len(one.out) > 1 for one in effects) else set()
    rescued = {f"{how} after {one.card}" for one in effects for _, how, _ in one.rescues}
    causes = {cause for *_, cause, _ in game.truth.eliminations}
    return frozenset(kinds | several | rescued | causes | game.open_points)

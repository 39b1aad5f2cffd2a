"""A stolen terminal that writes whole games of other tables, at a real station over real TLS."""

import contextlib
import random
import tempfile
from pathlib import Path

import msgspec

from core.game.decide import GameCommand
from core.game.ending.sheet import ConfirmSheet, DeclareRoles
from core.game.orders import AssignTable, Order, SeatGame, TakeGame
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import Cause, Confirmation, SeatedPlayer
from core.game.takeover import StepWithOrigin, step_with_origin
from core.proof.reading import Pack, read_pack
from core.proof.verify import verify_pack
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from core.tournament.timeline import fold
from kiosk.terminal.game_keeper import GameKeeper
from tests.soak.counts import Counts, Progress, repeated
from tests.station.conftest import FACES, ROLES
from tests.station.hall_of_stations import StationProgram, Table, stations, waited

TABLES = (1, 2, 3)
PLAYERS = b"name\n" + b"".join(b"Player %d\n" % n for n in range(1, 16))
THIEFS_TABLE = 9


class Player:
    """A terminal over real TLS with the real keeper, and its players."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.keeper = GameKeeper()
        self._done = 0

    def obeys(self) -> None:
        self.table.look()
        for order in self.table.orders[self._done :]:
            self._done += 1
            self.table.writes(*self.keeper.carry_out(self._done, _encoded(order)))

    def begins(self) -> None:
        assert self.keeper.game is not None
        seats = [seat.seat for seat in self.keeper.game.seats]
        self._asks(*map(CheckIn, seats), DealRoles())
        self._asks(*(ChooseCharacter(seat, FACES[seat]) for seat in seats), BeginGame())

    def ends(self, by: int, how: Confirmation | None) -> None:
        """Let somebody shoot the Sheriff, and optionally a judge confirm it."""
        assert self.keeper.game is not None
        seats = self.keeper.game.seats
        self._asks(*(LoseLife(SeatNo(1)) for _ in range(seats[0].life)))
        shot = Eliminate(SeatNo(1), SeatNo(by), Role.SHERIFF, Cause.PLAYER)
        self._asks(shot, DeclareRoles(ROLES[len(seats)]))
        if how is not None:
            self._asks(ConfirmSheet(how))

    def invents(self, order: Order) -> None:
        """Write the effect of an order that nobody gave."""
        self.keeper = GameKeeper()
        self.table.writes(*self.keeper.carry_out(1, _encoded(order)))

    def waits_until_received(self) -> None:
        self.table.waits_until_received(len(self.table.bodies))

    def _asks(self, *commands: GameCommand) -> None:
        self.table.writes(*map(self.keeper.ask, commands))


class ForgedHall:
    """A judge, three honest tables and a stolen terminal."""

    def __init__(
        self, folder: Path, station: StationProgram, chance: random.Random, ends: contextlib.ExitStack
    ) -> None:
        self._chance = chance
        self._judge = station.judge()
        ends.callback(self._judge.close)
        self._judge.open_tournament("Open", "championship-2022", "2026-11-21")
        self._judge.register("players.csv", PLAYERS)
        made = {n: Table(folder / f"t{n}", self._judge.provisioning(n)) for n in (*TABLES, THIEFS_TABLE)}
        for table in made.values():
            ends.callback(table.agent.stop)
        self.thief = Player(made.pop(THIEFS_TABLE))
        self.honest = {number: Player(table) for number, table in made.items()}
        self._early, self._late, self._in_play = chance.sample(TABLES, 3)

    @property
    def events(self) -> int:
        return sum(len(one.table.bodies) for one in (self.thief, *self.honest.values()))

    def suffer(self) -> None:
        """Forge one table before the draw, one before it is switched on, and one while it plays."""
        self._switches_on(self.thief)
        self._switches_on(self.honest[self._early])
        self._switches_on(self.honest[self._in_play])
        self._forges(self.guessed(self._early, tuple(PlayerId(f"p{n:03}") for n in range(1, 6))))
        assert self._judge.begin_round("cactus") == len(TABLES)
        self._forges(self.guessed(self._late, self._drawn()[self._late]))
        playing = self.honest[self._in_play]
        self._seats(playing)
        playing.begins()
        playing.waits_until_received()
        self._goes_on(playing)
        self.nothing_counts()

    def nothing_counts(self) -> None:
        """Check that no sheet or hand-over counts, and that the judge is alerted. Raises AssertionError."""
        waited(lambda: "never assigned to it" in self._judge.terminals(), "no alarm", 20)
        assert set(self._judge.sheets().values()) == {"playing"}, self._judge.sheets()
        for one in self.honest.values():
            one.table.look()
            assert not one.table.ordered(TakeGame), "a forged game was handed on"

    def end(self) -> None:
        """Let every table play its own game, and check that the proof pack is valid and names the thief."""
        for number, one in self.honest.items():
            if number == self._late:
                self._switches_on(one)
            if number != self._in_play:
                self._seats(one)
                one.begins()
            one.ends(self._chance.choice((2, 4)), Confirmation.PIN)
            one.waits_until_received()
        waited(lambda: set(self._judge.sheets().values()) <= {"accepted"}, "not all sheets are accepted", 20)
        assert not any(one.table.ordered(TakeGame) for one in self.honest.values())
        verdict = verify_pack(self._pack())
        assert verdict.faults == (), verdict.faults
        named = [note for note in verdict.notes if f"table/{self.thief.table.id}" in note.problem]
        assert len(named) == len(TABLES), verdict.notes
        assert verdict.games is not None
        assert verdict.games.replayed == len(TABLES)

    def guessed(self, table: int, players: tuple[PlayerId, ...]) -> SeatTable:
        """Return a seating that anybody can make up who sees the public pages."""
        tournament = TournamentId(self._judge.tournament)
        return SeatTable(
            game=GameId(f"{tournament}-r1-t{table}-a1"),
            tournament=tournament,
            tournament_name="Open",
            rules=RuleSet("championship-2022"),
            round=RoundNo(1),
            table=TableNo(self._chance.choice((table, THIEFS_TABLE))),
            seats=tuple(SeatedPlayer(player, f"Player {player}") for player in players),
        )

    def _switches_on(self, one: Player) -> None:
        one.table.agent.start()
        one.table.waits_for_order(AssignTable)

    def _seats(self, one: Player) -> None:
        one.table.waits_for_order(SeatGame)
        one.obeys()

    def _forges(self, seating: SeatTable) -> None:
        self.thief.invents(SeatGame(seating))
        self.thief.begins()
        self.thief.ends(
            self._chance.choice((2, 4)), self._chance.choice((Confirmation.PIN, Confirmation.KEY))
        )
        self.thief.waits_until_received()

    def _goes_on(self, playing: Player) -> None:
        """Let the thief, who has seen a pack or the card, copy every step and end the game after them."""
        steps = tuple(
            step_with_origin(line.step, playing.table.id, line.epoch, line.seq)
            for line in self._pack().terminals
            if line.stream == playing.table.stream
        )
        assert len(steps) == len(playing.table.bodies)
        self.thief.invents(_taking(steps))
        self.thief.ends(self._chance.choice((2, 4)), Confirmation.PIN)
        self.thief.waits_until_received()

    def _drawn(self) -> dict[int, tuple[PlayerId, ...]]:
        timeline = fold(line.step for line in self._pack().station)
        assert timeline is not None
        return {table.table: table.players for table in timeline.state.published_rounds[-1].tables}

    def _pack(self) -> Pack:
        return read_pack(self._judge.export().splitlines(keepends=True))


def _taking(steps: tuple[StepWithOrigin, ...]) -> TakeGame:
    return TakeGame(steps[0].step.game, 0, len(steps), steps)


def _encoded(order: Order) -> bytes:
    return msgspec.msgpack.encode(order)


def run_forgery(seed: int, seconds: float, progress: Progress) -> Counts:
    """Play halls one after the other, each of which is attacked at every table."""
    return repeated(lambda number, _: _one_hall(number), seed, seconds, progress)


def _one_hall(seed: int) -> Counts:
    with tempfile.TemporaryDirectory(prefix="saloon-soak-forgery-") as place:
        folder = Path(place)
        with stations(folder, "", "Hall") as (station,), contextlib.ExitStack() as ends:
            hall = ForgedHall(folder, station, random.Random(seed), ends)
            failures: tuple[str, ...] = ()
            try:
                hall.suffer()
                hall.end()
            except (AssertionError, TimeoutError) as error:
                failures = (f"forgery, seed {seed}: {error!r}",)
            return Counts(events=hall.events, seeds=1, failures=failures)

"""Random histories of a hall: with an index of any moment, a start folds what a plain reading folds."""

import random
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from base.errors import BadData, Refused
from core.game.ending.judge_calls import WarnPlayer
from core.game.ending.sheet import ConfirmSheet
from core.game.orders import TerminalReport, TerminalRestarting
from core.game.state.decisions import Undo
from core.game.state.game import Confirmation, Phase
from core.game.state.offences import Offence
from core.terms import SeatNo, TableNo
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.tournament import Waivers
from station.projections.projections import Projections
from station.store.changed_entries import ChainCheck
from station.store.database import Database, sqlite_url
from station.store.store import ArrivedEntry, Store
from station.terminals.service import Terminals
from sync.protocol.entry import content_of
from tests.examples import examples
from tests.station.conftest import JUDGE, OPEN, Station, seed
from tests.station.hall.test_restarts import folds
from tests.station.kept import KeptTerminal, unit


@dataclass
class Hall:
    """A station and its terminals, which may do anything at any time."""

    station: Station
    terminals: list[KeptTerminal] = field(default_factory=list)
    number: int = 0

    def goes_on(self, terminal: KeptTerminal) -> None:
        """Play the game at a terminal to its next phase."""
        terminal.obeys()
        if terminal.keeper.game is None:
            return
        if terminal.game.phase is Phase.SEATING:
            terminal.begins()
        elif terminal.game.phase is Phase.PLAYING:
            terminal.ends()
        else:
            terminal.asks(ConfirmSheet(Confirmation.PIN))

    def plays(self, terminal: KeptTerminal) -> None:
        """Play the game at a terminal to its end, and send it to the station."""
        for _ in range(3):
            self.goes_on(terminal)
        terminal.sends()

    def ends_turn(self, terminal: KeptTerminal) -> None:
        terminal.ends_turns(1)

    def warns(self, terminal: KeptTerminal) -> None:
        terminal.asks(WarnPlayer(SeatNo(3), Offence.SLOW_PLAY, "slow"))

    def takes_back(self, terminal: KeptTerminal) -> None:
        terminal.asks(Undo(1))

    def sends_some(self, terminal: KeptTerminal) -> None:
        terminal.sends(5)

    def sends(self, terminal: KeptTerminal) -> None:
        terminal.sends()

    def reports(self, terminal: KeptTerminal) -> None:
        terminal.writes_body(msgspec.msgpack.encode(TerminalReport(TerminalRestarting(), 0)))

    def writes_nonsense(self, terminal: KeptTerminal) -> None:
        terminal.writes_body(b"\x81\xa5event\xa7unknown")

    def loses_its_card(self, terminal: KeptTerminal) -> None:
        """Begin a new epoch with an empty card; entries that were not sent are lost."""
        self.number += 1
        fresh = KeptTerminal(self.station, terminal.id, f"{self.number:016x}")
        self.terminals[self.terminals.index(terminal)] = fresh

    def forges(self, terminal: KeptTerminal) -> None:
        other = self.terminals[(self.terminals.index(terminal) + 1) % len(self.terminals)]
        for entry in other.entries[-9:]:
            terminal.writes_body(bytes(content_of(entry.raw).body))

    def is_replaced(self, _: KeptTerminal) -> None:
        if len(self.terminals) < 4:
            self.number += 1
            spare = unit(self.station, 1 + self.number % 2, f"spare {self.number}")
            self.terminals.append(spare)
            spare.meets()

    def goes_to_the_other_table(self, terminal: KeptTerminal) -> None:
        self.number += 1
        self.station.run(
            self.station.service.of(Terminals).assign(terminal.id, TableNo(1 + self.number % 2), JUDGE)
        )

    def draws(self, _: KeptTerminal) -> None:
        self.number += 1
        self.station.does(SealDraw(seed=seed(self.number)))
        self.station.does(MakeDraw(hall_word="tumbleweed"))
        self.station.does(PublishDraw())

    def accepts(self, _: KeptTerminal) -> None:
        drawn = self.station.latest_round
        accepted = {sheet.game for sheet in drawn.sheets}
        for table in drawn.tables:
            if table.game not in accepted:
                self.station.accepts_paper(table.table)

    def undoes(self, _: KeptTerminal) -> None:
        self.number += 1
        self.station.does(UndoSteps(1 + self.number % 4, "look again"))

    def ends(self, _: KeptTerminal) -> None:
        if self.station.service.standings(OPEN).draw_groups:
            self.station.does(DrawLots(seed("lots")))
        self.station.does(PublishRanking())


Happening = tuple[Callable[[Hall, KeptTerminal], None], int]
"""A thing that happens, and the number of the terminal."""
_ASKED = 0.1
"""The share of entries after which somebody asks for a game."""
COMMON: list[Callable[[Hall, KeptTerminal], None]] = [
    Hall.plays,
    Hall.goes_on,
    Hall.sends,
    Hall.accepts,
    Hall.draws,
]
RARE: list[Callable[[Hall, KeptTerminal], None]] = [
    Hall.ends_turn,
    Hall.warns,
    Hall.takes_back,
    Hall.sends_some,
    Hall.reports,
    Hall.writes_nonsense,
    Hall.loses_its_card,
    Hall.forges,
    Hall.is_replaced,
    Hall.goes_to_the_other_table,
    Hall.undoes,
    Hall.ends,
]
HAPPENINGS = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(COMMON), st.sampled_from(COMMON), st.sampled_from(RARE)), st.integers(0, 3)
    ),
    min_size=20,
    max_size=50,
)


def history(folder: Path, happenings: list[Happening]) -> list[ArrivedEntry]:
    """Return all entries of a hall after these actions, as far as they were possible."""
    station = Station(folder)
    station.opens(10, Waivers(rounds=2))
    hall = Hall(station, [unit(station, 1), unit(station, 2)])
    hall.draws(hall.terminals[0])
    for happens, number in happenings:
        with suppress(Refused, BadData, AssertionError, IndexError):
            happens(hall, hall.terminals[number % len(hall.terminals)])
    arrived = list(station.store.entries_after())
    station.close()
    return arrived


def plain(arrived: list[ArrivedEntry]) -> Projections:
    """Apply all entries at once, in order of arrival."""
    applied = Projections()
    applied.apply_all(one.entry for one in arrived)
    return applied


def everything(folded: Projections) -> tuple[object, ...]:
    return (
        *folds(folded),
        folded.warnings,
        folded.position,
        folded.apart,
        folded.last_reported,
        folded.raised,
        folded.seen,
        folded.epochs_of_orders,
        folded.power,
        list(folded.games),
    )


def arrive(database: Database, arrived: list[ArrivedEntry]) -> None:
    """Store entries with their arrival numbers."""
    with database.transaction() as connection:
        for one in arrived:
            entry = one.entry
            connection.exec_driver_sql(
                "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, 0)",
                (one.arrival, entry.stream, entry.epoch, entry.seq, entry.raw, entry.hash),
            )


def follow(folded: Projections, arrived: list[ArrivedEntry], after: int, chance: random.Random) -> None:
    """Apply the entries that arrive after a start, and ask for games in between."""
    for at, one in enumerate(arrived[after:], after + 1):
        folded.apply(one.entry)
        if folded.games and chance.random() < _ASKED:
            game = chance.choice(list(folded.games))
            assert folded.games[game] == plain(arrived[:at]).games[game]


@pytest.mark.slow
@settings(max_examples=examples(15), deadline=None)
@given(HAPPENINGS, st.lists(st.floats(0, 1), min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_starts_with_an_index_of_any_moment_fold_what_happened(
    happenings: list[Happening], moments: list[float], chance: random.Random
) -> None:
    with TemporaryDirectory() as folder:
        arrived = history(Path(folder), happenings)
        with closing(Database(sqlite_url(Path(folder) / "station.sqlite"))) as database:
            with database.transaction() as connection:
                connection.exec_driver_sql("DELETE FROM entries")
            store, before = Store(database, lambda: 0), 0
            for moment in sorted(round(share * len(arrived)) for share in moments):
                arrive(database, arrived[before:moment])
                before, check, folded = moment, ChainCheck(), Projections(store.steps_of)
                folded.read_all(store.entries_to_fold(check))
                assert store.withdraw(check) == ()
                store.index_games(folded.position, check.heads, folded.games.put_off_games)
                follow(folded, arrived, moment, chance)
                assert everything(folded) == everything(plain(arrived))

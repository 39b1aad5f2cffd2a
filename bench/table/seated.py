"""A data folder with a journal in which a station has seated seven players at table 4."""

from pathlib import Path
from typing import Final

import msgspec

from core.game.orders import AssignTable, Order, SeatGame
from core.game.setup import SeatTable
from core.game.state.game import SeatedPlayer
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, RoundNo, TableNo, TournamentId
from kiosk.terminal.startup.agent import board_name
from kiosk.terminal.startup.terminal_certificate import TerminalCertificate
from sync.protocol.entry import GENESIS, ClockReading, Epoch, StreamId, chained_hash, content_bytes, orders_of
from sync.protocol.journal import Journal
from sync.tls.certificates import fingerprint_of_pem
from tests.scenarios.moments import NAMES

PLAYERS: Final = 7
_TABLE: Final = TableNo(4)


def seat_players(data: Path) -> None:
    """Create the key and the journal of a terminal that was ordered to seat a game."""
    with TerminalCertificate(data) as identity:
        _, certificate = identity.files()
    name = fingerprint_of_pem(certificate.read_text(encoding="ascii"), "bench")
    players = tuple(SeatedPlayer(PlayerId(f"p{n}"), NAMES[n]) for n in range(PLAYERS))
    table = SeatTable(
        GameId("bench"),
        TournamentId("bench"),
        "Bench",
        RuleSet("championship-2022"),
        RoundNo(2),
        _TABLE,
        players,
    )
    orders: tuple[Order, ...] = (AssignTable(_TABLE, ""), SeatGame(table, 90))
    clock = ClockReading(1, 2, 3, trusted=False)
    raws = tuple(content_bytes(clock, msgspec.msgpack.encode(order)) for order in orders)
    hashes = [GENESIS]
    for raw in raws:
        hashes.append(chained_hash(hashes[-1], raw))
    stream = StreamId(f"table/{name}")
    with Journal(data / "journal.db", stream, orders_of(name), board_name()) as journal:
        journal.keep_orders(Epoch("5a10015a10015a10"), 1, raws, tuple(hashes[1:]))

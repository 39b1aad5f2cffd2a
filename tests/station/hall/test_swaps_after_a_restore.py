"""A swap between the backup and the loss: the spare's own steps prove that it has the table."""

from pathlib import Path

from core.game.orders import ConfirmFromStation, RelieveTable, SeatGame, TakeGame
from core.terms import TableNo
from core.tournament.sheets import AcceptSheet, WaiveOwedEntries
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from station.hall.authoritative_log import authoritative_log, late_steps
from station.terminals.service import Terminals
from tests.station.backups.test_backup import restored_from
from tests.station.conftest import JUDGE, OPEN, Station, outlaws_won, seed
from tests.station.hall.test_swaps import orders
from tests.station.kept import KeptTerminal, unit


def comes_back(station: Station, terminal: KeptTerminal) -> None:
    """Connect a terminal to a restored station, and send all entries that the station lacks."""
    terminal.station = station
    known = station.store.head(terminal.entries[0].stream)
    terminal.sent = 0 if known is None else known.seq
    station.connects(terminal.id, owes=len(terminal.entries) - terminal.sent)
    terminal.sends()
    station.connects(terminal.id)


def lost(station: Station, folder: Path) -> tuple[Station, KeptTerminal, KeptTerminal]:
    """A station restored to before a swap, with the terminals' entries."""
    station.opens(10, Waivers(rounds=1))
    broken, spare = unit(station, 1), unit(station, None, "spare")
    station.publishes()
    broken.obeys()
    broken.begins()
    broken.sends()
    content = station.run(station.service.backup())
    broken.ends_turns(2)
    broken.sends()
    station.run(station.service.of(Terminals).assign(spare.id, TableNo(1), JUDGE))
    spare.meets()
    broken.obeys()
    spare.ends_turns(3)
    spare.sends()
    station.close()
    return restored_from(content, folder), broken, spare


def test_the_spare_stands_at_its_table_again_and_nothing_doubles(station: Station, tmp_path: Path) -> None:
    again, broken, spare = lost(station, tmp_path)
    assert again.context.terminals_by_table == {TableNo(1): broken.id}
    comes_back(again, broken)
    comes_back(again, spare)
    assert again.context.terminals_by_table == {TableNo(1): spare.id}
    card = again.service.floor(OPEN)[0]
    assert card.game == spare.game
    assert late_steps(card.game_id, again.context.projections, again.context.terminals_by_table) == ()
    assert orders(again, spare, TakeGame) == orders(again, spare, SeatGame) == []
    assert orders(again, broken, RelieveTable) == [RelieveTable(card.game_id)]
    assert len(list(again.service.story(card.game_id))) == len(spare.entries)
    again.close()


def test_the_spare_alone_brings_the_whole_game_back(station: Station, tmp_path: Path) -> None:
    again, broken, spare = lost(station, tmp_path)
    comes_back(again, spare)
    card = again.service.floor(OPEN)[0]
    track = authoritative_log(card.game_id, again.context.projections, again.context.terminals_by_table)
    assert track is not None
    assert track.terminal == spare.id
    assert card.game == spare.game
    comes_back(again, broken)
    assert again.context.terminals_by_table == {TableNo(1): spare.id}
    assert again.service.floor(OPEN)[0].late == ()
    again.close()


def test_a_spare_that_comes_back_after_the_ranking_learns_that_its_game_is_over(
    station: Station, tmp_path: Path
) -> None:
    again, _, spare = lost(station, tmp_path)
    (drawn,) = again.service.tournament(OPEN).rounds
    for table in drawn.tables:
        again.does(AcceptSheet(table.game, outlaws_won(drawn, table.table), Source.PAPER))
    again.run(again.service.of(Terminals).assign(spare.id, TableNo(1), JUDGE))
    missing = again.service.problems.tables_with_missing_entries(OPEN)
    again.does(WaiveOwedEntries(missing, "both are switched off"))
    again.does(DrawLots(seed("lots")))
    again.does(PublishRanking())
    comes_back(again, spare)
    game = drawn.tables[0].game
    assert orders(again, spare, ConfirmFromStation) == [ConfirmFromStation(game, is_corrected=True)]
    again.close()

"""The export, read by the program that auditors use."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from core.cli.audit import audited_games, step_faults
from core.cli.cases.tie_breaks import row_fields
from core.cli.export_file import Export, read_export
from core.game.orders import SeatGame
from core.terms import GameId, TournamentId
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import WithdrawPlayer
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ranking import DrawLots, PublishRanking
from core.tournament.standings.standings import standings_of
from core.tournament.state.rounds import Source
from core.tournament.state.tournament import Waivers
from tests.station.conftest import OPEN, Station, outlaws_won, seed

PROGRAMS = Path(sys.executable).parent


def call(program: str, *arguments: object) -> str:
    done = subprocess.run(
        [PROGRAMS / program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def exported(station: Station, folder: Path) -> Export:
    file = folder / "export.jsonl"
    file.write_bytes(b"".join(station.service.export(OPEN)))
    return read_export(file)


def test_auditors_recount_the_stations_standings_from_the_export(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    pair = (station.terminal(1), station.terminal(2))
    for number in (1, 2):
        station.publishes(number)
        for terminal in pair:
            terminal.plays()
    pack = exported(station, tmp_path)
    assert pack.tournament.state == station.service.tournament(OPEN)
    assert standings_of(pack.tournament.state, pack.edition) == station.service.standings(OPEN)
    assert [game.disagreement for game in audited_games(pack)] == [(), (), (), ()]
    assert all(game.replayed is not None for game in audited_games(pack))
    assert list(step_faults(pack)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "tied"), [(1, True), (3, False)], ids=["lots", "somebody left"])
def test_the_program_of_the_auditors_agrees_with_the_published_ranking(
    station: Station, tmp_path: Path, rounds: int, *, tied: bool
) -> None:
    station.opens(11, Waivers(rounds=rounds))
    terminal = station.terminal(1)
    for number in range(1, rounds + 1):
        round_ = station.publishes(number)
        terminal.plays()
        station.does(AcceptSheet(round_.tables[1].game, outlaws_won(round_, 2), Source.PAPER))
        if number == 2:
            station.does(WithdrawPlayer(round_.tables[0].players[-1], "train to catch"))
    assert bool(station.service.standings(OPEN).draw_groups) is tied
    if tied:
        station.does(DrawLots(seed("lots")))
    station.does(PublishRanking())
    station.close()
    file = tmp_path / "open.jsonl"
    call("saloon-station", "export", OPEN, file, "--data", tmp_path)
    (ranked,) = msgspec.json.decode(call("saloon-rules", "rank", "--json", file))
    rows = station.service.standings(OPEN).rows
    names = {entrant.player: entrant.name for entrant in station.service.tournament(OPEN).entrants}
    expected = [{**row_fields(row), "name": names[row.player]} for row in rows]
    assert ranked["standings"] == msgspec.json.decode(msgspec.json.encode(expected))
    assert (ranked["draw_groups"], ranked["notes"], ranked["faults"]) == ([], [], [])
    assert ranked["withdrawn"] == [row.player for row in rows if row.withdrawn]
    assert len(ranked["withdrawn"]) == (0 if tied else 1)


def test_steps_taken_back_and_tables_on_paper_are_in_the_export(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    round_ = station.publishes()
    station.does(AcceptSheet(round_.tables[0].game, outlaws_won(round_, 1), Source.PAPER))
    station.does(UndoSteps(1, "wrong table"))
    pack = exported(station, tmp_path)
    assert len(list(station.service.export(OPEN))) == 1 + 7 + 2
    assert [game.accepted for game in audited_games(pack)] == [None, None]


def test_games_of_other_tournaments_stay_out(station: Station, tmp_path: Path) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    terminal.seats()
    terminal.sends()
    seating = terminal.ordered(SeatGame)[-1].seating
    other = msgspec.structs.replace(seating, game=GameId("other"), tournament=TournamentId("other"))
    second = station.terminal(2)
    second.begins(other)
    second.sends()
    assert set(exported(station, tmp_path).games) == {seating.game}


def test_a_tournament_that_is_not_there_is_not_exported(station: Station) -> None:
    with pytest.raises(KeyError):
        station.service.export(OPEN)

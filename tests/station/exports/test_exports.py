"""The export as auditors' programs read it, and as tables for spreadsheets: harmless, and secret in time."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import python_calamine
from hypothesis import given
from hypothesis import strategies as st

from core.cli.cases.tie_breaks import row_fields
from core.cli.proof_pack import Export, audited_games, read_export, step_faults
from core.game.orders import SeatGame
from core.game.state.offences import Offence
from core.terms import GameId, PlayerId, TournamentId
from core.tournament.decisions import UndoSteps
from core.tournament.penalties import EjectPlayer, WarnPlayer, WithdrawPlayer
from core.tournament.standings.ledger import accepted_results, accounts
from core.tournament.standings.ranking import PublishRanking
from core.tournament.standings.standings import standings_of
from core.tournament.state.tournament import Waivers
from station.accounts.permissions import Permission
from station.exports import DataTable, as_csv, as_workbook, exported, harmless, permission_for
from tests.core.tournament.conftest import Judge
from tests.station.conftest import OPEN, Station
from tests.station.paper.test_papers import HOSTILE, break_ties, registered

PROGRAMS = Path(sys.executable).parent


def call(program: str, *arguments: object) -> str:
    done = subprocess.run(
        [PROGRAMS / program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pack_of(station: Station, folder: Path) -> Export:
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
    pack = pack_of(station, tmp_path)
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
        station.accepts(round_, 2)
        if number == 2:
            station.does(WithdrawPlayer(round_.tables[0].players[-1], "train to catch"))
    assert bool(station.service.standings(OPEN).draw_groups) is tied
    station.publishes_ranking()
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
    station.accepts(round_, 1)
    station.does(UndoSteps(1, "wrong table"))
    pack = pack_of(station, tmp_path)
    assert len(list(station.service.export(OPEN))) == 1 + 7 + 2
    assert [game.accepted for game in audited_games(pack)] == [None, None]


def test_games_of_other_tournaments_stay_out(station: Station, tmp_path: Path) -> None:
    terminal = station.running_round()
    terminal.sends()
    seating = terminal.ordered(SeatGame)[-1].seating
    other = msgspec.structs.replace(seating, game=GameId("other"), tournament=TournamentId("other"))
    second = station.terminal(2)
    second.begins(other)
    second.sends()
    assert set(pack_of(station, tmp_path).games) == {seating.game}


def test_a_tournament_that_is_not_there_is_not_exported(station: Station) -> None:
    with pytest.raises(KeyError):
        station.service.export(OPEN)


FORMULA = ("=", "+", "-", "@", "\t", "\r")


@pytest.fixture(scope="module")
def over() -> Judge:
    judge = registered("championship-2022", Waivers(rounds=2))
    judge.plays_round()
    judge.does(WarnPlayer(PlayerId("p009"), "=late()", offence=Offence.SHOWN_ROLE))
    judge.does(EjectPlayer(PlayerId("p020"), "Looked at other hands"))
    judge.plays_round()
    break_ties(judge)
    return judge


def rows_of(judge: Judge, table: DataTable) -> list[dict[str, str]]:
    content = as_csv(exported(table, judge.state, judge.rules)).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content, newline="")))


def test_every_player_seat_and_result_is_there(over: Judge) -> None:
    players = rows_of(over, DataTable.PLAYERS)
    assert [row["name"].removeprefix("'") for row in players][: len(HOSTILE)] == list(HOSTILE)
    assert {row["status"] for row in players} == {"playing", "ejected"}
    assert len(rows_of(over, DataTable.SEATS)) == 32 + 31
    results = rows_of(over, DataTable.RESULTS)
    assert len(results) == 32 + 31
    everybody = [entrant.player for entrant in over.state.entrants]
    money = accounts(accepted_results(over.state, over.rules), everybody, over.rules)[PlayerId("p005")]
    assert sum(int(row["winnings"]) for row in results if row["player"] == "p005") == money.won_money


def test_penalties_and_ranking_say_what_the_pages_say(over: Judge) -> None:
    penalties = [(row["player"], row["penalty"], row["reason"]) for row in rows_of(over, DataTable.PENALTIES)]
    ejection = ("p020", "ejection", "Looked at other hands")
    assert penalties == [("p009", "warning", "'=late()"), ejection]
    ranking = rows_of(over, DataTable.RANKING)
    assert [row["rank"] for row in ranking][:2] == ["1", "2"]
    assert ranking[-1]["player"] == "p020"
    assert ranking[-1]["rank"] == ""


def test_no_cell_of_a_csv_file_is_a_formula(over: Judge) -> None:
    for table in DataTable:
        content = as_csv(exported(table, over.state, over.rules)).decode("utf-8-sig")
        for row in csv.reader(io.StringIO(content, newline="")):
            assert not [cell for cell in row if cell.startswith(FORMULA)]


@given(st.text())
def test_a_harmless_text_can_be_read_back(text: str) -> None:
    cell = harmless(text)
    assert isinstance(cell, str)
    assert not cell.startswith(FORMULA)
    assert cell in {text, f"'{text}"}


def test_a_workbook_has_a_sheet_for_each_table_and_only_texts_and_numbers(over: Judge) -> None:
    tables = [(table, exported(table, over.state, over.rules)) for table in DataTable]
    book = python_calamine.load_workbook(io.BytesIO(as_workbook(tables)))
    assert book.sheet_names == [table.value for table in DataTable]
    names = [row[2] for row in book.get_sheet_by_name("players").to_python()[1:]]
    assert names[: len(HOSTILE)] == list(HOSTILE)
    winnings = [row[12] for row in book.get_sheet_by_name("results").to_python()[1:]]
    assert all(isinstance(cell, float) for cell in winnings)
    assert b"<f>" not in as_workbook(tables)


def test_money_and_ranks_are_the_head_judges_until_they_are_public(over: Judge) -> None:
    needed = {table: permission_for(table, over.state) for table in DataTable}
    secret = {table for table, permission in needed.items() if permission is Permission.STANDINGS}
    assert secret == {DataTable.RESULTS, DataTable.RANKING, DataTable.PRIZES}
    judge = registered("championship-2022", Waivers(rounds=1))
    judge.plays_round()
    break_ties(judge)
    judge.does(PublishRanking())
    assert {permission_for(table, judge.state) for table in DataTable} == {Permission.TOURNAMENTS}

"""A tournament's data in spreadsheets: complete, harmless, and secret as long as it must be."""

import csv
import io

import pytest
import python_calamine
from hypothesis import given
from hypothesis import strategies as st

from core.game.state.offences import Offence
from core.terms import PlayerId
from core.tournament.penalties import EjectPlayer, WarnPlayer
from core.tournament.standings.ledger import accepted_results, accounts
from core.tournament.standings.ranking import PublishRanking
from core.tournament.state.tournament import Waivers
from station.accounts.permissions import Permission
from station.exports.tables import DataTable, as_csv, as_workbook, exported, harmless, permission_for
from tests.core.tournament.conftest import Judge
from tests.station.paper.test_papers import HOSTILE, break_ties, registered

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
    penalties = rows_of(over, DataTable.PENALTIES)
    assert [(row["player"], row["penalty"]) for row in penalties] == [
        ("p009", "warning"),
        ("p020", "ejection"),
    ]
    assert penalties[0]["reason"] == "'=late()"
    assert penalties[1]["reason"] == "Looked at other hands"
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
    tables = {table: exported(table, over.state, over.rules) for table in DataTable}
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
    assert secret == {DataTable.RESULTS, DataTable.RANKING}
    judge = registered("championship-2022", Waivers(rounds=1))
    judge.plays_round()
    break_ties(judge)
    judge.does(PublishRanking())
    assert {permission_for(table, judge.state) for table in DataTable} == {Permission.TOURNAMENTS}

"""The judge's players: a page for each, and a question where two have one name."""

from html import unescape
from pathlib import Path

import pytest

from core.terms import PlayerId
from core.tournament.penalties import WithdrawPlayer
from tests.station.browser import Browser, first_group, shows
from tests.station.conftest import OPEN, Station

PLAYERS = f"/judge/t/{OPEN}/players"


@pytest.fixture(autouse=True)
def _registered(station: Station) -> None:
    station.opens(10)


def names(station: Station) -> list[str]:
    return [entrant.name for entrant in station.service.tournament(OPEN).entrants]


@pytest.mark.parametrize("typed", ["player  3", "PLAYER 3", "Pläyer 3"])
def test_a_name_that_is_registered_already_is_asked_about(
    station: Station, judge: Browser, typed: str
) -> None:
    page = judge.send(PLAYERS, {"name": typed, "club": "Torino"})
    shows(page, "One person or two?", f'href="{PLAYERS}/p003"')
    assert len(names(station)) == 10
    judge.send(PLAYERS, {"name": typed, "club": "Torino", "sure": "yes"})
    assert len(names(station)) == 11
    judge.send(PLAYERS, {"name": "Zoe", "club": ""})
    assert names(station)[-1] == "Zoe"


def test_a_name_that_is_like_a_registered_one_is_asked_about(station: Station, judge: Browser) -> None:
    judge.send(PLAYERS, {"name": "Marco D'Angelo", "club": "Roma"})
    for name in ("D’Angelo Marco", "Marco D Angelo"):
        assert "One person or two?" in judge.send(PLAYERS, {"name": name, "club": "Roma"})
    assert len(names(station)) == 11


def test_a_player_has_a_page_with_every_seat(station: Station, judge: Browser) -> None:
    station.plays_round("one")
    station.publishes("two")
    judge.get(f"{PLAYERS}/p999", expected=404)
    page = judge.get(f"{PLAYERS}/p004")
    for drawn in station.service.tournament(OPEN).rounds:
        table = next(table.table for table in drawn.tables if "p004" in [str(p) for p in table.players])
        assert f'href="/judge/t/{OPEN}/tables/{drawn.round}/{table}"' in page
    assert "Please give a reason" in judge.send(f"{PLAYERS}/p004/withdraw", {"reason": " "})
    judge.send(f"{PLAYERS}/p004/withdraw", {"reason": "train"})
    shows(judge.get(f"{PLAYERS}/p004"), "train", never="/withdraw")


def test_a_withdrawal_in_the_last_round_leaves_its_tables(station: Station, judge: Browser) -> None:
    station.plays_round("one")
    station.plays_round("two")
    assert "<b>2</b> tables <small>(5, 5)" in judge.get(f"/judge/t/{OPEN}")
    station.publishes("three")
    judge.send(f"{PLAYERS}/p004/withdraw", {"reason": "train"})
    assert "<b>2</b> tables <small>(5, 5)" in judge.get(f"/judge/t/{OPEN}")


def test_a_player_entered_by_mistake_is_removed_before_the_first_draw(
    station: Station, judge: Browser
) -> None:
    assert "Remove Player 4" in judge.get(f"{PLAYERS}/p004")
    judge.send(f"{PLAYERS}/p004/remove", {})
    assert "Player 4" not in judge.get(PLAYERS)
    assert len(names(station)) == 9
    assert "Player 4 removed" in judge.get(f"/judge/t/{OPEN}/history")
    judge.send(f"/judge/t/{OPEN}/undo", {"steps": "1", "reason": "the right one"})
    assert names(station)[3] == "Player 4"
    station.publishes()
    assert "Remove Player 4" not in judge.get(f"{PLAYERS}/p004")
    assert "is in a draw" in judge.send(f"{PLAYERS}/p004/remove", {})
    assert len(names(station)) == 10


def test_the_list_of_a_thousand_has_no_forms_of_single_players(station: Station, judge: Browser) -> None:
    page = judge.get(PLAYERS)
    assert "/rename" not in page
    assert page.count(f'href="{PLAYERS}/p0') == 10


def test_a_withdrawal_by_mistake_is_taken_back_on_the_players_page(station: Station, judge: Browser) -> None:
    station.plays_round()
    page = f"/judge/t/{OPEN}/players/p004"
    assert "Withdrawn by mistake" not in judge.get(page)
    station.does(WithdrawPlayer(PlayerId("p004"), "gone"))
    assert "Withdrawn by mistake" in judge.get(page)
    judge.post(f"{page}/reinstate", reason="it was somebody else")
    assert PlayerId("p004") in {one.player for one in station.service.tournament(OPEN).contenders}
    assert "is in the tournament again: it was somebody else" in judge.get(f"/judge/t/{OPEN}/history")


INPUTS = Path(__file__).parents[1] / "imports" / "inputs"


def uploaded(judge: Browser, name: str) -> str:
    return judge.send_file(f"{PLAYERS}/import", "file", name, (INPUTS / name).read_bytes())


def test_a_sheet_with_a_cell_in_its_last_corner_is_previewed(judge: Browser) -> None:
    shows(uploaded(judge, "far-corner.xlsx"), "Register 2 players", "Ada Rossi")


def test_a_list_is_read_again_with_the_encoding_and_columns_that_the_judge_chooses(judge: Browser) -> None:
    page = uploaded(judge, "gbk.csv")
    assert "Register" not in page
    content = first_group('name="content" value="([^"]*)"', page)
    again = {"content": content, "encoding": "gb18030", "first": "0", "club": "1"}
    shows(judge.send(f"{PLAYERS}/import", again), "Register 1 player", "王伟\t北京")


def test_a_file_that_is_no_list_is_no_faulty_line_of_one(judge: Browser) -> None:
    page = judge.send_file(f"{PLAYERS}/import", "file", "letter.docx", b"PK\x03\x04 no archive")
    shows(page, "Nobody was registered", never="Fix these lines")


def test_a_list_with_errors_names_their_lines_and_registers_nobody(judge: Browser) -> None:
    content = b"name,club\nAda,Torino\n,Milano\nAda,Torino\n"
    page = judge.send_file(f"{PLAYERS}/import", "file", "players.csv", content)
    shows(page, "line 3", "line 4", never="/import/confirm")


def test_what_is_no_file_of_a_preview_is_refused(judge: Browser) -> None:
    assert "Choose a list" in judge.send(f"{PLAYERS}/import", {"content": "~"})


def test_a_list_that_is_larger_than_one_step_is_registered_whole(station: Station, judge: Browser) -> None:
    rows = "\n".join(f"{'Ж' * 60} {number}\t{'Щ' * 60}" for number in range(1_500))
    judge.send_file(f"{PLAYERS}/import/confirm", "nothing", "", b"", rows=rows)
    assert len(names(station)) == 1_510
    judge.get(PLAYERS)
    late = "\n".join((*(f"Newcomer {number}" for number in range(1_200)), rows.splitlines()[0]))
    page = judge.send_file(f"{PLAYERS}/import/confirm", "nothing", "", b"", rows=late)
    assert "can't be told apart" in unescape(page)
    assert len(names(station)) == 1_510


def test_a_list_that_is_confirmed_twice_registers_nobody_twice(station: Station, judge: Browser) -> None:
    judge.get(PLAYERS)
    before = len(station.service.tournament(OPEN).entrants)
    rows = "Ada Bianchi\tRoma\nBruno Bassi\tPisa"
    judge.post(f"{PLAYERS}/import/confirm", rows=rows)
    shows(judge.post(f"{PLAYERS}/import/confirm", rows=rows), "Everyone on this list is already registered.")
    assert len(station.service.tournament(OPEN).entrants) == before + 2


def test_the_preview_names_players_whom_no_font_can_show(judge: Browser) -> None:
    page = judge.send_file(f"{PLAYERS}/import", "file", "players.csv", "name\nAda\nWu \U00030000\n".encode())
    shows(page, "Wu \U00030000 → “Wu…”")
    assert "Ada →" not in page

"""Prizes on pages: defined by organisers, previewed by head judges, public with the ranking, verifiable."""

import json
from html import unescape
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from core.cli.why import why
from core.proof.lines import StandingsLine
from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.terms import PlayerId
from core.tournament.registration import RenamePlayer
from core.tournament.state.prizes import Prize, PrizeBasis, PrizeGroup
from core.tournament.state.tournament import TournamentState, Waivers
from station.accounts.permissions import AccountRole, Permission
from station.exports import DataTable, exported, permission_for, pieces
from station.imports.findings import PrivateField
from station.paper.certificates import Letterhead, prize_certificates
from station.paper.papers import PaperKind, PaperSource, needed_permission, paper_of
from station.paper.results import prizes
from station.players.service import Desk
from station.text.i18n import words_in
from tests.station.browser import Browser, logged_in_as, looked_at, proof_faults, shows, words
from tests.station.conftest import OPEN, Station

BASE = f"/judge/t/{OPEN}"
PRIZES = f"{BASE}/prizes"
NEWCOMER = {"name": "Best newcomer", "basis": "ranking", "group": "newcomers", "excluded": "nobody"}
SHARP = {"name": "Sharpshooter", "basis": "eliminations", "group": "everyone", "excluded": "nobody"}
JUNIOR = NEWCOMER | {"name": "Best junior", "group": "chosen", "player-p002": "yes", "player-p004": "yes"}


@pytest.fixture
def played(station: Station) -> Station:
    """A tournament of ten whose only round has been played, and whose ties are broken."""
    station.opens(10, Waivers(rounds=1))
    for number, club in enumerate(("Torino", "Torino", "Milano", "Milano"), 1):
        station.does(RenamePlayer(PlayerId(f"p00{number}"), f"Player {number}", club))
    station.plays_round()
    station.breaks_ties()
    return station


def state_of(station: Station) -> TournamentState:
    return station.service.tournament(OPEN)


def saves(browser: Browser, typed: dict[str, str], number: int = 0, expected: int = 200) -> str:
    return browser.send(f"{PRIZES}/{number}", typed | looked_at(browser, f"{PRIZES}/{number}"), expected)


def publishes(judge: Browser) -> None:
    judge.send(f"{BASE}/standings/publish", looked_at(judge, f"{BASE}/standings"))


def sharpshooters(station: Station) -> list[str]:
    """In every game of these tests, the player on seat 2 eliminated the Sheriff."""
    shooters = {table.players[1] for table in state_of(station).rounds[0].tables}
    rows = station.service.standings(OPEN).rows
    return [f"Player {int(row.player[1:])}" for row in rows if row.player in shooters]


def test_an_organiser_adds_a_suggested_prize_with_one_click_and_sees_no_results(played: Station) -> None:
    organiser = logged_in_as(played, AccountRole.ORGANISER)
    page = organiser.get(PRIZES)
    shows(page, "Best newcomer", "Best club", "Best Sheriff", "There are no prizes yet.")
    form = page.split(f'action="{PRIZES}/0"')[3].split("</form>")[0]
    hidden = dict(part.split('"')[0::2][:2] for part in form.split('name="')[1:] if "_csrf" not in part)
    page = organiser.send(f"{PRIZES}/0", hidden)
    assert state_of(played).prizes == (Prize("Best Sheriff", PrizeBasis.WON_AS_SHERIFF),)
    shows(page, "Games won as Sheriff · all players", never=("$", "Why?", "Secret", ">Best Sheriff</button>"))


def test_only_organisers_and_head_judges_open_the_page(played: Station) -> None:
    logged_in_as(played, AccountRole.FLOOR_JUDGE).get(PRIZES, expected=403)


def test_a_head_judge_sees_who_would_win_and_by_which_games(played: Station, judge: Browser) -> None:
    page = saves(judge, SHARP)
    best = sharpshooters(played)[0]
    shows(page, "Secret until the ranking is published")
    player = PlayerId(f"p{int(best.split()[1]):03}")
    table = next(one for one in state_of(played).rounds[0].tables if one.players[1] == player)
    shows(words(page), f"{best} 1 elimination", f"Round 1, Table {table.table}")


def test_winners_are_secret_until_the_ranking_is_and_then_public_everywhere(
    played: Station, judge: Browser, visitor: Browser
) -> None:
    saves(judge, SHARP)
    best = sharpshooters(played)[0]
    screen = judge.send(f"{BASE}/projectors", {"name": "Hall"}).split('src="/projector/')[1].split("?")[0]
    public = (f"/t/{OPEN}", f"/projector/{screen}/pages")
    for page in public:
        shows(visitor.get(page), never="Sharpshooter")
    shows(visitor.get(f"/t/{OPEN}/prizes", expected=404), "won't be public until the ranking is published")
    publishes(judge)
    for page in (*public, f"/t/{OPEN}/prizes", f"/t/{OPEN}/results.html"):
        shows(words(visitor.get(page)), "Sharpshooter", best)
    shows(visitor.get(f"/t/{OPEN}/results.html"), never="/static/")
    shows(judge.get(PRIZES), best, never=("Edit", "Add a prize"))


def test_programs_read_the_winners_and_a_pack_explains_every_candidate(
    played: Station, judge: Browser, visitor: Browser, tmp_path: Path
) -> None:
    saves(judge, SHARP)
    assert visitor.status(f"/api/v1/tournaments/{OPEN}/prizes").status_code == 404
    publishes(judge)
    best, second = sharpshooters(played)[:2]
    (row,) = visitor.status(f"/api/v1/tournaments/{OPEN}/prizes").json()
    cells = {"prize": "Sharpshooter", "place": 1, "players": best, "club": "", "figure": 1}
    assert row == {"cells": cells}
    pack = tmp_path / "open.jsonl"
    pack.write_bytes(b"".join(pieces(played.service.export(OPEN))))
    for player, place in ((best, 1), (second, 2)):
        answer = CliRunner().invoke(why, [str(pack), "--player", player, "--json"])
        (said,) = json.loads(answer.output)[0]["prizes"]
        shows(said, f"prize 'Sharpshooter' by eliminations: place {place} with 1 (1/", f"won by {best}")


def test_a_prize_for_newcomers_makes_the_desk_ask_who_is_one(played: Station, judge: Browser) -> None:
    shows(judge.get(f"{BASE}/check-in"), never="Mark as newcomer")
    shows(saves(judge, NEWCOMER), "0 players are marked as newcomers")
    shows(judge.get(f"{BASE}/check-in"), "Mark as newcomer")
    for player in ("p003", "p004"):
        judge.send(f"{BASE}/check-in/facts/{player}", {"newcomer": "yes"})
    judge.send(f"{BASE}/check-in/facts/p004", {"newcomer": "no"})
    page = judge.get(PRIZES)
    shows(words(page), "1 player is marked as a newcomer.", "1 Player 3 won")
    publishes(judge)
    assert state_of(played).newcomers == ("p003",)
    judge.send(f"{BASE}/check-in/facts/p002", {"newcomer": "yes"})
    shows(words(judge.get(f"/t/{OPEN}/prizes")), "Player 3", never="Player 2")
    assert proof_faults(played) == ()


def test_newcomers_are_marked_when_registered_from_a_file_at_the_desk_or_on_their_phone(
    station: Station, judge: Browser, visitor: Browser
) -> None:
    station.opens(1)
    saves(judge, NEWCOMER)
    preview = judge.send_file(
        f"{BASE}/players/import", "file", "list.csv", b"name,newcomer\nAnna Neri,x\nBruno Neri,\n"
    )
    shows(preview, "newcomer")
    rows = preview.split('name="rows"')[1].split(">", 1)[1].split("</textarea>")[0]
    judge.send(f"{BASE}/players/import/confirm", {"rows": rows})
    judge.post(f"{BASE}/players", name="Carla Neri", newcomer="yes")
    judge.send(f"{BASE}/check-in/settings", {"registration": "yes"})
    shows(visitor.get(f"/t/{OPEN}/register"), "This is my first tournament.")
    visitor.post(f"/t/{OPEN}/register", name="Dora Neri", agreed="yes", newcomer="yes")
    judge.get(f"{BASE}/check-in")
    judge.send(f"{BASE}/check-in/applications/1", {"answer": "approve"})
    state = station.run(station.service.of(Desk).with_newcomers(state_of(station)))
    names = {entrant.player: entrant.name for entrant in state.entrants}
    assert [names[player] for player in state.newcomers] == ["Anna Neri", "Carla Neri", "Dora Neri"]


def test_a_refused_prize_keeps_what_was_typed(played: Station, judge: Browser) -> None:
    saves(judge, JUNIOR)
    page = saves(judge, JUNIOR | {"places": "3", "group": "clubs", "best": "30"}, expected=422)
    shows(page, "count 1 to 20 players", 'value="30"', 'value="Best junior"')
    page = saves(judge, JUNIOR, expected=422)
    shows(page, "already a prize called “Best junior”")
    assert page.count(" checked") == 2
    saves(judge, NEWCOMER | {"name": "Local", "group": "one-club"}, expected=422)
    saves(judge, NEWCOMER | {"basis": "charm"}, expected=422)
    assert [prize.name for prize in state_of(played).prizes] == ["Best junior"]


def test_a_stale_page_and_a_double_click_change_nothing(played: Station, judge: Browser) -> None:
    seen = looked_at(judge, f"{PRIZES}/0")
    judge.send(f"{PRIZES}/0", SHARP | seen)
    page = judge.send(f"{PRIZES}/0", SHARP | {"name": "Another"} | seen, 422)
    shows(page, "The prizes were changed meanwhile.", 'value="Another"')
    judge.send(f"{PRIZES}/1/remove", seen)
    assert [prize.name for prize in state_of(played).prizes] == ["Sharpshooter"]
    judge.get(f"{PRIZES}/9", expected=404)
    judge.send(f"{PRIZES}/9", SHARP, 404)


def test_prizes_are_edited_moved_and_removed_and_the_history_says_how(
    played: Station, judge: Browser
) -> None:
    saves(judge, SHARP)
    saves(judge, JUNIOR)
    saves(judge, JUNIOR | {"player-p005": "yes"}, 2)
    judge.send(f"{PRIZES}/2/up", looked_at(judge, PRIZES))
    judge.send(f"{PRIZES}/2/remove", looked_at(judge, PRIZES))
    (junior,) = state_of(played).prizes
    assert (junior.name, junior.players) == ("Best junior", ("p002", "p004", "p005"))
    shows(
        judge.get(f"{BASE}/history"),
        "Sharpshooter added (Players eliminated · all players)",
        "2 chosen players → Place in the ranking · 3 chosen players",
        "Sharpshooter, Best junior → Best junior, Sharpshooter",
        "Sharpshooter removed",
    )
    judge.send(f"{BASE}/undo", {"steps": "1", "reason": "the sponsor is back"})
    assert [prize.name for prize in state_of(played).prizes] == ["Best junior", "Sharpshooter"]


def test_a_copy_has_the_prizes_with_its_own_chosen_players(played: Station, judge: Browser) -> None:
    judge.send(f"{BASE}/players/p001/withdraw", {"reason": "train"})
    saves(judge, NEWCOMER)
    saves(judge, JUNIOR)
    form = {"name": "Next", "date": "2027-11-20", "edition": "championship-2022", "tables": "1-",
            "copies": OPEN, "with_players": "yes", "with_desk": "yes"}  # fmt: skip
    judge.send("/judge/tournaments", form)
    copy = next(one for one in played.service.tournaments() if one.tournament != OPEN)
    names = {entrant.player: entrant.name for entrant in copy.entrants}
    newcomer, junior = copy.prizes
    assert newcomer.group is PrizeGroup.NEWCOMERS
    assert [names[player] for player in junior.players] == ["Player 2", "Player 4"]
    desk = played.run(played.service.of(Desk).record(copy.tournament))
    assert PrivateField.NEWCOMER in desk.private_fields


def test_a_tournament_prepared_at_home_brings_its_prizes(station: Station, judge: Browser) -> None:
    station.opens(10)
    saves(judge, JUNIOR)
    judge.send(f"{BASE}/players/p001/withdraw", {"reason": "ill"})
    judge.get("/judge/new")
    content = b"".join(station.service.export(OPEN))
    page = judge.send_file("/judge/new/file", "file", "open.jsonl", content)
    hidden = unescape(page.split('name="prizes" value="')[1].split('"')[0])
    rows = unescape(page.split('<textarea name="rows" hidden>')[1].split("</textarea>")[0])
    form = {"name": "Home", "date": "2027-11-20", "edition": "championship-2022", "tables": "1-",
            "rows": rows, "prizes": hidden}  # fmt: skip
    shows(judge.send("/judge/tournaments", form | {"prizes": "[7]"}, 422), "Choose the proof pack")
    for with_players, chosen in (("yes", ["Player 2", "Player 4"]), ("", [])):
        judge.send("/judge/tournaments", form | {"with_players": with_players})
        brought = station.service.tournaments()[0]
        names = {entrant.player: entrant.name for entrant in brought.entrants}
        assert [names[player] for player in brought.prizes[0].players] == chosen


def test_the_proof_pack_verifies_the_winners_and_reveals_a_forged_one(
    played: Station, judge: Browser
) -> None:
    saves(judge, SHARP)
    publishes(judge)
    pack = read_pack(list(played.service.export(OPEN)))
    assert verify_pack(pack).faults == ()
    assert pack.standings is not None
    assert pack.standings.prizes
    (prize,) = pack.standings.prizes
    winner = msgspec.structs.replace(prize.winners[0], players=(PlayerId("p010"),))
    line = msgspec.structs.replace(
        pack.standings, prizes=(msgspec.structs.replace(prize, winners=(winner,)),)
    )
    assert isinstance(line, StandingsLine)
    forged = msgspec.structs.replace(pack, standings=line)
    assert ["players" in str(fault) for fault in verify_pack(forged).faults] == [True]
    missing = msgspec.structs.replace(pack, standings=msgspec.structs.replace(line, prizes=msgspec.UNSET))
    assert len(verify_pack(missing).faults) == 1


def test_papers_and_data_list_the_winners_for_those_who_may_know_them(
    played: Station, judge: Browser
) -> None:
    saves(judge, SHARP | {"places": "2"})
    state, rules, english = state_of(played), played.service.rules(OPEN), words_in("en")
    best = sharpshooters(played)
    table = prizes(state, rules, english)
    assert [row[1:] for row in table.rows] == [
        ("Sharpshooter", "1", best[0], "1 elimination"),
        ("Sharpshooter", "2", best[1], "1 elimination"),
    ]
    made = prize_certificates(state, rules, english, Letterhead()).certificates
    assert [(one.name, one.place) for one in made] == [
        (best[0], "Sharpshooter: Place 1"),
        (best[1], "Sharpshooter: Place 2"),
    ]
    rows = exported(DataTable.PRIZES, state, rules).rows
    assert [(row[0], row[2]) for row in rows] == [("Sharpshooter", best[0]), ("Sharpshooter", best[1])]
    for kind in (PaperKind.PRIZES, PaperKind.PRIZE_CERTIFICATES):
        assert needed_permission(kind, state) is Permission.STANDINGS
        assert paper_of(kind, PaperSource(state, rules, english)).notice
    assert permission_for(DataTable.PRIZES, state) is Permission.STANDINGS

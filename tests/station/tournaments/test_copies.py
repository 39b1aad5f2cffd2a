"""Tournaments that are copied, brought as a file, or removed; and players who move to another one."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from base.errors import Refused, Unavailable
from core.proof.lines import split_line
from core.rule_set import ReadingChoice, RuleSet
from core.terms import PlayerId, TournamentId
from core.tournament.draw.drawing import SealDraw
from core.tournament.registration import ChangeRules, OpenTournament, RegisterPlayers, RemovePlayer
from core.tournament.state.tournament import Player, TournamentState, Waivers
from station.players.service import Desk, PresenceState
from station.text.reasons import FormReason
from station.tournaments.opening_page import LARGEST_DRAFT, FaultyDraft, read_draft
from tests.station.browser import Browser, shows
from tests.station.conftest import JUDGE, OPEN, Station, players, seed
from tests.station.tournaments.test_opening import HOUSE

BASE = f"/judge/t/{OPEN}"
FORM = f"/judge/new/as/{OPEN}?copies={OPEN}"
OTHER = TournamentId("other")
READINGS = (ReadingChoice("sid_with_two_left", "as_beer"),)
COPY = {
    "name": "Second day", "date": "2026-11-22", "edition": "championship-2022", "tables": "20-",
    "copies": OPEN, "with_players": "yes", "reading-sid_with_two_left": "as_beer",
}  # fmt: skip
MOVE = {"to": OTHER, "player-p001": "yes", "player-p002": "yes"}


@pytest.fixture
def opened(station: Station) -> Station:
    station.opens(10, rules=RuleSet("championship-2022", readings=READINGS))
    return station


@pytest.fixture
def two(opened: Station) -> Station:
    command = OpenTournament(OTHER, "Other", RuleSet("championship-2022"), "2026-11-21", Waivers())
    opened.run(opened.service.decide(OTHER, command, JUDGE))
    return opened


def newest(station: Station) -> TournamentState:
    return station.service.tournaments()[0]


def names(state: TournamentState) -> list[str]:
    return [one.name for one in state.entrants]


def arrives(station: Station, player: str) -> None:
    work = station.service.of(Desk).set_presence(OPEN, PlayerId(player), PresenceState.HERE, "Roy")
    station.run(work)


def presence(station: Station, tournament: TournamentId, player: str) -> PresenceState:
    return station.run(station.service.of(Desk).record(tournament)).state_of(PlayerId(player))


def pack(station: Station) -> bytes:
    return b"".join(station.service.export(OPEN))


@pytest.mark.parametrize("is_archived", [False, True])
@pytest.mark.parametrize("is_played", [False, True])
def test_a_tournament_of_any_stage_is_copied(
    opened: Station, judge: Browser, *, is_archived: bool, is_played: bool
) -> None:
    arrives(opened, "p002")
    opened.run(opened.service.of(Desk).change(OPEN, lambda desk: replace(desk, registration=True)))
    if is_played:
        opened.plays_round()
    if is_archived:
        judge.post(f"{BASE}/archive")
    assert f'href="{FORM}"' in judge.get(BASE)
    form = judge.get(FORM)
    assert 'value="Open"' in form
    assert "10 players" in form
    assert 'name="reading-sid_with_two_left" value="as_beer" checked' in form
    judge.send("/judge/tournaments", {**COPY, "with_presence": "yes", "with_desk": "yes"})
    copy = newest(opened)
    assert (copy.name, len(copy.entrants), copy.rounds) == ("Second day", 10, ())
    assert READINGS[0] in copy.rules.readings
    assert presence(opened, copy.tournament, "p002") is PresenceState.HERE
    assert presence(opened, copy.tournament, "p003") is PresenceState.NOT_YET
    desk = opened.run(opened.service.of(Desk).record(copy.tournament))
    assert (desk.registration, desk.self_check_in) == (True, False)


def test_copies_made_at_one_moment_are_each_whole(opened: Station, judge: Browser) -> None:
    arrives(opened, "p002")
    judge.get(FORM)
    forms = [{**COPY, "name": f"Copy {number}", "with_presence": "yes"} for number in range(4)]
    judge.together("/judge/tournaments", *forms)
    copies = [state for state in opened.service.tournaments() if state.tournament != OPEN]
    assert sorted(copy.name for copy in copies) == ["Copy 0", "Copy 1", "Copy 2", "Copy 3"]
    for copy in copies:
        assert names(copy) == names(opened.service.tournament(OPEN))
        assert presence(opened, copy.tournament, "p002") is PresenceState.HERE


def test_a_copy_may_have_other_rules_and_nobody_in_it(opened: Station, judge: Browser) -> None:
    choice = judge.get(f"/judge/new?copies={OPEN}")
    assert f'href="/judge/new/championship-2010?copies={OPEN}"' in choice
    assert 'name="with_players"' in judge.get(f"/judge/new/championship-2010?copies={OPEN}")
    judge.send("/judge/tournaments", {**COPY, "edition": "official-2003", "with_players": ""})
    assert (newest(opened).edition, newest(opened).entrants) == ("official-2003", ())


def test_a_copy_that_is_refused_opens_nothing_and_keeps_the_form(opened: Station, judge: Browser) -> None:
    judge.get(FORM)
    form = judge.send("/judge/tournaments", {**COPY, "rounds": "99"}, 422)
    assert 'name="with_players" value="yes" checked' in form
    assert 'name="with_desk" value="yes" checked' not in form
    assert len(opened.service.tournaments()) == 1
    judge.get("/judge/new?copies=nowhere", expected=404)


def test_players_move_with_their_presence(two: Station, judge: Browser) -> None:
    arrives(two, "p002")
    form = judge.get(f"{BASE}/players/move?player=p002")
    assert f'<form method="post" action="{BASE}/players/move">' in form
    assert 'name="player-p002" value="yes" checked' in form
    assert "Other · " in form
    assert f'href="{BASE}/players/move?player=p002"' in judge.get(f"{BASE}/players/p002")
    assert "2 players are now in Other." in judge.send(f"{BASE}/players/move", MOVE)
    assert names(two.service.tournament(OTHER)) == ["Player 1", "Player 2"]
    assert "Player 1" not in names(two.service.tournament(OPEN))
    assert presence(two, OTHER, "p002") is PresenceState.HERE
    assert presence(two, OPEN, "p002") is PresenceState.NOT_YET, "the id may be given to somebody else"
    assert two.verdict().holds


def test_names_that_are_there_already_are_asked_about(two: Station, judge: Browser) -> None:
    there = RegisterPlayers((Player(PlayerId("x"), "Player 1", "Rome"),))
    two.run(two.service.decide(OTHER, there, JUDGE))
    judge.get(f"{BASE}/players/move")
    page = judge.send(f"{BASE}/players/move", MOVE)
    assert "These names are there already." in page
    assert len(two.service.tournament(OTHER).entrants) == 1
    assert f'name="asked" value="{OTHER} p001"' in page
    judge.send(f"{BASE}/players/move", {**MOVE, "asked": f"{OPEN} p001"})
    judge.send(f"{BASE}/players/move", {**MOVE, "asked": f"{OTHER} p002"})
    assert len(two.service.tournament(OTHER).entrants) == 1, "another question was answered"
    judge.send(f"{BASE}/players/move", {**MOVE, "asked": f"{OTHER} p001"})
    assert names(two.service.tournament(OTHER)) == ["Player 1", "Player 1", "Player 2"]


def test_nobody_is_lost_where_one_half_of_a_move_is_refused(two: Station, judge: Browser) -> None:
    same = RegisterPlayers((Player(PlayerId("x"), "Player 2"),))
    two.run(two.service.decide(OTHER, same, JUDGE))
    judge.get(f"{BASE}/players/move")
    shows(judge.send(f"{BASE}/players/move", {**MOVE, "asked": f"{OTHER} p002"}, 422), "Player 2")
    assert names(two.service.tournament(OTHER)) == ["Player 2"]
    assert len(two.service.tournament(OPEN).entrants) == 10


def test_nobody_is_lost_where_the_disk_fails_in_the_middle(
    two: Station, judge: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge.get(f"{BASE}/players/move")

    async def fail(*_: object) -> None:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(two.context.folds, "append", fail)
    judge.send(f"{BASE}/players/move", MOVE, 422)
    monkeypatch.undo()
    assert len(two.read_anew().tournaments[OPEN].state.entrants) == 10
    assert two.read_anew().tournaments[OTHER].state.entrants == ()


def test_after_a_draw_nobody_moves(two: Station, judge: Browser) -> None:
    judge.get(f"{BASE}/players/move")
    two.does(SealDraw(seed=seed("one")))
    judge.send(f"{BASE}/players/move", MOVE, 422)
    assert "Players can only move before the first draw." in judge.get(f"{BASE}/players/move")
    assert "no other tournament" in judge.get(f"/judge/t/{OTHER}/players/move")
    assert len(two.service.tournament(OPEN).entrants) == 10


def test_a_mistaken_tournament_goes_once_its_name_is_typed_and_comes_back(
    opened: Station, judge: Browser
) -> None:
    assert f'action="{BASE}/remove"' in judge.get(BASE)
    assert "nothing was removed" in judge.send(f"{BASE}/remove", {"name": "Opne"})
    assert OPEN not in opened.run(opened.service.archive.ids())
    assert "The tournament has been removed." in judge.send(f"{BASE}/remove", {"name": " open "})
    day, archived = (judge.get(path).partition("<main")[2] for path in ("/judge", "/judge/archive"))
    assert (BASE in day, BASE in archived) == (False, True)
    judge.post(f"{BASE}/reopen")
    opened.publishes()
    assert f'action="{BASE}/remove"' not in judge.get(BASE)
    assert "Archive it instead" in judge.send(f"{BASE}/remove", {"name": "Open"})


def test_a_tournament_prepared_at_home_is_opened_from_its_proof_pack(opened: Station, judge: Browser) -> None:
    opened.does(ChangeRules(RuleSet("saloon-cup", readings=READINGS, house_rules=HOUSE), Waivers(rounds=2)))
    judge.get("/judge/new")
    form = judge.send_file("/judge/new/file", "file", "open.jsonl", pack(opened))
    for text in ("Cup of the Saloon", 'value="Open"', "10 players", "Player 10", 'name="rounds"'):
        assert text in form
    rows = "".join(f"Player {n}\t\n" for n in range(1, 11))
    assert rows in form
    fields = {**COPY, "copies": "", "edition": "saloon-cup", "house_rules": HOUSE, "rows": rows}
    judge.send("/judge/tournaments", fields)
    brought, home = newest(opened), opened.service.tournament(OPEN)
    assert (names(brought), brought.rules.house_rules) == (names(home), HOUSE)


def test_an_altered_file_is_refused_with_its_lines(opened: Station, judge: Browser) -> None:
    content = pack(opened).replace(b"Player 3", b"Player X")
    judge.get("/judge/new")
    page = judge.send_file("/judge/new/file", "file", "open.jsonl", content, 422)
    shows(page, "line 3")
    assert len(opened.service.tournaments()) == 1


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (b"player-removed", b"player-beheaded", "a newer version of Saloon"),
        (b'"version":2', b'"version":3', "a newer version of Saloon"),
        (b"", b"name,club\nAda,Roma\n", "isn't a proof pack"),
        (b"", b"PK\x03\x04", "isn't a proof pack"),
        (b"", b"[1]\n", "isn't a proof pack"),
    ],
)
def test_a_file_that_this_version_cannot_read_is_refused_in_plain_words(
    opened: Station, judge: Browser, before: bytes, after: bytes, said: str
) -> None:
    opened.does(RemovePlayer(PlayerId("p010")))
    content = pack(opened).replace(before, after) if before else after
    judge.get("/judge/new")
    page = judge.send_file("/judge/new/file", "file", "open.jsonl", content, 422)
    shows(page, said, never=("Invalid value", "malformed"))


def _nothing(_: bytes) -> bytes:
    return b""


def _too_large(_: bytes) -> bytes:
    return b"x" * (LARGEST_DRAFT + 1)


@pytest.mark.parametrize("alter", [_nothing, _too_large])
def test_files_that_would_cost_too_much_are_not_read(
    opened: Station, alter: Callable[[bytes], bytes]
) -> None:
    with pytest.raises(Refused) as refused:
        read_draft(alter(pack(opened)))
    assert refused.value.reason is FormReason.NO_DRAFT


def test_a_file_of_many_steps_about_many_players_is_refused(opened: Station) -> None:
    content, work = pack(opened), 2 * 10
    assert read_draft(content, work).name == "Open"
    with pytest.raises(Refused) as refused:
        read_draft(content, work - 1)
    assert refused.value.reason is FormReason.NO_DRAFT


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\n", b"[" * 100_000 + b"\n", b"{}\n", b'{"kind":"saloon-export"}\n', b"\n\n\n"]
)
def test_hostile_files_are_refused_or_have_faults(content: bytes) -> None:
    with pytest.raises((FaultyDraft, Refused)) as faulty:
        read_draft(content)
    refused = faulty.value
    if isinstance(refused, Refused):
        assert refused.reason is FormReason.NOT_A_PACK
    else:
        assert isinstance(refused, FaultyDraft)
        assert refused.faults


def test_a_file_with_a_draw_is_refused(opened: Station) -> None:
    opened.publishes()
    with pytest.raises(Refused) as refused:
        read_draft(pack(opened))
    assert refused.value.reason is FormReason.DRAFT_IS_DRAWN


def test_every_line_of_a_draft_is_covered_by_its_digest(opened: Station) -> None:
    lines = pack(opened).splitlines(keepends=True)
    for number in range(len(lines)):
        assert split_line(lines[number].removesuffix(b"\n")).intact
        with pytest.raises(FaultyDraft):
            read_draft(b"".join(lines[:number] + lines[number + 1 :]) or b"\n")


def test_a_long_list_is_copied_at_once_or_not_at_all(station: Station, judge: Browser) -> None:
    station.opens(1)
    station.does(RegisterPlayers(players(1_201)[1:]))
    judge.get(FORM)
    judge.send("/judge/tournaments", COPY)
    assert len(newest(station).entrants) == 1_201

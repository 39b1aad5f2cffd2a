"""The draw's pages: why each player sits there, changes by hand, redraws, late players, open sheets."""

import re

from core.game.ending.sheet import ConfirmSheet
from core.game.orders import SeatGame, VoidTable
from core.game.play.turns import EndTurn
from core.game.state.game import Confirmation
from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from core.terms import PlayerId, TableNo
from core.tournament.draw.by_hand import ChangeDraw
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.draw.hall_tables import MoveTables
from core.tournament.penalties import WithdrawPlayer
from core.tournament.sheets import DisputeSheet
from core.tournament.state.rounds import Round, SwappedPlayers
from core.tournament.state.table_list import list_from
from station.app.app import TEMPLATES
from tests.station.browser import Browser, first_group, shows
from tests.station.conftest import OPEN, Station, seed
from tests.station.hall.test_several_tournaments import SIDE, draws_side_event

DRAW = f"/judge/t/{OPEN}/draw"
PUBLIC = f"/t/{OPEN}"


def draft_of(station: Station, word: str = "cactus") -> Round:
    station.does(SealDraw(seed=seed(word)))
    return station.does(MakeDraw(hall_word="tumbleweed")).rounds[-1]


def moment_of(judge: Browser) -> dict[str, str]:
    return {"moment": first_group('name="moment" value="([^"]+)"', judge.get(DRAW))}


def draws(judge: Browser) -> None:
    """Draw and publish on the page."""
    for step in ("seal", "make", "publish"):
        judge.post(f"{DRAW}/{step}")


def test_too_few_players_are_told_where_to_make_the_tournament_unofficial(
    station: Station, judge: Browser
) -> None:
    station.opens(8)
    page = judge.get(DRAW)
    assert "tick “Unofficial” under “Change the rules”" in page
    assert "Tables of 4, outside the printed rules" not in page, "they don't make it possible either"
    (form,) = re.findall(r'href="([^"]+/change-rules/as/[^"]+)"', page)
    assert 'name="unofficial"' in judge.get(form)


def test_draft_and_published_draw_show_why_each_player_sits_there(judge: Browser, station: Station) -> None:
    station.opens(10)
    first = draft_of(station)
    page = judge.get(DRAW)
    assert page.count("Why these seats?") == 2
    assert page.count("never Sheriff before") == 10
    assert "has met" not in page
    station.does(PublishDraw())
    station.accepts(first, 1, 2)
    draft_of(station, "second")
    page = judge.get(DRAW)
    assert page.count("Sheriff once before") == 2
    assert page.count("has met") == 10
    station.does(PublishDraw())
    page = judge.get(f"{PUBLIC}/rounds/2/draw")
    assert page.count("has met") == 10
    assert "no rule of the draw looks at them" in page
    assert "Perché qui?" in judge.get(f"{PUBLIC}/rounds/2/draw", "it")


def test_one_group_shows_who_was_sheriff_and_no_opponents(judge: Browser, station: Station) -> None:
    station.opens(5, rules="official-2003")
    station.plays_round()
    draft_of(station, "second")
    shows(judge.get(DRAW), "Sheriff once before", never=("has met", "or moves to the last seat"))


def test_a_swap_names_what_it_breaks_first_and_everybody_sees_it(judge: Browser, station: Station) -> None:
    station.opens(11)
    station.plays_round()
    draft_of(station, "second")
    draft = station.service.tournament(OPEN).rounds[-1]
    was = {table.players[0] for table in station.service.tournament(OPEN).published_rounds[0].tables}
    table = next(table for table in draft.tables if was & set(table.players))
    again = next(player for player in table.players if player in was)
    change = {"player": again, "with": table.players[0]}
    page = judge.send(f"{DRAW}/change/what-if", change)
    assert "This breaks the rules:" in page
    assert "becomes Sheriff again, having been Sheriff once before." in page
    assert "Nothing has happened yet." in page
    assert station.service.tournament(OPEN).rounds[-1] == draft
    assert "Please give a reason" in judge.send(f"{DRAW}/change", change)
    page = judge.send(f"{DRAW}/change", {**change, "reason": "the Sheriff has left the hall"})
    shows(page, "Everyone will see the change and its reason.", "swapped: the Sheriff has left the hall")
    assert "changed by hand" in judge.get(f"/judge/t/{OPEN}/history")
    judge.post(f"{DRAW}/publish")
    page = judge.get(f"{PUBLIC}/rounds/2/draw")
    assert "Drawn, then changed by hand" in page
    assert "As drawn from the seed" in page
    assert "swapped: the Sheriff has left the hall" in page
    assert "changed by hand" in judge.get(PUBLIC)
    verdict = verify_pack(read_pack(list(station.service.export(OPEN))))
    assert verdict.faults == ()
    assert "drawn, then changed by hand" in str(verdict.notes[0])


def test_a_move_by_hand_names_other_sizes_and_keeps_the_hall_numbers(
    judge: Browser, station: Station
) -> None:
    station.opens(12)
    station.does(MoveTables(tables=list_from(TableNo(11))))
    draft = draft_of(station)
    moved = {"player": draft.tables[0].players[2], "table": "12"}
    page = judge.send(f"{DRAW}/change/what-if", moved)
    shows(page, "Tables of 5, 7; for 12 players the table chart has 6, 6.", "moved to table 12")
    page = judge.send(f"{DRAW}/change", {**moved, "reason": "a wheelchair"})
    assert "moved to table 12: a wheelchair" in page
    drawn = station.service.tournament(OPEN).rounds[-1]
    assert [len(table.players) for table in drawn.tables] == [5, 7]
    assert "moved to table 12" in judge.get(f"/judge/t/{OPEN}/history")


def test_a_draft_made_stale_by_a_newcomer_says_so_before_publishing(judge: Browser, station: Station) -> None:
    station.opens(10)
    draft_of(station)
    assert "joined or left" not in judge.get(DRAW)
    station.does(WithdrawPlayer(PlayerId("p003"), "ill"))
    for page in (judge.get(DRAW), judge.get(f"/judge/t/{OPEN}")):
        assert "Player 3 joined or left after this draw was made" in page
    publish = judge.get(DRAW).split(f'action="{DRAW}/publish"')[1]
    assert "disabled" in publish.split("</form>")[0]


def test_an_unclear_or_impossible_change_is_refused_and_one_within_the_rules_is_not(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    draft = draft_of(station)
    one, other = draft.tables[0].players[1:3]
    for form in ({"player": one}, {"player": one, "with": other, "table": "2"}, {"with": other}):
        assert "Choose a player, and either" in judge.send(f"{DRAW}/change/what-if", form)
        assert "Choose a player, and either" in judge.send(f"{DRAW}/change", form)
    page = judge.send(f"{DRAW}/change/what-if", {"player": one, "table": "2"})
    assert "Table 1 would have 4 players." in page
    assert judge.status(f"{DRAW}/change/").status_code == 302
    swap = {"player": one, "with": draft.tables[1].players[2]}
    assert "Table sizes and Sheriffs stay within the rules." in judge.send(f"{DRAW}/change/what-if", swap)


def test_a_redraw_asks_a_reason_and_shows_it_to_everyone(judge: Browser, station: Station) -> None:
    station.opens(10)
    judge.post(f"{DRAW}/seal")
    judge.post(f"{DRAW}/make", hall_word="cactus")
    assert "Please give a reason" in judge.post(f"{DRAW}/seal")
    judge.post(f"{DRAW}/seal", reason="Ada was missing")
    assert "Draw 2: Ada was missing" in judge.get(PUBLIC)
    judge.post(f"{DRAW}/make", hall_word="cactus")
    judge.post(f"{DRAW}/publish")
    for path in (PUBLIC, DRAW, f"{PUBLIC}/rounds/1/draw"):
        assert "Draw 2: Ada was missing" in judge.get(path)
    assert "seed sealed: Ada was missing" in judge.get(f"/judge/t/{OPEN}/history")


def test_a_redraw_of_an_older_log_says_that_no_reason_was_recorded(judge: Browser, station: Station) -> None:
    station.opens(10)
    draft_of(station)
    station.publishes("again")
    assert "Draw 2: no reason recorded" in judge.get(PUBLIC)


def test_after_a_draw_was_taken_back_the_next_one_asks_why(judge: Browser, station: Station) -> None:
    station.opens(10)
    station.publishes()
    assert "Undo the publication of Round 1" in judge.get(DRAW)
    assert "Undo 1 step?" in judge.post(f"/judge/t/{OPEN}/undo/what-if", steps="1", reason="wrong list")
    judge.post(f"/judge/t/{OPEN}/undo", steps="3", reason="wrong list")
    assert "Reason for drawing again" in judge.get(DRAW)
    assert "Please give a reason" in judge.post(f"{DRAW}/seal")


def test_undoing_a_publication_names_how_many_games_have_started(judge: Browser, station: Station) -> None:
    station.opens(10)
    terminals = [station.terminal(1), station.terminal(2)]
    station.publishes()
    games = [terminal.seats() for terminal in terminals]
    for terminal in terminals:
        terminal.tells(EndTurn())
    page = judge.post(f"/judge/t/{OPEN}/undo/what-if", steps="1", reason="wrong list")
    shows(page, "2 games would be voided", "Undo 1 step · void 2 games")
    ticked = {f"void-{games[0]}": "yes", "steps": "1", "reason": "wrong list"}
    page = judge.send(f"/judge/t/{OPEN}/undo", ticked)
    assert "would void the games at these tables: 2. Games that have started: 1." in page
    assert station.service.tournament(OPEN).published_rounds


def test_a_late_player_is_refused_until_late_entry_is_opened(judge: Browser, station: Station) -> None:
    station.opens(10)
    station.plays_round()
    players = f"/judge/t/{OPEN}/players"
    shows(judge.get(players), "You may open late entry", never='name="name" required maxlength="80">')
    assert "opens late entry on the Players page" in judge.post(players, name="Lola", club="")
    page = judge.post(f"{players}/late-entry", open="yes", reason="the train was late")
    assert "Late entry has been changed." in page
    assert "Lola" in judge.post(players, name="Lola", club="")
    assert "Late entry opened: the train was late" in judge.get(f"/judge/t/{OPEN}/history")
    round_ = station.publishes("second")
    assert [len(table.players) for table in round_.tables] == [6, 5]
    assert "Lola" in judge.get(PUBLIC)
    judge.post(f"{players}/late-entry", open="", reason="enough")
    assert "Late entry closed: enough" in judge.get(f"/judge/t/{OPEN}/history")


def test_the_next_draw_waits_for_open_sheets_or_a_reason_naming_them(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    round_ = station.publishes()
    station.accepts(round_, 1)
    station.does(DisputeSheet(round_.tables[0].game, "who shot whom?"))
    page = judge.get(DRAW)
    assert "Open record sheets" in page
    assert "disputed: who shot whom?" in page
    assert "missing · playing" in page
    assert "Draw without 2 record sheets" in page
    assert "Please give a reason" in judge.post(f"{DRAW}/without-sheets")
    page = judge.post(f"{DRAW}/without-sheets", reason="the bus leaves at six")
    shows(page, "the next draw can be made", never="Open record sheets")
    page = judge.get(f"/judge/t/{OPEN}/history")
    assert "Next draw without these record sheets (round/table): 1/2, 1/1: the bus leaves at six" in page
    draws(judge)
    state = station.service.tournament(OPEN)
    assert state.running_round is not None
    assert state.running_round.round == 2
    assert "Round 1, table 2: the record sheet is missing." in judge.get(f"/judge/t/{OPEN}")
    station.accepts(round_, 2)
    assert "the record sheet is missing." not in judge.get(f"/judge/t/{OPEN}")


def test_a_playing_table_keeps_its_game_until_its_sheet_is_confirmed(
    judge: Browser, station: Station
) -> None:
    station.opens(10)
    terminal = station.terminal(2)
    round_ = station.publishes()
    second = round_.tables[1]
    terminal.seats()
    terminal.tells(EndTurn())
    station.accepts(round_, 1)
    judge.post(f"{DRAW}/without-sheets", reason="the bus leaves at six")
    draws(judge)
    assert [order.seating.game for order in terminal.ordered(SeatGame)] == [second.game]
    assert terminal.ordered(VoidTable) == []
    station.accepts(round_, 2)
    terminal.tells(ConfirmSheet(Confirmation.STATION))
    games = [order.seating.game for order in terminal.ordered(SeatGame)]
    assert games[0] == second.game
    assert len(games) == 2


def test_between_rounds_an_earlier_rounds_missing_sheet_is_named(judge: Browser, station: Station) -> None:
    station.opens(10)
    round_ = station.publishes()
    station.accepts(round_, 1)
    judge.post(f"{DRAW}/without-sheets", reason="the sheet is lost")
    station.plays_round("second")
    shows(judge.get(f"/judge/t/{OPEN}"), "Earlier record sheets are missing.", "Draw: Round 3")


def test_a_draft_names_who_still_plays_in_another_tournament(judge: Browser, station: Station) -> None:
    station.opens(10)
    round_ = station.publishes()
    station.accepts(round_, 1)
    draws_side_event(station)
    names = {entrant.player: entrant.name for entrant in station.service.tournament(OPEN).entrants}
    page = judge.get(f"/judge/t/{SIDE}/draw")
    assert "These players are still playing in another tournament:" in page
    assert all(f"{names[player]} (Open, table 2)" in page for player in round_.tables[1].players)
    assert not any(f"{names[player]} (Open" in page for player in round_.tables[0].players)
    station.accepts(round_, 2)
    assert "another tournament:" not in judge.get(f"/judge/t/{SIDE}/draw")


def test_an_open_page_publishes_no_draft_that_its_judge_has_not_seen(
    judge: Browser, station: Station
) -> None:
    """One judge may redraw or change the draft while another has its page open."""
    station.opens(10)
    draft_of(station, "first")
    seen = moment_of(judge)
    station.does(SealDraw(seed=seed("second"), reason="a wrong list"))
    station.does(MakeDraw(hall_word="tumbleweed"))
    assert "This page was out of date, so nothing was done." in judge.send(f"{DRAW}/publish", seen)
    drawn = station.service.tournament(OPEN).rounds[-1].tables[0].players
    seen = moment_of(judge)
    station.does(ChangeDraw(change=SwappedPlayers(drawn[0], drawn[1]), reason="a wish"))
    assert "This page was out of date, so nothing was done." in judge.send(f"{DRAW}/publish", seen)
    assert station.service.tournament(OPEN).running_round is None
    judge.send(f"{DRAW}/publish", moment_of(judge))
    assert station.service.tournament(OPEN).running_round is not None


def test_every_form_that_publishes_says_what_its_judge_has_looked_at() -> None:
    forms = [
        form
        for folder in TEMPLATES
        for template in folder.rglob("*.html")
        for form in re.findall("<form .*?</form>", template.read_text(encoding="utf-8"), re.DOTALL)
        if re.search(r'action="[^"]*/(publish|finals/rounds)"', form)
    ]
    assert len(forms) == 5
    assert all('name="looked-at"' in form or "form_of_moment()" in form for form in forms)


def test_the_floor_says_what_tables_owe_and_how_long_ago_they_spoke(station: Station, judge: Browser) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.publishes()
    terminal.seats()
    station.connects(terminal.id, owes=14)
    assert "14 entries not received" in judge.get(f"/judge/t/{OPEN}/floor")
    station.disconnects(terminal.id)
    station.clock.passed_ms += 12_000
    page = judge.get(f"/judge/t/{OPEN}/floor")
    shows(page, 'data-age="12.0"', "12 s ago", "unknown while it's disconnected, at least 14")
    assert "at least 14" in judge.get("/judge/terminals")


def test_the_draw_page_warns_of_tables_that_owe_and_takes_a_reason(station: Station, judge: Browser) -> None:
    station.opens(10)
    terminal = station.terminal(1)
    station.plays_round()
    terminal.seats()
    station.connects(terminal.id, owes=2)
    judge.post(f"/judge/t/{OPEN}/draw/seal")
    shows(judge.get(f"/judge/t/{OPEN}/draw"), "Entries missing from some tables", "2 entries not received")
    refused = judge.post(f"/judge/t/{OPEN}/draw/make", hall_word="cactus")
    assert "hasn't received all entries from these tables: 1" in refused
    judge.post(f"/judge/t/{OPEN}/draw/without", reason="its card broke")
    assert "Entries missing from some tables" not in judge.get(f"/judge/t/{OPEN}/draw")
    assert "missing entries of tables 1: its card broke" in judge.get(f"/judge/t/{OPEN}/history")

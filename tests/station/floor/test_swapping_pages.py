"""A swap through the judge's pages: choose the spare, then continue from the late steps or not."""

from core.game.ending.sheet import DeclareRoles
from core.game.orders import IdentifyTerminal
from core.game.play.eliminations import Eliminate
from core.game.play.wounds import LoseLife
from core.game.state.game import Cause
from core.terms import Role, SeatNo
from station.projections.projections import Projections
from tests.station.browser import Browser
from tests.station.conftest import OPEN, ROLES, Station
from tests.station.kept import KeptTerminal, same_game, unit

TABLE = f"/judge/t/{OPEN}/tables/1/1"
NOT_COUNTED = "entry that wasn't counted"


def playing(station: Station) -> tuple[KeptTerminal, KeptTerminal]:
    """A table in its second turn with a step that the station lacks, and a spare."""
    station.opens(10)
    broken, spare = unit(station, 1), unit(station, None, "spare")
    station.publishes()
    broken.obeys()
    broken.begins()
    broken.plays_turns()
    broken.hits(4)
    return broken, spare


def refused_late(station: Station, judge: Browser) -> tuple[KeptTerminal, KeptTerminal]:
    """The spare has continued before the dead terminal's last step arrived."""
    broken, spare = playing(station)
    judge.post(f"{TABLE}/swap", terminal=spare.id)
    spare.meets()
    spare.plays_turns()
    broken.sends()
    spare.meets()
    return broken, spare


def subject_on(page: str) -> str:
    return page.partition('name="subject" value="')[2].partition('"')[0]


def test_the_judge_swaps_a_terminal_with_a_spare(station: Station, judge: Browser) -> None:
    broken, spare = playing(station)
    assert f"{TABLE}/swap" in judge.get(f"/judge/t/{OPEN}/floor")
    page = judge.get(f"{TABLE}/swap")
    assert spare.id in page
    assert f"with the {len(broken.entries) - 1} steps" in page
    assert "taking over the table" in judge.post(f"{TABLE}/swap", terminal=spare.id)
    spare.meets()
    assert spare.game.turns == 2
    assert "Choose the terminal" in judge.post(f"{TABLE}/swap")


def test_the_history_leads_to_the_swaps_that_it_does_not_hold(station: Station, judge: Browser) -> None:
    _, spare = playing(station)
    judge.get(TABLE)
    judge.post(f"{TABLE}/swap", terminal=spare.id)
    swaps = f"/judge/audit?tournament={OPEN}&amp;kind=tables"
    assert swaps in judge.get(f"/judge/t/{OPEN}/history")
    assert "Swapped a table" in judge.get(swaps.replace("&amp;", "&"))


def test_the_judge_finds_the_spare_in_their_hand_from_the_swap_page(station: Station, judge: Browser) -> None:
    station.opens(10)
    spares = [station.terminal(None, name) for name in ("spare", "other")]
    station.publishes()
    form = 'action="/judge/terminals/identify-spares"'
    assert form in judge.get(f"{TABLE}/swap")
    address = f"http://station{TABLE}/swap"
    assert "Which spare?" in judge.answer("/judge/terminals/identify-spares", {}, referer=address).text
    assert [len(spare.ordered(IdentifyTerminal)) for spare in spares] == [1, 1]


def test_merged_steps_raise_no_alarm(station: Station, judge: Browser) -> None:
    broken, spare = playing(station)
    judge.post(f"{TABLE}/swap", terminal=spare.id)
    spare.meets()
    broken.sends()
    spare.meets()
    assert same_game(spare.game, broken.game)
    assert NOT_COUNTED not in judge.get(TABLE)


def test_late_steps_ring_on_the_floor_until_the_judge_has_seen_them(station: Station, judge: Browser) -> None:
    refused_late(station, judge)
    floor = f"/judge/t/{OPEN}/floor"
    assert "weren't counted" in judge.get(floor)
    page = judge.get(TABLE)
    assert NOT_COUNTED in page
    assert "Player" in page.partition(NOT_COUNTED)[2]
    judge.post(f"{TABLE}/late/seen", subject=subject_on(page))
    assert "weren't counted" not in judge.get(floor)
    assert NOT_COUNTED in judge.get(TABLE)
    fresh = Projections()
    fresh.apply_all(arrived.entry for arrived in station.store.entries_after())
    assert set(fresh.seen) == {subject_on(page)}


def test_the_table_goes_on_from_late_steps_where_the_judge_says_so(station: Station, judge: Browser) -> None:
    broken, spare = refused_late(station, judge)
    subject = subject_on(judge.get(TABLE))
    assert "reason" in judge.post(f"{TABLE}/late/go-on", subject=subject)
    judge.post(f"{TABLE}/late/go-on", subject=subject, reason="all saw the shot")
    spare.meets()
    assert same_game(spare.game, broken.game)
    (late,) = station.service.floor(OPEN)[0].late
    assert (late.terminal, len(late.steps)) == (spare.id, 1)
    assert late.is_seen, "the judge has just said that these don't count"
    assert "weren't counted" not in judge.get(f"/judge/t/{OPEN}/floor")
    spare.plays_turns()
    assert station.service.floor(OPEN)[0].game == spare.game
    judge.post(f"{TABLE}/late/go-on", expected=404, subject="late/none", reason="nothing")


def test_the_whole_game_of_a_dead_unit_is_proposed_as_a_correction(station: Station, judge: Browser) -> None:
    broken, spare = refused_late(station, judge)
    broken.asks(*(LoseLife(SeatNo(1)) for _ in range(broken.game.seats[0].life)))
    broken.asks(Eliminate(SeatNo(1), SeatNo(2), Role.SHERIFF, Cause.PLAYER), DeclareRoles(ROLES[5]))
    broken.confirms()
    assert station.latest_round.sheets == ()
    page = judge.get(TABLE)
    form = judge.get(f"{TABLE}/sheet?from={subject_on(page)}")
    assert "This terminal's record sheet" in page
    assert form.count(" checked") > judge.get(f"{TABLE}/sheet").count(" checked")
    assert spare.game.ending is None

"""Every GET route, for judges and strangers, in every kind of tournament: none fails, none is left open."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote

import httpx
import pytest
from litestar.routes import HTTPRoute

from core.terms import MatchKind, PlayerId
from core.tournament.decisions import UndoSteps
from core.tournament.draw.drawing import MakeDraw, SealDraw
from core.tournament.finals import BeginDuels, PublishRoundsRanking
from core.tournament.penalties import EjectPlayer, WithdrawPlayer
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.state.tournament import Waivers
from station.accounts.permissions import AccountRole
from station.hall.published import published_tables
from station.messages.service import Messages
from station.paper.papers import PaperKind
from station.players.codes import codes_of
from station.projectors.service import Projectors
from station.seasons.service import Season, Seasons
from tests.core.game.duel.conftest import WITH_FINALS
from tests.station.browser import Browser, logged_in_as
from tests.station.computer.test_computer_pages import Computer
from tests.station.conftest import OPEN, Station, players, seed
from tests.station.phones import PAGES

STREAMS: Final = "/events"
"""Pages that never end by themselves: only the beginning of the answer is asked for."""
ONE_ROUND: Final = Waivers(rounds=1)


def _without_players(station: Station) -> None:
    station.does(OpenTournament(OPEN, "Open", WITH_FINALS, "2026-11-21", Waivers()))


def _draw_made(station: Station) -> None:
    station.opens(10)
    station.does(SealDraw(seed=seed("cactus")))
    station.does(MakeDraw(hall_word="tumbleweed"))


def _playing(station: Station) -> None:
    """Play table 1, let a terminal play at table 2, and let a player withdraw."""
    station.opens(17)
    terminal = station.terminal(2)
    round_ = station.publishes()
    station.accepts(round_, 1)
    terminal.seats()
    terminal.sends()
    station.does(EjectPlayer(PlayerId("p001"), "A reason"))
    station.does(WithdrawPlayer(PlayerId("p002"), "A reason"))


def _ranked(station: Station) -> None:
    station.opens(10, ONE_ROUND)
    station.plays_round()
    station.publishes_ranking()


def _duelling(station: Station) -> None:
    station.does(OpenTournament(OPEN, "Open", WITH_FINALS, "2026-11-21", ONE_ROUND))
    station.does(RegisterPlayers(players(10)))
    station.plays_round()
    station.breaks_ties()
    station.does(PublishRoundsRanking())
    station.does(BeginDuels(kind=MatchKind.SHORT_DUEL))


def _taken_back(station: Station) -> None:
    """Undo a draw of whose games a terminal was playing the first."""
    terminal = station.round_with_terminal()
    game = terminal.seats()
    terminal.sends()
    station.does(UndoSteps(1, "wrong list", confirmed=(game,)))


def _one_group(station: Station) -> None:
    station.opens(5, rules="official-2003")
    station.plays_round()
    station.publishes("second")


def _simplified(station: Station) -> None:
    station.opens(7, rules="simplified-2003")
    station.publishes()


STATES: Final[Mapping[str, Callable[[Station], None]]] = {
    "no tournament": lambda _: None,
    "no players": _without_players,
    "registration": Station.opens,
    "draw made": _draw_made,
    "playing": _playing,
    "ranking published": _ranked,
    "duels": _duelling,
    "taken back": _taken_back,
    "one group": _one_group,
    "simplified": _simplified,
}


@pytest.fixture(
    params=[pytest.param(name, marks=() if name == "playing" else pytest.mark.nightly) for name in STATES]
)
def hall(request: pytest.FixtureRequest, station: Station) -> Station:
    station.context.find_pages = lambda: PAGES
    STATES[str(request.param)](station)
    return station


@pytest.fixture
def judge(hall: Station, tmp_path: Path) -> Browser:
    """Return a judge at an appliance, which has more pages than other stations."""
    return logged_in_as(hall, AccountRole.HEAD_JUDGE, appliance=Computer(hall, tmp_path).made)


def templates(browser: Browser) -> list[str]:
    """Return the paths of all GET routes, with parameters in braces."""
    templates_used = [
        route.path_format
        for route in browser.app.routes
        if isinstance(route, HTTPRoute) and "GET" in route.methods
    ]
    assert len(templates_used) > 50, templates_used
    return sorted(templates_used)


@lru_cache(maxsize=1)
def values(station: Station) -> Mapping[str, tuple[Sequence[str], Sequence[str]]]:
    """Return, for each parameter, values that exist or may exist at first, and values that never do."""
    terminals = [card.terminal for card in station.service.terminals()]
    strange = ("nobody", "%", "'\"<x>", "\N{PILE OF POO}")
    numbers = (("1", "2", "4"), ("0", "-1", str(10**30)))
    return {
        "tournament": ([OPEN], strange),
        "other": ([OPEN], strange),
        "player": (("p001", "p003"), strange),
        "terminal": ([*terminals, "0" * 32], strange),
        "game": (_games(station), strange),
        "key": (_screens(station), strange),
        "message": ([sent.track.written.message for sent in station.service.of(Messages).sent()], strange),
        "token": (_tokens(station), strange),
        "word": ((), strange),
        "name": (("page.js", "stream"), strange),
        "seat": numbers,
        "number": numbers,
        "kind": ([kind.value for kind in PaperKind], strange),
        "architecture": (("arm64",), strange),
        "edition": (("championship-2022", "official-2003", "house-rules"), strange),
        "round_no": numbers,
        "table": numbers,
        "code": (_badges(station), strange),
        "path": (("openapi.json",), strange),
        "season": (_seasons(station), strange),
        "digest": ((), strange),
        "answer": ((), strange),
        "file_path": (("saloon.css", "css"), ("nothing.css", "../app.py")),
    }


def _screens(station: Station) -> tuple[str, ...]:
    if not station.service.tournaments():
        return ()
    if not station.run(station.service.of(Projectors).all(OPEN)):
        station.run(station.service.of(Projectors).add(OPEN, "Entrance", "en"))
    return tuple(one.key for one in station.run(station.service.of(Projectors).all(OPEN)))


def _seasons(station: Station) -> tuple[str, ...]:
    seasons = station.service.of(Seasons)
    if not station.run(seasons.all()):
        known = tuple(state.tournament for state in station.service.tournaments())
        if not known:
            return ()
        station.run(seasons.add(Season("", "League", known)))
    return tuple(one.key for one in station.run(seasons.all()))


def _badges(station: Station) -> tuple[str, ...]:
    return tuple(
        station.service.of(codes_of).badge(state.tournament, entrant.player)
        for state in station.service.tournaments()
        for entrant in state.entrants[:2]
    )


def _tokens(station: Station) -> tuple[str, ...]:
    links = station.context.sign_in_links()
    return tuple(links.token(drawn) for drawn in published_tables(station.service.tournaments()))[:3]


def _games(station: Station) -> tuple[str, ...]:
    if not station.service.tournaments():
        return ()
    steps = station.service.history(OPEN)
    undone = [event for step in steps for event in step.events if isinstance(event, UndoSteps)]
    return tuple(voided.game for event in undone for voided in event.voided)


def addresses(template: str, station: Station, *, few: bool = False, strange: bool = True) -> Iterator[str]:
    """Yield an address for each combination of values with at most one strange value.

    few: only one strange value for each parameter, and another one for the next page.
    strange: whether there are any.
    """
    known = values(station)
    names = [part[1:-1] for part in template.split("/") if part.startswith("{")]
    choices = [
        [
            *((value, False) for value in usual),
            *((value, True) for at, value in enumerate(odd) if not few or at == len(template) % len(odd)),
        ]
        for usual, odd in map(known.__getitem__, names)
    ]
    for chosen in itertools.product(*choices):
        if sum(is_strange for _, is_strange in chosen) <= strange:
            address = template
            for name, (value, _) in zip(names, chosen, strict=True):
                address = address.replace(f"{{{name}}}", quote(value, safe=""))
            yield address


def fetch(browser: Browser, address: str) -> httpx.Response:
    return browser.status(address) if not address.endswith(STREAMS) else browser.beginning(address)


FEW: Final = pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.nightly)])


@pytest.mark.slow
@FEW
def test_no_page_fails_for_a_judge(hall: Station, judge: Browser, *, few: bool) -> None:
    failed, read = [], 0
    for template in templates(judge):
        for address in addresses(template, hall, few=few):
            answer = fetch(judge, address)
            read += answer.status_code == 200
            if answer.status_code >= 500 or (template.startswith("/judge") and _is_turned_away(answer)):
                failed.append((answer.status_code, address))
    assert failed == []
    assert read > 15


@pytest.mark.slow
@FEW
def test_nobody_reads_a_judges_page_without_logging_in_and_no_page_fails(
    hall: Station, visitor: Browser, *, few: bool
) -> None:
    wrong = []
    for template in templates(visitor):
        for address in addresses(template, hall, few=few):
            answer = fetch(visitor, address)
            if answer.status_code >= 500 or (template.startswith("/judge") and not _is_turned_away(answer)):
                wrong.append((answer.status_code, address))
    assert wrong == []


@pytest.mark.parametrize("hall", ["playing"], indirect=True)
def test_a_page_that_changes_by_itself_is_refused_to_strangers_too(hall: Station, visitor: Browser) -> None:
    for template in templates(visitor):
        if template.startswith("/judge"):
            address = next(addresses(template, hall))
            answer = visitor.status(address, **{"hx-request": "true"})
            assert answer.status_code == 401, address
            assert answer.content == b""


@pytest.mark.parametrize("hall", ["duels"], indirect=True)
def test_a_table_that_plays_a_duel_shows_the_form_of_a_duel(judge: Browser) -> None:
    judge.get("/judge")
    sheet = f"/judge/t/{OPEN}/tables/2/1/sheet"
    assert 'name="score-1"' in judge.send(sheet, {"out-1": "1", "by-1": "2"}, 422)
    assert 'name="score-1"' in judge.send(f"{sheet}/again", {"out-1": "1", "by-1": "2"}, 200)


def _is_turned_away(answer: httpx.Response) -> bool:
    to_login = answer.headers.get("location", "").startswith("/login")
    return answer.status_code == 401 or (answer.is_redirect and to_login)

"""Pictures of two stations with one PostgreSQL: their terminals, and the loss of the database."""

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, sync_playwright

from core.characters import Character
from core.editions.loader import edition
from core.game.decide import GameCommand, decide
from core.game.events import GameStep
from core.game.orders import AssignTable, SeatGame
from core.game.play.wounds import LoseLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.timeline import Timeline, extend
from core.terms import SeatNo
from tests.postgresql import running_postgresql
from tests.station.hall_of_stations import PASSWORD, StationProgram, Table, stations, waited
from tools.pictures_station import QUIET, SIZES, save

PLAYERS = Path(__file__).parents[1] / "demo" / "players-27.csv"
TABLES = 4
TURNS = (2, 7, 4, 5)


def main() -> None:
    """Take pictures of two halls in their first round, and after losing their database."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("Chromium is missing: apt install chromium")
    with (
        tempfile.TemporaryDirectory(prefix="saloon-two-halls-") as folder,
        running_postgresql() as server,
        stations(Path(folder), server.url, "Hall A", "Hall B") as pair,
        contextlib.ExitStack() as ends,
        sync_playwright() as playwright,
    ):
        tournament = _playing(Path(folder), pair, ends)
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        base = f"/judge/t/{tournament}"
        _shots(
            browser, pair[0], {"floor-two-halls": f"{base}/floor", "terminals-two-halls": "/judge/terminals"}
        )
        server.stop()
        with contextlib.closing(pair[0].visitor()) as pages:
            waited(lambda: "t responding" in pages.get(f"/t/{tournament}").html, "nobody says so")
        _shots(
            browser,
            pair[0],
            {"database-away": f"/t/{tournament}", "database-away-judge": base},
            is_judge=False,
        )
        browser.close()


def _playing(folder: Path, pair: list[StationProgram], ends: contextlib.ExitStack) -> str:
    """Start a tournament in which each station has two tables in play, and return its id."""
    with contextlib.closing(pair[0].judge()) as judge:
        judge.open_tournament("Two halls, one saloon", "championship-2022", "2026-11-21")
        judge.register(PLAYERS.name, PLAYERS.read_bytes())
        files = [judge.provisioning(number) for number in range(1, TABLES + 1)]
        tables = []
        for number, toml in enumerate(files):
            # The second half of the tables prefers the other hall's station.
            tables.append(Table(folder / f"t{number}", toml, best=pair[number * 2 // TABLES].port))
            tables[-1].agent.start()
            ends.callback(tables[-1].agent.stop)
        for table in tables:
            table.waits_for_order(AssignTable)
        judge.begin_round("cactus")
        for table, turns in zip(tables, TURNS, strict=True):
            table.waits_for_order(SeatGame)
            steps = list(_game(table.ordered(SeatGame)[-1].seating, turns))
            table.waits_until_received(table.writes(*(msgspec.msgpack.encode(step) for step in steps)))
        return judge.tournament


def _game(seating: SeatTable, turns: int) -> Iterator[GameStep]:
    """Yield the steps of a game up to a turn, with some life points lost."""
    rules = edition("championship-2022")
    timeline: Timeline | None = None
    seats = [SeatNo(number) for number in range(1, len(seating.seats) + 1)]
    chosen = [one for one in Character if one.value not in {"El Gringo", "Paul Regret"}]
    commands: list[GameCommand] = [seating, *(CheckIn(seat) for seat in seats), DealRoles()]
    commands += [ChooseCharacter(seat, character) for seat, character in zip(seats, chosen, strict=False)]
    commands += [BeginGame(), *(LoseLife(seats[turn % len(seats)], 1) for turn in range(turns))]
    for command in commands:
        state = None if timeline is None else timeline.state
        step = GameStep(seating.game, decide(state, command, rules))
        timeline = extend(timeline, step)
        yield step


def _shots(
    browser: Browser, station: StationProgram, shown: dict[str, str], *, is_judge: bool = True
) -> None:
    for language in ("en", "it"):
        for size, (width, height) in SIZES.items():
            context = browser.new_context(
                base_url=station.pages, locale=language, viewport={"width": width, "height": height}
            )
            page = context.new_page()
            if is_judge:
                page.goto("/login")
                page.locator("input[name=name]").fill("Roy")
                page.locator("input[name=password]").fill(PASSWORD)
                page.locator("main button.main").click()
            for name, path in shown.items():
                page.goto(path)
                save(page, name, f"{size}-{language}")
            context.close()


if __name__ == "__main__":
    main()

"""Pictures of the station's pages, from a real tournament played by simulated players."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Browser, Page, sync_playwright

from demo.hall import JUDGE, JUDGE_PASSWORD, Hall, running_hall
from demo.judge import JudgeAtWork
from demo.pages import Pages
from demo.processes import poll_until_timeout
from sync.protocol.parcel import parts_of
from tools.shown_pictures import DRAWN, shown_messages

OUT = DRAWN / "station"
PLAYERS = Path(__file__).parents[1] / "demo" / "players-27.csv"
SIZES = {"1280x720": (1280, 720), "800x480": (800, 480), "phone": (390, 844)}
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]  # fmt: skip
BROKEN = b"name,club\nAda,Torino\n,Milano\nAda,Torino\nBruno;Lucca\n"
TABLES = 5
NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giulia", "Hana", "Ivo", "Jana")
LISTED = ("name\n" + "\n".join(NAMES)).encode()
_ROLES = {"role-2": "deputy", "role-3": "outlaw", "role-4": "outlaw", "role-5": "renegade"}
LAW_WINS = {**_ROLES, "out-1": "3", "by-1": "1", "out-2": "4", "by-2": "2", "out-3": "5", "by-3": "1"}
RENEGADE_WINS = {
    **_ROLES, "out-1": "3", "by-1": "5", "out-2": "4", "by-2": "1", "out-3": "2", "by-3": "high-noon",
    "out-4": "1", "by-4": "5",
}  # fmt: skip
CHARACTERS = ("Willy the Kid", "Rose Doolan", "Suzy Lafayette", "Jourdonnais", "Lucky Duke")
PARTS = parts_of(bytes(range(256)) * 8)
"""Parts of an offline table's parcel, one of which hasn't been photographed yet."""
_SETTLE_MS = 300
THIRD = 3
"""The number of the table whose record sheet is waiting for the judge in the pictures."""


def main() -> None:
    """Play a little, and then take pictures of all pages."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("Chromium is missing: apt install chromium")
    OUT.mkdir(parents=True, exist_ok=True)
    directory = Path(tempfile.mkdtemp(prefix="saloon-pictures-"))
    try:
        with running_hall(directory, frozenset({2})) as (hall, _), sync_playwright() as playwright:
            pages, judge = _started(hall)
            browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
            _before(browser, hall, judge)
            _play(hall, pages, judge)
            _during(browser, hall, judge)
            _after(browser, hall, _ended(hall))
            _finals(browser, hall, *_at_the_finals(hall))
            _group(browser, hall, *_one_group(hall))
            browser.close()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _started(hall: Hall) -> tuple[Pages, JudgeAtWork]:
    hall.start_lines()
    hall.start_station()
    hall.enter_station()
    hall.judge.open_tournament("Saturday at the Saloon", "championship-2022", "2026-11-21")
    return hall.judge.pages, hall.judge


def _play(hall: Hall, pages: Pages, judge: JudgeAtWork) -> None:
    """Play a round until some tables have finished and others haven't."""
    tables = [hall.start_terminal(number, judge.provisioning(number)) for number in range(1, TABLES + 1)]
    judge.register(PLAYERS.name, PLAYERS.read_bytes())
    for _ in poll_until_timeout(60, 0.2):
        html = pages.get("/judge/terminals").html
        if html.count('class="link ') - html.count('class="link away') == TABLES:
            break
    judge.begin_round("cactus")
    for table in tables:
        speed = 60 if table.number < TABLES else 15
        hall.start_players(
            table,
            speed=speed,
            seed=40 + table.number,
            pin=judge.pin(table.number) if table.number < THIRD else "",
        )
    for _ in poll_until_timeout(180, 0.5):
        sheets = judge.sheets()
        if sheets[1] == sheets[2] == "accepted" and sheets[THIRD] == "proposed":
            return


def _ended(hall: Hall) -> str:
    """Play a small tournament on paper up to its public ranking, and return its id."""
    pages = Pages(hall.http)
    judge = JudgeAtWork(pages)
    judge.log_in(JUDGE, JUDGE_PASSWORD)
    opening = pages.get("/judge/new/championship-2022").form("/tournaments")
    sent = {"name": "Friday night", "date": "2026-11-20", "rounds": "1"}
    judge.tournament = pages.send(opening, sent).url.rpartition("/")[2]
    base = f"/judge/t/{judge.tournament}"
    judge.register("players.csv", LISTED)
    judge.begin_round("tumbleweed")
    tables = sorted(judge.sheets())
    for table in tables:
        form = pages.get(f"{base}/tables/1/{table}/sheet").form("/sheet")
        check = pages.send(form, LAW_WINS if table == tables[0] else RENEGADE_WINS)
        pages.send(check.form("/sheet/confirm"))
    judge.end()
    pages.close()
    return judge.tournament


def _after(browser: Browser, hall: Hall, tournament: str) -> None:
    for page, suffix in _pages(browser, hall):
        _shot(page, f"/t/{tournament}", "public-ranking", suffix)
        _shot(page, f"/t/{tournament}/rounds/1/draw", "public-draw", suffix)
        _shot(page, "/rules/championship-2022", "rules", suffix)


def _at_the_finals(hall: Hall) -> tuple[Pages, JudgeAtWork]:
    """Play a championship of 2010 on paper up to its semifinals, and win the first of them."""
    pages = Pages(hall.http)
    judge = JudgeAtWork(pages)
    judge.log_in(JUDGE, JUDGE_PASSWORD)
    judge.open_tournament("Old rules", "championship-2010", "2026-11-19")
    base = f"/judge/t/{judge.tournament}"
    judge.register("players.csv", LISTED)
    bought = {f"character-{seat}": name for seat, name in enumerate(CHARACTERS, 1)}
    bought |= {f"price-{seat}": "0" for seat in range(1, len(CHARACTERS) + 1)} | {"price-2": "700"}
    for number in (1, 2, 3):
        judge.begin_round("prairie")
        for table in sorted(judge.sheets()):
            form = pages.get(f"{base}/tables/{number}/{table}/sheet").form("/sheet")
            check = pages.send(form, {**LAW_WINS, **bought})
            pages.send(check.form("/sheet/confirm"))
    standings = pages.get(f"{base}/standings/")
    if standings.has_form("/lots"):
        pages.send(standings.form("/lots"))
    pages.send(pages.get(f"{base}/finals/").form("/finals/rounds"))
    pages.send(pages.get(f"{base}/finals/").form("/finals/begin"), {"kind": "short-duel"})
    duel = pages.get(f"{base}/tables/4/{min(judge.sheets())}/sheet").form("/sheet")
    check = pages.send(duel, {"score-1": "6", "score-2": "4", "how": "score"})
    pages.send(check.form("/sheet/confirm"))
    return pages, judge


def _finals(browser: Browser, hall: Hall, pages: Pages, judge: JudgeAtWork) -> None:
    base, first = f"/judge/t/{judge.tournament}", min(judge.sheets())
    for page, suffix in _pages(browser, hall):
        _shot(page, "/rules/championship-2010", "rules-2010", suffix)
        _shot(page, f"/t/{judge.tournament}", "public-semifinals", suffix)
        _log_in(page)
        _shot(page, f"{base}/finals/", "finals", suffix)
        _shot(page, f"{base}/floor", "floor-duels", suffix)
        _shot(page, f"{base}/tables/4/{first + 1}/sheet", "duel-form", suffix)
        _shot(page, f"{base}/standings/", "standings-2010", suffix)
        _shot(page, f"{base}/tables/1/{first}/sheet", "sheet-form-2010", suffix)
    pages.close()


def _one_group(hall: Hall) -> tuple[str, int]:
    """Start a game of ten by the rules of 2003 with the Rebel!, and return the tournament and the table."""
    pages = Pages(hall.http)
    judge = JudgeAtWork(pages)
    judge.log_in(JUDGE, JUDGE_PASSWORD)
    judge.open_tournament("Club night", "official-2003", "2026-11-18", ("cash-rewards", "rebel"))
    judge.register("players.csv", LISTED)
    judge.begin_round("sagebrush")
    table = min(judge.sheets())
    pages.close()
    return judge.tournament, table


def _group(browser: Browser, hall: Hall, tournament: str, table: int) -> None:
    base = f"/judge/t/{tournament}"
    for page, suffix in _pages(browser, hall):
        _shot(page, f"/t/{tournament}/rules", "rules-of-tournament", suffix)
        _log_in(page)
        _shot(page, "/judge/new", "new", suffix)
        _shot(page, "/judge/new/official-2003", "opening", suffix)
        _shot(page, base, "next-group", suffix)
        _shot(page, f"{base}/floor", "floor-ten-seats", suffix)
        _shot(page, f"{base}/tables/1/{table}/sheet", "sheet-form-rebel", suffix)


def _before(browser: Browser, hall: Hall, judge: JudgeAtWork) -> None:
    for page, suffix in _pages(browser, hall):
        _shot(page, "/", "public-home", suffix)
        page.goto("/login")
        save(page, "login", suffix)
        _log_in(page)
        _shot(page, "/judge", "home", suffix)
        _shot(page, f"/judge/t/{judge.tournament}", "next-registration", suffix)
        page.goto(f"/judge/t/{judge.tournament}/players")
        page.locator("input[type=file]").set_input_files(
            {"name": "broken.csv", "mimeType": "text/csv", "buffer": BROKEN}
        )
        page.locator("form[action$='/import'] button").click()
        page.wait_for_selector("main .card.bad")
        save(page, "import-errors", suffix)
        page.goto(f"/judge/t/{judge.tournament}/draw")
        save(page, "draw-too-few", suffix)


def _during(browser: Browser, hall: Hall, judge: JudgeAtWork) -> None:
    base = f"/judge/t/{judge.tournament}"
    for page, suffix in _pages(browser, hall):
        _shot(page, f"/t/{judge.tournament}", "public-tournament", suffix)
        _shot(page, f"/t/{judge.tournament}/sheets/1", "record-sheets", suffix)
        _shot(page, f"/t/{judge.tournament}/rounds/1/seats", "seats", suffix)
        _shot(page, "/t/nowhere", "not-found", suffix)
        _log_in(page)
        for name in ("players", "draw", "floor", "standings", "history"):
            _shot(page, f"{base}/{name}", name, suffix)
        _shot(page, base, "next-playing", suffix)
        _shot(page, f"{base}/tables/1/1", "table-confirmed", suffix)
        _shot(page, f"{base}/tables/1/5", "table-playing", suffix)
        _shot(page, f"{base}/tables/1/5/swap", "swap", suffix)
        page.goto(f"{base}/tables/1/1/sheet")
        if page.locator("form[action$='/take']").count():
            # The browser before this one entered the sheet.
            page.locator("form[action$='/take'] button").click()
        save(page, "sheet-form", suffix)
        page.locator("main button.main").click()
        save(page, "sheet-check", suffix)
        page.goto(f"{base}/tables/1/1/sheet")
        page.locator("[name=by-1][value='']").click()
        page.locator("main button.main").click()
        save(page, "sheet-refused", suffix)
        _shot(page, f"{base}/standings/p001", "own-total", suffix)
        _shot(page, "/judge/terminals", "terminals", suffix)
        link = page.locator("a[href$='/link']").first.get_attribute("href")
        _shot(page, "/judge/terminals/cards", "cards", suffix)
        _shot(page, "/judge/terminals/cards/labels?tables=1-5", "card-labels", suffix)
        if link is not None:
            _shot(page, link, "link-doctor", suffix)
        page.goto("/judge/take-in")
        page.locator("textarea[name=part]").fill("\n".join((*PARTS[:1], *PARTS[2:], "SALOON1:torn")))
        page.locator("form:has(textarea[name=part]) button").click()
        save(page, "take-in", suffix)


def _pages(browser: Browser, hall: Hall) -> Iterator[tuple[Page, str]]:
    for language in ("en", "it"):
        for name, (width, height) in SIZES.items():
            context = browser.new_context(
                base_url=hall.http, locale=language, viewport={"width": width, "height": height}
            )
            yield context.new_page(), f"{name}-{language}"
            context.close()


def _log_in(page: Page) -> None:
    page.goto("/login")
    page.locator("input[name=name]").fill(JUDGE)
    page.locator("input[name=password]").fill(JUDGE_PASSWORD)
    page.locator("main button.main").click()


def _shot(page: Page, path: str, name: str, suffix: str) -> None:
    page.goto(path)
    save(page, name, suffix)


def save(page: Page, name: str, suffix: str) -> None:
    """Save a picture of the current page, whose name ends with its size and language."""
    file = OUT / f"{name}-{suffix}.png"
    page.wait_for_load_state("load")
    page.wait_for_timeout(_SETTLE_MS)
    page.screenshot(path=file, full_page=suffix.startswith("phone"))
    about = PngInfo()
    about.add_itxt("Messages", shown_messages(page.inner_text("main").splitlines(), suffix[-2:]))
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(64).save(file, optimize=True, pnginfo=about)


if __name__ == "__main__":
    main()

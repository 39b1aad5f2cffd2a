"""The page with all terminals of a hall, with a real one and one that is unavailable."""

import json
from pathlib import Path

import httpx

from core.game.orders import AssignTable
from demo.hall import Table
from demo.hall_page import HallPage
from demo.processes import free_port, poll_until_timeout
from tests.kiosk.rig.games import TABLE, seat_game
from tests.kiosk.rig.live_table import LiveTable
from tests.kiosk.rig.virtual_table import CHEAP_PIN, Rigging


def test_all_tables_are_shown_with_what_the_judge_needs_to_know(tmp_path: Path) -> None:
    live = LiveTable(tmp_path, Rigging(door=True))
    live.order(AssignTable(TABLE, CHEAP_PIN), seat_game())
    tables = (Table(1, live.url, "tcp"), Table(2, f"http://127.0.0.1:{free_port()}", "bus"))
    try:
        with (
            HallPage(tables, {1: "111222", 2: "333444"}, "http://127.0.0.1:9") as page,
            httpx.Client(base_url=page.url) as browser,
        ):
            html = browser.get("/").text
            assert "http://127.0.0.1:9/judge" in html
            assert "PIN 111222" in html
            assert "{{" not in html
            assert all(f'href="{table.door}/"' in html for table in tables)
            seen: dict[str, dict[str, object] | None] = {}
            for _ in poll_until_timeout(10, 0.02):
                seen = json.loads(browser.get("/tables.json").content)
                if seen["1"] is not None and seen["1"]["scene"] == "seating":
                    break
            assert seen["2"] is None
            assert browser.get("/table/1.png?7").content.startswith(b"\x89PNG")
            assert browser.get("/table/2.png").status_code == 503
            assert browser.get("/table/3.png").status_code == 404
            assert browser.get("/table/%31.png").status_code == 404
            assert browser.get("/", headers={"Host": "evil.example"}).status_code == 403
    finally:
        live.close()

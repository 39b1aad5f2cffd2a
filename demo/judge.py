"""The judge of the demonstration, who operates the station's web pages as a person would."""

import re
from html import unescape

from demo.pages import Pages, PageTrouble, ParsedPage
from demo.processes import poll_until_timeout

_PLAYER = re.compile(r'<tr class="[^"]*" id="[^"]+">')
_CARD = re.compile(r'id="table-(\d+)" data-sheet="(\w+)"')
_ROW = re.compile(r'data-rank="([^"]*)" data-total="(-?\d+)" data-name="([^"]*)"')
_TABLE = re.compile(r"<h3>[^<]*?(\d+)</h3>")
_PIN = re.compile(r'data-table="(\d+)" data-pin="(\d+)"')
_ENROLMENT_S = 60.0
_HERE = re.compile(r"/judge/t/(\w+)")


class JudgeAtWork:
    """A judge who runs one tournament. Methods raise PageTrouble if a page isn't as expected."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.tournament = ""

    def close(self) -> None:
        self.pages.close()

    def is_station_up(self) -> bool:
        return self.pages.is_up()

    def log_in(self, name: str, password: str) -> None:
        """Log in. Raises PageTrouble if the station refuses it."""
        form = self.pages.get("/login").form("/login")
        page = self.pages.send(form, {"name": name, "password": password})
        if page.has_form("/login"):
            raise PageTrouble("the login was refused")

    def pin(self, table: int) -> str:
        """Wait until a table's terminal is enrolled, and return its PIN. Raises TimeoutError."""
        for _ in poll_until_timeout(_ENROLMENT_S):
            pins = dict(_PIN.findall(self.pages.get("/judge/terminals/pins").html))
            if str(table) in pins:
                return str(pins[str(table)])
        raise AssertionError  # poll_until_timeout raises earlier

    def provisioning(self, table: int | None) -> str:
        form = self.pages.get("/judge/terminals").form("/enrol")
        return self.pages.send_for_file(form, {"table": "" if table is None else str(table)}).decode()

    def terminals(self) -> str:
        return self.pages.get("/judge/terminals").html

    def swap(self, round_no: int, table: int) -> None:
        page = self._get(f"tables/{round_no}/{table}/swap")
        self.pages.send(page.form("/swap"))

    def withdraw(self, player: str, reason: str) -> None:
        self.pages.send(self._get(f"players/{player}").form("/withdraw"), {"reason": reason})

    def correct(self, round_no: int, table: int, swapped: tuple[int, int], reason: str) -> None:
        """Swap the roles of two seats on an accepted record sheet."""
        form = self._get(f"tables/{round_no}/{table}/sheet").form("/sheet")
        one, other = (f"role-{seat}" for seat in swapped)
        values = {one: form.fields[other], other: form.fields[one]}
        check = self.pages.send(form, values)
        self.pages.send(check.form("/sheet/confirm"), {"reason": reason})

    def table(self, round_no: int, table: int) -> str:
        return self._get(f"tables/{round_no}/{table}").html

    def open_tournament(self, name: str, edition: str, date: str, options: tuple[str, ...] = ()) -> None:
        """Create a tournament, which all later calls are about."""
        form = self.pages.get(f"/judge/new/{edition}").form("/tournaments")
        chosen = {f"option-{option}": "on" for option in options}
        page = self.pages.send(form, {"name": name, "date": date, **chosen})
        match = _HERE.search(page.url)
        if match is None:
            raise PageTrouble(f"no tournament was created; the station redirected to {page.url}")
        self.tournament = match[1]

    def register(self, name: str, listed: bytes) -> int:
        """Import a CSV file of players, and return how many are registered."""
        form = self._get("players").form("/import")
        preview = self.pages.send(form, file=(name, listed))
        if not preview.has_form("/import/confirm"):
            raise PageTrouble(f"{name} has errors; see the station's page Players")
        rows = re.search(r'<textarea name="rows"[^>]*>(.*?)</textarea>', preview.html, re.DOTALL)
        values = {"rows": unescape(rows[1]) if rows else ""}
        page = self.pages.send(preview.form("/import/confirm"), values)
        return len(_PLAYER.findall(page.html))

    def draw(self, hall_word: str) -> int:
        """Draw the next round, and return the number of tables."""
        self.pages.send(self._get("draw").form("/seal"))
        page = self.pages.send(self._get("draw").form("/make"), {"hall_word": hall_word})
        return len(_TABLE.findall(page.html))

    def publish_draw(self) -> None:
        self.pages.send(self._get("draw").form("/publish"))

    def begin_round(self, hall_word: str) -> int:
        """Draw and publish the next round, and return the number of tables."""
        tables = self.draw(hall_word)
        self.publish_draw()
        return tables

    def sheets(self) -> dict[int, str]:
        return {int(table): sheet for table, sheet in _CARD.findall(self._get("floor").html)}

    def floor(self) -> str:
        return self._get("floor").html

    def answer_calls(self) -> None:
        """Answer the calls of all tables."""
        for form in self._get("floor").forms:
            if form.action.endswith("/answer"):
                self.pages.send(form)

    def is_finished(self) -> bool:
        """Return whether all rounds have been played."""
        standings = self._get("standings")
        return (
            standings.has_form("/standings/lots")
            or standings.has_form("/standings/publish")
            or self.has_finals()
        )

    def break_ties(self) -> None:
        """Draw lots for ties that the rules don't break."""
        page = self._get("standings")
        if page.has_form("/standings/lots"):
            self.pages.send(page.form("/standings/lots"))

    def has_finals(self) -> bool:
        page = self._get("finals")
        return page.has_form("/finals/rounds") or page.has_form("/finals/begin")

    def begin_duels(self, kind: str) -> None:
        """Publish the ranking of the rounds, then begin the next duels of the finals."""
        page = self._get("finals")
        if page.has_form("/finals/rounds"):
            self.pages.send(page.form("/finals/rounds"))
        self.pages.send(self._get("finals").form("/finals/begin"), {"kind": kind})

    def end(self) -> list[tuple[str, str, int]]:
        """Publish the final ranking, and return it as (rank, name, total)."""
        self.break_ties()
        page = self._get("finals")
        if page.has_form("/finals/publish"):
            self.pages.send(page.form("/finals/publish"))
        else:
            self.pages.send(self._get("standings").form("/standings/publish"))
        page = self.pages.get(f"/t/{self.tournament}")
        rows = _ROW.findall(page.html)
        if not rows:
            raise PageTrouble(f"{page.url} shows no ranking")
        return [(rank, unescape(name), int(total)) for rank, total, name in rows]

    def export(self) -> bytes:
        return self.pages.download(f"/judge/t/{self.tournament}/export")

    def _get(self, part: str) -> ParsedPage:
        return self.pages.get(f"/judge/t/{self.tournament}/{part}")

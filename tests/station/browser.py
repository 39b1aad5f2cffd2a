"""A judge's browser on the pages of a scripted station, without wires and without a network."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from html import unescape
from typing import Any

import httpx

from core.proof.reading import read_pack
from core.proof.verify import verify_pack
from station.accounts.invitations import FirstJudge
from station.accounts.judges import Judges
from station.accounts.permissions import AccountRole
from station.app.app import web_app
from station.appliance.appliance import Appliance
from station.exports import pieces
from station.rehearsals.runner import RehearsalRunner
from station.store.settings import Settings
from station.web.site import Site
from tests.station.conftest import OPEN, SECRET, Station

PASSWORD = "tumbleweed in the wind"
_TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')


class Browser:
    """Follows redirects, keeps cookies, sends forms with the token of the page it read last."""

    def __init__(
        self,
        station: Station,
        rehearsals: RehearsalRunner | None = None,
        *,
        is_rehearsal: bool = False,
        has_judges: bool = True,
        appliance: Callable[[FirstJudge], Appliance] | None = None,
    ) -> None:
        self.station = station
        self.rehearsals = rehearsals or RehearsalRunner()
        self.judges = judges = Judges(station.database, station.clock.wall_ms)
        if has_judges and not judges.all():
            judges.add("Roy", PASSWORD)
        self.first = FirstJudge(judges)
        Settings(station.database).set_defaults({"web-secret": SECRET})
        site = Site(
            station.service,
            judges,
            is_rehearsal=is_rehearsal,
            first=self.first,
            appliance=None if appliance is None else appliance(self.first),
        )
        self.app = web_app(site, Settings(station.database), self.rehearsals)
        self._client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=self.app),  # type: ignore[arg-type]  # the same protocol in other words
            base_url="http://station",
            follow_redirects=True,
        )
        self._token = ""
        station.browsers.append(self)

    def close(self) -> None:
        """Close its connections, as the end of its station does."""
        self.station.run(self._client.aclose())

    def get(self, path: str, language: str = "en", expected: int = 200) -> str:
        answer = self.station.run(self._client.get(path, headers={"accept-language": language}))
        return self._read(answer, expected)

    def post(self, path: str, expected: int = 200, **fields: str) -> str:
        data = {name.replace("_", "-"): value for name, value in fields.items()}
        return self.send(path, data, expected)

    def send(self, path: str, data: Mapping[str, str], expected: int = 200) -> str:
        answer = self.station.run(self._client.post(path, data={**data, "_csrf_token": self._token}))
        return self._read(answer, expected)

    def sending(self, path: str, form: Mapping[str, str]) -> Coroutine[Any, Any, httpx.Response]:
        """Send a form when awaited; for several browsers at the same moment."""
        return self._client.post(path, data={**form, "_csrf_token": self._token})

    def sending_file(
        self, path: str, files: Mapping[str, tuple[str, bytes]]
    ) -> Coroutine[Any, Any, httpx.Response]:
        """Send a file as a page's form does when awaited, without following the answer."""
        data = {"_csrf_token": self._token}
        headers = {"accept": "text/html"}
        return self._client.post(path, data=data, files=files, headers=headers, follow_redirects=False)

    def together(self, path: str, *forms: dict[str, str]) -> None:
        """Send these forms at the same moment."""

        async def _sent() -> None:
            sending = [
                self._client.post(path, data={**form, "_csrf_token": self._token}, follow_redirects=False)
                for form in forms
            ]
            await asyncio.gather(*sending)

        self.station.run(_sent())

    def answer(self, path: str, data: dict[str, str], language: str = "en", **headers: str) -> httpx.Response:
        """Return the response to a form without following it: a download, or a page."""
        sent = {**data, "_csrf_token": self._token}
        sent_headers = {"accept-language": language, **headers}
        return self.station.run(self._client.post(path, data=sent, headers=sent_headers))

    def send_file(
        self, path: str, field: str, name: str, content: bytes, expected: int = 200, **fields: str
    ) -> str:
        files, data = {field: (name, content)}, {**fields, "_csrf_token": self._token}
        answer = self.station.run(self._client.post(path, data=data, files=files))
        return self._read(answer, expected)

    async def follow(self, path: str, on_sent: Callable[[str], None], **headers: str) -> None:
        """Read a stream of changes until it ends, as a server would send it."""
        is_over = asyncio.Event()
        cookies = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())

        async def receive() -> dict[str, object]:
            await is_over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Mapping[str, Any]) -> None:
            on_sent(bytes(message.get("body", b"")).decode())
            if message["type"] == "http.response.body" and not message.get("more_body"):
                is_over.set()

        sent = {"cookie": cookies, **headers}
        scope = {
            "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "scheme": "http", "server": ("station", 80), "client": ("127.0.0.1", 1), "http_version": "1.1",
            "asgi": {"version": "3.0"},
        }  # fmt: skip
        await self.app(scope, receive, send)  # type: ignore[arg-type]

    def streamed(self, path: str, content: AsyncIterator[bytes], **headers: str) -> int:
        """The status with which a body is answered that is sent as it is asked for."""
        return self.station.run(self._client.post(path, content=content, headers=headers)).status_code

    def status(self, path: str, **headers: str) -> httpx.Response:
        return self.station.run(self._client.get(path, headers=headers, follow_redirects=False))

    def beginning(self, path: str) -> httpx.Response:
        """Return the beginning of the answer to a GET, without its body."""
        return self.station.run(self._client.head(path, follow_redirects=False))

    def cookie(self, name: str) -> str:
        """Return a cookie of the station, or an empty text."""
        jar = self._client.cookies.jar
        return next((one.value or "" for one in jar if one.name.startswith(f"{name}-")), "")

    def forget(self, cookie: str) -> None:
        """Delete a cookie, as people do who tidy their browser."""
        for own in [one.name for one in self._client.cookies.jar if one.name.startswith(f"{cookie}-")]:
            self._client.cookies.delete(own)

    def log_in(self, name: str = "Roy") -> None:
        self.get("/login")
        self.post("/login", name=name, password=PASSWORD)

    def _read(self, answer: httpx.Response, expected: int) -> str:
        """Return the page with its apostrophes as they are read."""
        assert answer.status_code == expected, answer.text
        match = _TOKEN.search(answer.text)
        self._token = unescape(match[1]) if match else self._token
        return answer.text.replace("&#39;", "'")


def shows(page: str, *texts: str, never: str | tuple[str, ...] = ()) -> None:
    """Compare a page with texts that it has to have, and with those that it must not have."""
    refused = (never,) if isinstance(never, str) else never
    missing = [text for text in texts if text not in page]
    assert (missing, [text for text in refused if text in page]) == ([], []), page


def proof_faults(station: Station) -> tuple[object, ...]:
    """Return the faults that auditors would find in the export as the page sends it."""
    sent = b"".join(pieces(station.service.export(OPEN)))
    return tuple(verify_pack(read_pack(sent.splitlines(keepends=True))).faults)


def first_group(pattern: str, page: str) -> str:
    """Return the first group of a pattern in a page that has it."""
    match = re.search(pattern, page)
    assert match is not None, page
    return match[1]


def words(page: str) -> str:
    """Return a page without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def looked_at(judge: Browser, page: str) -> dict[str, str]:
    """Return the field that says what a form's judge has looked at."""
    return {"looked-at": judge.get(page).split('name="looked-at" value="')[1].split('"')[0]}


def logged_in_as(station: Station, role: AccountRole, **options: Any) -> Browser:
    """A browser of somebody with this role; Roy is the head judge."""
    browser = Browser(station, **options)
    name = "Roy"
    if role is not AccountRole.HEAD_JUDGE:
        name = role.value
        browser.judges.add(name, PASSWORD, role)
    browser.log_in(name)
    return browser


def on_floor(judge: Browser, tournament: object, table: int, look: str = "cards") -> str:
    """Return a table as the floor shows it."""
    page = judge.get(f"/judge/t/{tournament}/floor?look={look}")
    match = re.search(rf'<article [^>]*id="table-{table}".*?</article>', page, re.DOTALL)
    assert match is not None, f"table {table} is not on the floor"
    return match[0]

"""A web page with live pictures of all virtual terminals of a hall, each linked to its terminal."""

import http.server
import threading
from collections.abc import Mapping
from html import escape
from importlib import resources
from typing import Final, Self

import httpx
import msgspec

from demo.hall import JUDGE, JUDGE_PASSWORD, Table

_PATIENCE_S: Final = 3.0
_WIRES: Final[Mapping[str, str]] = {"serial": "serial line", "bus": "shared pair", "tcp": "TLS"}


class Answer(msgspec.Struct, frozen=True):
    """An HTTP response."""

    status: int
    kind: str
    body: bytes


class _Seen(msgspec.Struct, frozen=True):
    """The state of a terminal's screen. ``version`` changes with its picture."""

    scene: str
    version: int


class HallPage:
    """A web server for the page, which runs on a loopback port within its ``with`` block.

    pins: the PIN of each table's terminal.
    station: URL of the station.
    """

    def __init__(self, tables: tuple[Table, ...], pins: Mapping[int, str], station: str) -> None:
        self._doors = {table.number: table.door for table in tables}
        self._page = _page(tables, pins, station).encode()
        self._client = httpx.Client(timeout=_PATIENCE_S)
        handler = type("HallHandler", (_Handler,), {"hall": self})
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self._port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, name="hall page", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._client.close()

    def is_for_us(self, host: str) -> bool:
        """Return whether a Host header is the address of this page, as others may be DNS rebinding."""
        return host in {f"127.0.0.1:{self._port}", f"localhost:{self._port}"}

    def answer(self, path: str) -> Answer:
        """Return the page, the state of all tables as JSON, or a picture of one table."""
        name, _, end = path.removeprefix("/table/").partition(".")
        if path == "/":
            return Answer(200, "text/html; charset=utf-8", self._page)
        if path == "/tables.json":
            screens = {str(number): self._look(door) for number, door in self._doors.items()}
            return Answer(200, "application/json", msgspec.json.encode(screens))
        if end == "png" and name.isdecimal() and int(name) in self._doors:
            return self._picture(self._doors[int(name)])
        return Answer(404, "text/plain", b"there is no such page")

    def _look(self, door: str) -> _Seen | None:
        try:
            return msgspec.json.decode(self._client.get(f"{door}/screen.json").content, type=_Seen)
        except (httpx.HTTPError, msgspec.DecodeError):
            return None

    def _picture(self, door: str) -> Answer:
        try:
            answer = self._client.get(f"{door}/screen.png")
        except httpx.HTTPError:
            return Answer(503, "text/plain", b"the terminal is away")
        return Answer(answer.status_code, "image/png", answer.content)


class _Handler(http.server.BaseHTTPRequestHandler):
    hall: HallPage
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        answer = Answer(403, "text/plain", b"this page is for this machine only")
        if self.hall.is_for_us(self.headers.get("Host", "")):
            answer = self.hall.answer(self.path.partition("?")[0])
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        try:
            self.wfile.write(answer.body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (named by the library)
        """Log nothing, as nobody reads a demonstration's access log."""


def _page(tables: tuple[Table, ...], pins: Mapping[int, str], station: str) -> str:
    template = (resources.files("demo") / "hall.html").read_text(encoding="utf-8")
    cards = "\n".join(
        f'<li><a href="{escape(table.door)}/" target="_blank" rel="noopener" data-table="{table.number}">'
        f'<span class="frame"><img src="/table/{table.number}.png" alt=""></span>'
        f'<span class="name">Table {table.number}</span>'
        f'<span class="wire">PIN {pins[table.number]} · {_WIRES[table.wire]}</span>'
        f'<span class="scene"></span></a></li>'
        for table in tables
    )
    filled = {
        "tables": cards,
        "count": str(len(tables)),
        "judge": f"{station}/judge",
        "login": JUDGE,
        "password": JUDGE_PASSWORD,
    }
    for name, value in filled.items():
        template = template.replace("{{" + name + "}}", value)
    return template

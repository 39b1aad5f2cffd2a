"""The web server of a virtual terminal, on the loopback or a Unix socket; the app's thread responds.

Requests wait in a queue; ``fileno`` wakes the loop, which calls ``serve``. Only the page's own files are
served without the app.
"""

import contextlib
import http.server
import queue
import re
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec
import structlog

from base.errors import Unavailable
from base.fonts import FOLDER
from base.wakeup import Wakeup

_log = structlog.get_logger()
_DIGITS: Final = re.compile("[0-9]{1,9}")
_PATIENCE_S: Final = 5.0
_LARGEST_BODY: Final = 4096
_LONG_POLL_S: Final = 20.0
_PULSE_S: Final = 1.0
"""The longest pause in a stream of frames, after which a page considers the terminal lost."""
_SINCE: Final = "since="
_HERE: Final = Path(__file__).parent
_FILES: Final = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/keyboard.js": ("keyboard.js", "text/javascript; charset=utf-8"),
}
_FONTS: Final = ("BarlowCondensed-Medium.ttf", "BarlowCondensed-Bold.ttf", "SaloonSign.ttf")
_PLACES: Final = {
    **{path: (_HERE / name, kind) for path, (name, kind) in _FILES.items()},
    **{f"/fonts/{name}": (FOLDER / name, "font/ttf") for name in _FONTS},
}


class HttpAnswer(msgspec.Struct, frozen=True):
    """The app's response to an HTTP request, and the version of its picture.

    ``after_ms`` delays it, as a touch ends only when the finger is lifted.
    """

    status: int
    body: bytes
    kind: str = "application/json"
    after_ms: int = 0
    version: int = 0


def refusal(status: int, problem: str, **more: object) -> HttpAnswer:
    return HttpAnswer(status, msgspec.json.encode({"error": problem, **more}))


class HttpRequest(msgspec.Struct, frozen=True):
    """A request for the app. ``since`` is the version that the client has."""

    method: str
    path: str
    body: bytes
    since: int = 0


class VirtualTerminalServer:
    """A server on a loopback port, or on a Unix socket protected by its folder's permissions.

    Raises Unavailable if the port is in use or the socket can't be created. ``version`` increases whenever
    the picture or the panel has changed; browsers wait for the next one.
    """

    def __init__(self, place: int | Path) -> None:
        self._questions: queue.SimpleQueue[tuple[HttpRequest, queue.SimpleQueue[HttpAnswer]]] = (
            queue.SimpleQueue()
        )
        self._wakeup = Wakeup()
        self._changed = threading.Condition()
        self.version = 1
        self._open = True
        try:
            self._server = _listen(place, type("PageHandler", (_Handler,), {"terminal": self}))
        except OSError as error:
            self._wakeup.close()
            where = f"port {place}" if isinstance(place, int) else str(place)
            raise Unavailable(f"virtual terminal, {where}: {error.strerror or error}") from error
        self._is_private = isinstance(place, Path)
        self.port: int = self._server.server_port if isinstance(self._server, _TcpServer) else 0
        self.address: str = f"http://127.0.0.1:{self.port}" if self.port else str(place)
        self._thread = threading.Thread(target=self._server.serve_forever, name="page", daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        return self._wakeup.fileno()

    def serve(self, answer: Callable[[HttpRequest], HttpAnswer]) -> None:
        """Respond to all waiting requests on the caller's thread."""
        self._wakeup.clear()
        while True:
            try:
                question, reply = self._questions.get_nowait()
            except queue.Empty:
                return
            reply.put(answer(question))

    def on_change(self) -> None:
        """Note a change of the picture or the panel, and wake waiting browsers."""
        with self._changed:
            self.version += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Stop the server."""
        self._open = False
        self.on_change()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._wakeup.close()

    def ask(self, question: HttpRequest) -> HttpAnswer:
        """Wait for the app's response. Called on the server's threads."""
        reply: queue.SimpleQueue[HttpAnswer] = queue.SimpleQueue()
        self._questions.put((question, reply))
        self._wakeup.wake()
        try:
            return reply.get(timeout=_PATIENCE_S + _hold_s(question))
        except queue.Empty:
            return refusal(503, "the terminal does not answer")

    def wait_for_change(self, since: int, longest_s: float = _LONG_POLL_S) -> int:
        """Wait until the version differs from ``since``, or the time is over, and return the version."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != since or not self._open, longest_s)
            return self.version

    def frames(self) -> Iterator[bytes]:
        """Yield the screen, then each change; empty bytes after a second without changes.

        Ends when the terminal stops or doesn't respond.
        """
        seen = 0
        while self._open:
            if self.wait_for_change(seen, _PULSE_S) == seen:
                yield b""
                continue
            answer = self.ask(HttpRequest("GET", "/frame", b"", since=seen))
            if answer.status != http.HTTPStatus.OK:
                return
            seen = answer.version
            yield answer.body

    def is_for_us(self, host: str, origin: str | None) -> bool:
        """Return whether a request is addressed to this server, so that other sites can't reach it.

        Browsers can't reach a Unix socket; there, the program that forwards requests checks their origin.
        """
        if self._is_private:
            return True
        ours = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        return host in ours and (origin is None or origin.removeprefix("http://") in ours)


class _TcpServer(http.server.ThreadingHTTPServer):
    daemon_threads = True


class _UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


def _listen(place: int | Path, handler: type[http.server.BaseHTTPRequestHandler]) -> _TcpServer | _UnixServer:
    if isinstance(place, int):
        return _TcpServer(("127.0.0.1", place), handler)
    # A killed terminal leaves its socket behind. No other terminal can be using it, as the data is locked.
    place.unlink(missing_ok=True)
    return _UnixServer(str(place), handler)


def _number(text: str) -> int | None:
    return int(text) if _DIGITS.fullmatch(text) else None


def _hold_s(question: HttpRequest) -> float:
    try:
        return msgspec.json.decode(question.body, type=_Hold).hold_ms / 1000 if question.body else 0.0
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return 0.0


class _Hold(msgspec.Struct):
    hold_ms: int = 0


class _Handler(http.server.BaseHTTPRequestHandler):
    """A request handler. The server is an attribute of a subclass."""

    terminal: VirtualTerminalServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if not self.terminal.is_for_us(self.headers.get("Host", ""), None):
            self._send(refusal(403, "this door is for this machine only"))
        elif path in _PLACES:
            file, kind = _PLACES[path]
            self._send(HttpAnswer(200, file.read_bytes(), kind))
        elif path == "/changes":
            version = self.terminal.wait_for_change(_number(query.removeprefix(_SINCE)) or 0)
            self._send(HttpAnswer(200, msgspec.json.encode({"version": version})))
        elif path == "/stream":
            self._stream()
        else:
            self._send(self.terminal.ask(HttpRequest("GET", path, b"")))

    def do_POST(self) -> None:
        size = _number(self.headers.get("Content-Length", "0"))
        if size is None or size > _LARGEST_BODY:
            self.close_connection = True
            self._send(refusal(413, f"at most {_LARGEST_BODY} bytes"))
            return
        body = self.rfile.read(size)
        if not self.terminal.is_for_us(self.headers.get("Host", ""), self.headers.get("Origin")):
            self._send(refusal(403, "this door is for this machine only"))
        elif self.headers.get_content_type() != "application/json":
            self._send(refusal(415, "send application/json"))
        else:
            self._send(self.terminal.ask(HttpRequest("POST", self.path, body)))

    def _stream(self) -> None:
        """Send frames, each preceded by its length in four bytes, until either side has gone."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(OSError):
            for frame in self.terminal.frames():
                self.wfile.write(len(frame).to_bytes(4) + frame)

    def _send(self, answer: HttpAnswer) -> None:
        if answer.after_ms:
            time.sleep(answer.after_ms / 1000)
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Cache-Control", "no-store")
        # Forbid frames, as another site could hide the page and trick people into touching it.
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (named by the library)
        _log.debug("virtual terminal", request=format % args)

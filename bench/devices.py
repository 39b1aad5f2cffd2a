"""Phones as terminals: memory and processor time of fifty, and response times on slow Wi-Fi."""

import asyncio
import contextlib
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import httpx
import msgspec

from base.errors import Unavailable
from bench.figure import Effort, Figure, Measurement, percentile
from demo.hall import running_hall
from demo.pages import Pages
from demo.processes import Processes, megabytes_of_all, poll_until_timeout, processor_seconds_of_all
from kiosk.rehearsal.brain import Brain
from kiosk.rehearsal.people import People
from kiosk.rehearsal.seen import Seen
from kiosk.rehearsal.terminal_client import TerminalClient

_TABLES: Final = 50
_SEATS: Final = 7
_SECONDS: Final = 60.0
_TAPS: Final = 200
_BYTES_PER_S: Final = 5_000_000 / 8
_DELAY_S: Final = 0.030
_PIECE: Final = 1_460
_BETWEEN_S: Final = 0.15
_LINK: Final = re.compile(r"/device/[\w-]+(?=</code>)")
_TOKEN: Final = re.compile(r'name="_csrf_token" value="([^"]+)"')
_TYPE: Final = {"Content-Type": "application/json"}


def measurements(effort: Effort) -> Sequence[Measurement]:
    """Return measurements of terminals in browsers: many at people's pace, and one on a slow network."""
    return (
        Measurement("phones as terminals, at people's pace", lambda: _hall(effort)),
        Measurement("a phone's touch to its picture", lambda: _slow_network(effort)),
    )


class Device(TerminalClient):
    """A phone used as a terminal, which receives its pictures from the station or a relay at ``base``."""

    def __init__(self, base: str, judge: Pages, table: int) -> None:
        super().__init__(base)
        offered = judge.send(judge.get("/judge/devices").form("/judge/devices"), {"table": str(table)})
        link, self._client = _LINK.findall(offered.html)[0], httpx.Client(base_url=base, timeout=30.0)
        token = _TOKEN.findall(self._client.get(link).raise_for_status().text)[0]
        told = {"_csrf_token": token, "width": "1024", "height": "600", "percent": "100"}
        self._path = self._client.post(link, data=told).headers["location"]
        self._is_over = False
        self.frames = threading.Condition()
        self.seen = 0
        self._shown = b'{"scene": "", "targets": []}'
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def close(self) -> None:
        self._is_over = True
        self._reading.join(10)
        self._client.close()

    def tap(self, x: int, y: int) -> float:
        """Tap a place, and return the seconds until the next changed picture arrived."""
        place = {"finger": 0, "x": x, "y": y}
        with self.frames:
            before, began = self.seen, time.perf_counter()
        moments = [{**place, "phase": "down"}, {**place, "phase": "up"}]
        self._ask("/fingers", msgspec.json.encode({"moments": moments, "within_ms": 2_000}))
        with self.frames:
            if not self.frames.wait_for(lambda: self.seen > before, 10):
                raise Unavailable("no picture arrived after a touch")
            return time.perf_counter() - began

    def see(self) -> Seen:
        """Return the description of the screen that came with the newest picture."""
        with self.frames:
            return msgspec.json.decode(self._shown, type=Seen)

    def place(self, name: str) -> tuple[int, int]:
        with self.frames:
            shown = msgspec.json.decode(self._shown)
        x, y, width, height = next(target["rect"] for target in shown["targets"] if target["id"] == name)
        return x + width // 2, y + height // 2

    def _ask(self, path: str, body: bytes | None) -> bytes:
        method = "GET" if body is None else "POST"
        try:
            return self._client.request(method, self._path + path[1:], content=body, headers=_TYPE).content
        except httpx.HTTPError as error:
            raise Unavailable(f"{path}: {error}") from error

    def _read(self) -> None:
        held = b""
        with (
            contextlib.suppress(httpx.HTTPError),
            self._client.stream("GET", f"{self._path}stream") as answer,
        ):
            for piece in answer.iter_raw():
                if self._is_over:
                    return
                held += piece
                while len(held) >= 4 and len(held) >= 4 + (size := int.from_bytes(held[:4])):
                    frame, held = held[4 : 4 + size], held[4 + size :]
                    if frame:
                        with self.frames:
                            self._shown = frame[4 : 4 + int.from_bytes(frame[:4])]
                            self.seen += 1
                            self.frames.notify_all()


@contextlib.contextmanager
def _round(tables: int) -> Iterator[tuple[str, Processes, Pages]]:
    """Yield a station with a round of at least two tables: its URL, processes, and a judge's pages."""
    with tempfile.TemporaryDirectory() as name, running_hall(Path(name), frozenset()) as (hall, processes):
        hall.start_station()
        judge = hall.enter_station()
        judge.open_tournament("Phones", "championship-2022", "2026-11-26")
        names = "".join(f"Player {number}\n" for number in range(max(2, tables) * _SEATS))
        judge.register("players.csv", f"name\n{names}".encode())
        judge.begin_round("hall")
        yield hall.http, processes, judge.pages
        judge.close()


def _hall(effort: Effort) -> Sequence[Figure]:
    tables, seconds = effort.count(_TABLES, 2), effort.seconds(_SECONDS, 3.0)
    with _round(tables) as (base, processes, judge):
        station = processes.pid("station")
        alone_mb = megabytes_of_all(station)
        devices = [Device(base, judge, table) for table in range(1, tables + 1)]
        playing = [People(device, Brain(seed), lambda: 1.0) for seed, device in enumerate(devices)]
        for people in playing:
            people.start()
        time.sleep(seconds / 4)
        before_s, began = processor_seconds_of_all(station), time.monotonic()
        time.sleep(seconds)
        used = (processor_seconds_of_all(station) - before_s) / (time.monotonic() - began)
        all_mb = megabytes_of_all(station)
        for people in playing:
            people.leave()
        for people in playing:
            people.wait_gone()
        for device in devices:
            device.close()
    what = f"{tables} phones as terminals, with their station"
    return (
        Figure(
            f"{what}: memory (PSS)", "MB", all_mb, "the station without them", alone_mb, aim="at most 3,000"
        ),
        Figure(
            f"{what}: processor at people's pace",
            "cores",
            used,
            "one core",
            1.0,
            aim="at most 1",
            more=f"{seconds:.0f} s of the first minutes of a round",
        ),
    )


def _slow_network(effort: Effort) -> Sequence[Figure]:
    taps = effort.count(_TAPS, 10)
    with _round(1) as (base, _, judge):
        near = _taps(base, judge, taps)
        with _slow_relay(base) as relay:
            far = _taps(relay, judge, taps)
    return (
        Figure(
            "a phone's touch to its changed picture, 5 Mbit/s and 30 ms each way, p99",
            "ms",
            percentile(far, 99),
            "the same without a network",
            percentile(near, 99),
            aim="at most 150",
            more=f"median {percentile(far, 50):.0f} ms, {percentile(near, 50):.0f} ms without a network",
        ),
    )


def _taps(base: str, judge: Pages, taps: int) -> list[float]:
    """Return the milliseconds of each tap on plus and minus, after the players were seated."""
    device, brain = Device(base, judge, 1), Brain(1)
    for _ in poll_until_timeout(120, 0.02):
        seen = device.see()
        if seen.scene == "play":
            break
        touch = brain.next_touch(seen)
        if touch is not None:
            device.touch(touch)
    time.sleep(1)
    places = {name: device.place(name) for name in ("seat-2-minus", "seat-2-plus")}
    took = []
    for _ in range(taps):
        for place in places.values():
            took.append(1000 * device.tap(*place))
            time.sleep(_BETWEEN_S)
    device.close()
    return took


@contextlib.contextmanager
def _slow_relay(base: str) -> Iterator[str]:
    """Yield the URL of a relay to a station, which is as slow as bad Wi-Fi in each direction."""
    host, _, port = base.removeprefix("http://").partition(":")
    loop, ready = asyncio.new_event_loop(), threading.Event()
    found: list[int] = []

    async def serve() -> None:
        line = dict.fromkeys(("up", "down"), 0.0)

        async def carry(way: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                while data := await reader.read(_PIECE):
                    # All connections share the bandwidth.
                    line[way] = max(line[way], loop.time()) + len(data) / _BYTES_PER_S
                    loop.call_at(line[way] + _DELAY_S, writer.write, data)
            loop.call_at(max(line[way], loop.time()) + _DELAY_S, writer.write_eof)

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, here = await asyncio.open_connection(host, int(port))
            try:
                # Cancelled tasks at the end would be printed as errors by the server.
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.gather(carry("up", reader, here), carry("down", there, writer))
            finally:
                here.close()
                writer.close()

        async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
            found.append(server.sockets[0].getsockname()[1])
            ready.set()
            await server.serve_forever()

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(serve(), loop)
    ready.wait(10)
    try:
        yield f"http://127.0.0.1:{found[0]}"
    finally:
        asyncio.run_coroutine_threadsafe(_end_all_tasks(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _end_all_tasks() -> None:
    """Cancel the relay's tasks, and let its connections close."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(2 * _DELAY_S)

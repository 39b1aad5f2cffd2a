"""An event loop with simulated time, in which nothing waits and everything happens in one order.

When nothing is ready, time jumps to the next timer. Work for threads is done on the loop, after the time that
its machine takes. A machine (``Host``) owns everything begun in its context, so that a power cut can remove
all of it at once.
"""

import asyncio
import contextvars
import hashlib
import traceback
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Context = dict[str, Any]  # asyncio's own word for what an exception handler is told


class PowerCut(BaseException):
    """The power fails in the middle of work. Nothing that expects errors may catch this."""


class Host(Protocol):
    """A machine that runs tasks on the loop."""

    @property
    def is_up(self) -> bool: ...

    def work_s(self) -> float:
        """Return the duration of the next piece of work for a thread."""

    def power_fails(self) -> None:
        """Handle a power cut in the middle of work."""


_host: contextvars.ContextVar["Host | None"] = contextvars.ContextVar("host", default=None)


class Stuck(Exception):
    """No event will ever happen any more."""


class _Sleeper:
    """The selector of the loop, in which time passes at once."""

    def __init__(self, pass_s: Callable[[float], None]) -> None:
        self._pass_s = pass_s

    def select(self, timeout: float | None) -> tuple[()]:
        if timeout is None:
            raise Stuck
        self._pass_s(timeout)
        return ()


class VirtualLoop(asyncio.BaseEventLoop):
    """The simulated loop. ``faults`` are errors that nobody caught."""

    def __init__(self) -> None:
        super().__init__()
        self._now_s = 0.0
        self._clock_resolution = 1e-9
        self._selector = _Sleeper(self._pass_s)
        self._owned: dict[int, list[asyncio.Task[Any]]] = {}
        self._unfinished: dict[int, list[_Work]] = {}
        self.readers: dict[int, Callable[[], None]] = {}
        self.servers: dict[int, Callable[[], asyncio.Protocol]] = {}
        self.faults: list[str] = []
        self.set_task_factory(self._new_task)
        self.set_exception_handler(self._nobody_caught)

    def time(self) -> float:
        return self._now_s

    def now_ms(self) -> int:
        return int(self._now_s * 1000)

    @contextmanager
    def on(self, host: Host) -> Iterator[None]:
        """Let everything begun in this block belong to a machine."""
        token = _host.set(host)
        try:
            yield
        finally:
            _host.reset(token)

    def tasks_of(self, host: Host) -> list[asyncio.Task[Any]]:
        """Return the unfinished tasks of a machine, oldest first."""
        return [task for task in self._owned.get(id(host), ()) if not task.done()]

    def forget(self, host: Host) -> None:
        self._owned.pop(id(host), None)
        self._unfinished.pop(id(host), None)

    def run_in_executor(  # type: ignore[override]  # the future is awaited, whatever its kind
        self, executor: object, func: Callable[..., T], *args: Any
    ) -> "asyncio.Future[T]":
        """Do the work on the loop, after the time that the machine's thread would take."""
        del executor
        future: asyncio.Future[T] = self.create_future()
        host = _host.get()
        work = _Work(host, future, lambda: func(*args))
        if host is not None:
            self._unfinished.setdefault(id(host), []).append(work)
        self.call_later(host.work_s() if host is not None else 0.0, self._do, work)
        return future

    def unfinished_work(self, host: Host) -> list[Callable[[], object]]:
        """Return the functions that a machine's threads have not finished, oldest first."""
        return [work.func for work in self._unfinished.pop(id(host), [])]

    def _do(self, work: "_Work") -> None:
        host = work.host
        if host is not None:
            if not host.is_up:
                return
            self._unfinished[id(host)].remove(work)
        work.do()

    async def create_server(  # type: ignore[override]  # as much of it as start_server needs
        self, protocol_factory: Callable[[], asyncio.Protocol], host: str, port: int, **_options: Any
    ) -> "VirtualServer":
        del host
        self.servers[port] = protocol_factory
        return VirtualServer(self, port)

    def add_reader(  # type: ignore[override]  # a number of ours is a descriptor
        self, fd: int, callback: Callable[..., object], *args: Any
    ) -> None:
        self.readers[fd] = lambda: self._call(callback, args)

    def remove_reader(self, fd: int) -> bool:  # type: ignore[override]
        return self.readers.pop(fd, None) is not None

    def _call(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        self.call_soon(callback, *args)

    def _pass_s(self, seconds: float) -> None:
        self._now_s += seconds

    def _process_events(self, event_list: object) -> None: ...

    def _write_to_self(self) -> None: ...

    def _new_task(
        self,
        loop: asyncio.AbstractEventLoop,
        work: Coroutine[Any, Any, T] | Generator[Any, None, T],
        context: contextvars.Context | None = None,
    ) -> asyncio.Future[T]:
        assert isinstance(work, Coroutine)
        task = asyncio.Task(work, loop=loop, context=context)
        host = _host.get()
        if host is not None:
            owned = self._owned.setdefault(id(host), [])
            owned.append(task)
            if len(owned) > 256:
                self._owned[id(host)] = [one for one in owned if not one.done()]
        return task

    def _nobody_caught(self, loop: asyncio.AbstractEventLoop, context: Context) -> None:
        del loop
        error = context.get("exception")
        where = "".join(traceback.format_tb(error.__traceback__)[-1:]) if error is not None else ""
        self.faults.append(f"{context.get('message')}: {error!r} {where}")


class VirtualServer:
    def __init__(self, loop: VirtualLoop, port: int) -> None:
        self._loop = loop
        self._port = port
        self.sockets = (self,)

    def getsockname(self) -> tuple[str, int]:
        return "station", self._port

    def close(self) -> None:
        self._loop.servers.pop(self._port, None)


@dataclass(frozen=True, eq=False)
class _Work:
    host: Host | None
    future: asyncio.Future[Any]
    func: Callable[[], object]

    def do(self) -> None:
        """Do the work even if nobody waits for it any more, as a thread would."""
        try:
            result = self.func()
        except PowerCut:
            assert self.host is not None
            self.host.power_fails()
        except Exception as error:  # noqa: BLE001 (whoever awaits it gets it)
            if not self.future.done():
                self.future.set_exception(error)
        else:
            if not self.future.done():
                self.future.set_result(result)


_LAST = 60


class Trace:
    """The events in order. ``now_ms`` returns the time of the world."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._hash = hashlib.sha256()
        self._last: deque[str] = deque(maxlen=_LAST)
        self.events = 0

    def note(self, who: str, what: str) -> None:
        line = f"{self._now_ms():>8} {who}: {what}"
        self._hash.update(line.encode())
        self._last.append(line)
        self.events += 1

    def digest(self) -> str:
        """Return a hash of all events, which is the same for the same seed."""
        return self._hash.hexdigest()

    def last(self) -> str:
        return "\n".join(self._last)

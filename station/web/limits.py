"""Limits on guessing and on password checks, which affect only those who guess.

Badges, screens' keys and tables' links have 50 bits or more, so a right one always works, whatever others
have tried. Only passwords can be guessed. A browser in which somebody has logged in before has a count of its
own and takes precedence.
"""

import asyncio
import contextlib
import hashlib
import hmac
import ipaddress
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, ParamSpec, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.exceptions import TooManyRequestsException

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Request = Request[Any, Any, State]
_WINDOW_S: Final = 60.0
_MOST: Final = 20
_MOST_NETWORKS: Final = 4096
_WAITING_OF_ONE: Final = 2
_IPV6_NETWORK: Final = 64
KNOWN_BROWSER: Final = "known-browser"
"""The cookie of a browser in which a judge has logged in."""


class FailedTries:
    """The failed tries of the last minute, by network or known browser.

    Correct tries do not count, as a whole team may share one address. A try counts from its start, so that
    simultaneous ones count too. Used on one event loop.
    """

    def __init__(self) -> None:
        self._tries: dict[str, list[float]] = {}

    def count(self, network: str, now_s: float) -> int:
        return sum(begun > now_s - _WINDOW_S for begun in self._tries.get(network, ()))

    def begin(self, network: str, now_s: float) -> bool:
        """Count a try, or return False if the network has used up its tries for this minute."""
        recent = [begun for begun in self._tries.pop(network, []) if begun > now_s - _WINDOW_S]
        may_try = len(recent) < _MOST
        # Networks are ordered by their last try, and the oldest are forgotten.
        self._tries[network] = [*recent, now_s] if may_try else recent
        while len(self._tries) > _MOST_NETWORKS:
            del self._tries[next(iter(self._tries))]
        return may_try

    def forget_one(self, network: str, begun_s: float) -> None:
        """Remove the try that began at this time, as it was correct."""
        begun = self._tries.get(network, [])
        if begun_s in begun:
            begun.remove(begun_s)
        if not begun:
            self._tries.pop(network, None)


class Asker(msgspec.Struct, frozen=True):
    """The network or known browser that sent a request. ``wrong`` counts its recent failed tries."""

    name: str
    wrong: int = 0
    is_known: bool = False


INVITED: Final = Asker("by a code of 50 bits or more", is_known=True)


class PasswordQueue:
    """Runs a few blocking calls at a time, lets some more wait, and refuses the others.

    A password check uses 64 MiB on purpose, so twenty at a time would exhaust a small computer. Known
    browsers take precedence, then those with the fewest failed tries. In a full queue, the last one is
    dropped.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = at_once
        self._most = waiting
        self._waiting: list[tuple[Asker, asyncio.Future[None]]] = []

    async def run(self, asker: Asker, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a blocking call on a thread. Raises TooManyRequestsException if the queue is full."""
        await self._enter(asker)
        try:
            return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._leave()

    async def _enter(self, asker: Asker) -> None:
        if self._free:
            self._free -= 1
            return
        same = sum(one.name == asker.name for one, _ in self._waiting)
        if not asker.is_known and same >= _WAITING_OF_ONE:
            raise TooManyRequestsException
        if len(self._waiting) >= self._most:
            last = max(reversed(self._waiting), key=_rank)
            if _rank(last) <= _rank((asker, last[1])):
                raise TooManyRequestsException
            self._waiting.remove(last)
            if not last[1].done():
                last[1].set_exception(TooManyRequestsException())
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((asker, turn))
        try:
            await turn
        except asyncio.CancelledError:
            self._waiting = [place for place in self._waiting if place[1] is not turn]
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._leave()
            raise

    def _leave(self) -> None:
        # Some may have been cancelled, but not removed yet.
        self._waiting = [place for place in self._waiting if not place[1].done()]
        if not self._waiting:
            self._free += 1
            return
        first = min(self._waiting, key=_rank)
        self._waiting.remove(first)
        first[1].set_result(None)


def _rank(place: tuple[Asker, asyncio.Future[None]]) -> tuple[bool, int]:
    return not place[0].is_known, place[0].wrong


def network_of(address: str) -> str:
    """Return the network of an address. For IPv6 that is the /64, which usually belongs to one person."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((known, _IPV6_NETWORK), strict=False))


def known_browser(secret: bytes, account: str) -> str:
    """Return the cookie for a browser in which a judge has logged in.

    All browsers of an account have the same, so that logging in again without it gains no tries.
    """
    name = hmac.digest(secret, f"account/{account}".encode(), hashlib.sha256)[:8].hex()
    return f"{name}.{_signature(secret, name)}"


def _signature(secret: bytes, name: str) -> str:
    return hmac.digest(secret, f"browser/{name}".encode(), hashlib.sha256).hex()


def asker_of(request: _Request) -> Asker:
    """Return the network or known browser that sent a request."""
    name, _, signature = request.cookies.get(KNOWN_BROWSER, "").partition(".")
    secret = request.app.state.site.service.context.secret
    is_known = bool(signature) and hmac.compare_digest(
        signature.encode(errors="replace"), _signature(secret, name).encode()
    )
    source = f"browser {name}" if is_known else network_of(request.client.host if request.client else "")
    return Asker(source, request.app.state.failed_logins.count(source, time.monotonic()), is_known)


@contextlib.contextmanager
def limit_tries(request: _Request, asker: Asker) -> Iterator[Callable[[], None]]:
    """Count a failed try, unless the block calls the yielded function.

    Raises TooManyRequestsException after too many failed tries.
    """
    failed: FailedTries = request.app.state.failed_logins
    now_s = time.monotonic()
    if not failed.begin(asker.name, now_s):
        raise TooManyRequestsException

    def forget() -> None:
        failed.forget_one(asker.name, now_s)

    try:
        yield forget
    except TooManyRequestsException:
        forget()
        raise


def count_wrong_code(request: _Request) -> None:
    """Count a wrong code or link. Raises TooManyRequestsException after too many of them."""
    guesses: FailedTries = request.app.state.guessed_links
    if not guesses.begin(network_of(request.client.host if request.client else ""), time.monotonic()):
        raise TooManyRequestsException

"""Limits on guessing and on work with passwords. They hold back those who guess, and nobody else.

A right badge, screen's key or link of a table opens whatever others tried: these have 50 bits and more. Only
passwords can be guessed; a browser that has logged in before is counted by itself, and waits before others.
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
    """The wrong tries of the last minute by network, or by a browser that is known.

    Right ones do not count: a whole team shares one address. A try counts from its beginning, so that many at
    once count too. Used on one event loop.
    """

    def __init__(self) -> None:
        self._tries: dict[str, list[float]] = {}

    def count(self, network: str, now_s: float) -> int:
        """Return the number of tries in the last minute."""
        return sum(begun > now_s - _WINDOW_S for begun in self._tries.get(network, ()))

    def begin(self, network: str, now_s: float) -> bool:
        """Count a try, or return False when the network has used up its tries of this minute."""
        recent = [begun for begun in self._tries.pop(network, []) if begun > now_s - _WINDOW_S]
        may_try = len(recent) < _MOST
        # The one that tried last comes last; the longest silent one is forgotten first.
        self._tries[network] = [*recent, now_s] if may_try else recent
        while len(self._tries) > _MOST_NETWORKS:
            del self._tries[next(iter(self._tries))]
        return may_try

    def forget_one(self, network: str, begun_s: float) -> None:
        """Remove the try that began then, as it was right."""
        begun = self._tries.get(network, [])
        if begun_s in begun:
            begun.remove(begun_s)
        if not begun:
            self._tries.pop(network, None)


class Asker(msgspec.Struct, frozen=True):
    """The source of a request: a network, or a browser that is known. wrong: its tries of the last minute."""

    name: str
    wrong: int = 0
    is_known: bool = False


INVITED: Final = Asker("by a code of 50 bits or more", is_known=True)


class PasswordQueue:
    """Runs few blocking calls at once, lets a few more wait, and refuses the others.

    A password check takes 64 MiB for a moment on purpose: twenty at once would use up a small computer. Known
    browsers come first, then those who were wrong least often; the last ones make way where it is full.
    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free = at_once
        self._most = waiting
        self._waiting: list[tuple[Asker, asyncio.Future[None]]] = []

    async def run(self, asker: Asker, work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a blocking call on a thread. Raises TooManyRequestsException when there is no place."""
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
        # Cancelled, but not yet gone.
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
    """Return the network of an address: of IPv6 a person has 64 bits of addresses."""
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
    """Return the cookie of a browser in which a judge has logged in.

    An account's browsers count as one: nobody gets more tries by logging in again without the cookie.
    """
    name = hmac.digest(secret, f"account/{account}".encode(), hashlib.sha256)[:8].hex()
    return f"{name}.{_signature(secret, name)}"


def _signature(secret: bytes, name: str) -> str:
    return hmac.digest(secret, f"browser/{name}".encode(), hashlib.sha256).hex()


def asker_of(request: _Request) -> Asker:
    """Return the source of a request."""
    name, _, signature = request.cookies.get(KNOWN_BROWSER, "").partition(".")
    secret = request.app.state.site.service.context.secret
    is_known = bool(signature) and hmac.compare_digest(
        signature.encode(errors="replace"), _signature(secret, name).encode()
    )
    source = f"browser {name}" if is_known else network_of(request.client.host if request.client else "")
    return Asker(source, request.app.state.failed_logins.count(source, time.monotonic()), is_known)


@contextlib.contextmanager
def limit_tries(request: _Request, asker: Asker) -> Iterator[Callable[[], None]]:
    """Count one try, unless the block calls the given function: then it was right, or there was no room.

    Raises TooManyRequestsException after too many wrong ones.
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
    """Count a code or link that opens nothing. Raises TooManyRequestsException after too many."""
    guesses: FailedTries = request.app.state.guessed_links
    if not guesses.begin(network_of(request.client.host if request.client else ""), time.monotonic()):
        raise TooManyRequestsException

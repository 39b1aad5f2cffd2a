"""The stream of changes that each of a judge's open pages follows."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Final, TypeVar

from litestar import get
from litestar.response import ServerSentEvent, ServerSentEventMessage

from base.errors import Unavailable
from station.accounts.permissions import Permission
from station.hall.changes import Change
from station.web.site import PageRequest, permissions_now, permissions_of_request, session_key, site_of
from station.web.tournament_context import AtStation, station_routes

_MOST: Final = 4
"""The most streams of a session. Browsers open only six connections to a station, for all tabs."""
_REST: Final = "rest"
"""The event on which a hidden page closes its stream until it is shown again."""
_REST_S: Final = 0.03
_T = TypeVar("_T")
_PAUSE_S: Final = 5.0
"""The interval for checking what causes no event, such as ended sessions and silent tables."""


class BrowserStreams:
    """The open streams by session. Too many of a session end its oldest. Used on one event loop."""

    def __init__(self) -> None:
        self._open: dict[str, list[asyncio.Event]] = {}

    @contextlib.contextmanager
    def begin(self, session: str) -> Iterator[asyncio.Event]:
        """Count a stream within the block, and yield the event that is set when the stream must end."""
        must_end = asyncio.Event()
        streams = self._open.setdefault(session, [])
        streams.append(must_end)
        if len(streams) > _MOST:
            streams.pop(0).set()
        try:
            yield must_end
        finally:
            if must_end in streams:
                streams.remove(must_end)
            if not streams and self._open.get(session) is streams:
                del self._open[session]


@get("/events", needs=Permission.TOURNAMENTS)
async def events(here: AtStation) -> ServerSentEvent:
    """Stream changes as they happen. With ``?only=calls``, leave out those of single tables and terminals.

    Events: ``table-N`` with ``floor``, ``tournament``, ``terminals``, ``calls``, ``station``; and ``rest``,
        on which a hidden page closes the stream until it is shown again.
    """
    only_calls = here.request.query_params.get("only") == "calls"
    feed = site_of(here.request).service.context.feed
    return ServerSentEvent(
        _stream(here.request, _followed(here.request, feed.changes()), only_calls=only_calls)
    )


async def _stream(
    request: PageRequest, changes: AsyncIterator[Change | None], *, only_calls: bool
) -> AsyncGenerator[ServerSentEventMessage, None]:
    async for change in changes:
        if change is None:
            continue
        names = (change.what,) if change.table is None else (f"table-{change.table}", "floor")
        for name in names:
            if not only_calls or name == "calls":
                yield ServerSentEventMessage(event=name, data=str(change.number))
    for message in farewell(request):
        yield message


def farewell(request: PageRequest) -> tuple[ServerSentEventMessage, ...]:
    """Return the last event of a stream; none if the station shuts down, as pages then come back at once."""
    is_closed = site_of(request).service.context.feed.is_closed
    return () if is_closed else (ServerSentEventMessage(event=_REST, data=""),)


def followed_batches(request: PageRequest) -> AsyncGenerator[tuple[Change, ...] | None, None]:
    """Yield batches of changes for a page that shows many things."""
    return _followed(request, site_of(request).service.context.feed.batches(_REST_S))


async def _followed(request: PageRequest, changes: AsyncIterator[_T]) -> AsyncGenerator[_T | None, None]:
    """Yield changes for an open page, and None every few seconds.

    Ends with the session, when its permissions change, or when the browser opens newer streams.
    """
    key, permissions = session_key(request), permissions_of_request(request)
    streams: BrowserStreams = request.app.state.streams
    with streams.begin(key) as must_end:
        async for change in changes_until(changes, must_end):
            with contextlib.suppress(Unavailable):
                if change is None and await permissions_now(request) != permissions:
                    return
            yield change


async def changes_until(
    changes: AsyncIterator[_T], must_end: asyncio.Event
) -> AsyncGenerator[_T | None, None]:
    """Yield changes until an event is set, and None every few seconds."""
    ending = asyncio.ensure_future(must_end.wait())
    coming: asyncio.Future[_T] | None = None
    clock = asyncio.get_running_loop().time
    pause_ends = clock() + _PAUSE_S
    try:
        while True:
            if coming is None:
                coming = asyncio.ensure_future(anext(changes))
            await asyncio.wait(
                (coming, ending), timeout=max(0, pause_ends - clock()), return_when=asyncio.FIRST_COMPLETED
            )
            if ending.done():
                return
            if coming.done():
                try:
                    change = coming.result()
                except StopAsyncIteration:
                    return
                coming = None
                yield change
            if clock() >= pause_ends:
                yield None
                pause_ends = clock() + _PAUSE_S
    finally:
        ending.cancel()
        if coming is not None and not coming.cancel() and not coming.cancelled():
            # Retrieve its error, if any, or asyncio would log it.
            coming.exception()


routes = station_routes("/judge", events)

"""The code for signing in by phone, drawn on a thread so that the screen never waits for it."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import structlog

from saloon.kiosk.terminal.link.offline_export import code_of
from saloon.kiosk.view.table_view import SignInView
from saloon.sync.terminal.agent_contract import LinkPhase

_log = structlog.get_logger()


class SignInCode:
    """The code of the current link. wake: makes the loop look again, from any thread."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._pool = ThreadPoolExecutor(1, "sign-in")
        self._link = ""
        self._drawing: Future[SignInView | None] | None = None

    def advance(self, link: str, phase: LinkPhase) -> None:
        """Draw the code of a new link. Without a connection nobody could sign in, so there is none."""
        wanted = link if phase is LinkPhase.CONNECTED else ""
        if wanted == self._link:
            return
        self._link, self._drawing = wanted, None
        if wanted:
            self._drawing = self._pool.submit(_draw, wanted)
            self._drawing.add_done_callback(lambda _: self._wake())

    def view(self) -> SignInView | None:
        """Return the link and its code; None until it is drawn."""
        drawing = self._drawing
        return drawing.result() if drawing is not None and drawing.done() else None

    def close(self) -> None:
        """End the thread."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _draw(link: str) -> SignInView | None:
    try:
        return SignInView(link, code_of(link))
    except Exception:  # noqa: BLE001 (whatever it is, players can still tap their cards)
        _log.exception("the code for signing in by phone cannot be drawn")
        return None

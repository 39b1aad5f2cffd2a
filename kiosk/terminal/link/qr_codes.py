"""QR codes, including the one for sign-in by phone, drawn on threads so that the screen never waits."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import structlog

from kiosk.view.table_view import ParcelCode, SignInView
from sync.terminal.agent_contract import LinkPhase

_log = structlog.get_logger()
_CORRECTION = "m"
"""The error correction: 15 % of a code may be unreadable, because of a reflection or a thumb."""


def code_of(text: str) -> ParcelCode:
    # Import it late, as few terminals need it at startup.
    """Return the QR code of a text."""
    import segno

    made = segno.make_qr(text, error=_CORRECTION, boost_error=False)
    rows = tuple(int("".join(map(str, row)), 2) for row in made.matrix)
    return ParcelCode(len(rows), rows)


class SignInCode:
    """The code for the current sign-in link. ``wake`` wakes the loop, and is called on any thread."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._pool = ThreadPoolExecutor(1, "sign-in")
        self._link = ""
        self._drawing: Future[SignInView | None] | None = None

    def advance(self, link: str, phase: LinkPhase) -> None:
        """Draw the code of a new link; without a connection there is none, as nobody could sign in."""
        wanted = link if phase is LinkPhase.CONNECTED else ""
        if wanted == self._link:
            return
        self._link, self._drawing = wanted, None
        if wanted:
            self._drawing = self._pool.submit(_draw, wanted)
            self._drawing.add_done_callback(lambda _: self._wake())

    def view(self) -> SignInView | None:
        drawing = self._drawing
        return drawing.result() if drawing is not None and drawing.done() else None

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _draw(link: str) -> SignInView | None:
    try:
        return SignInView(link, code_of(link))
    except Exception:  # noqa: BLE001 (any error, as players can still tap their cards)
        _log.exception("cannot draw the code for sign-in by phone")
        return None

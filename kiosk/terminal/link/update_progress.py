"""Install a downloaded update when the table is idle, unless someone postpones it.

The terminal isn't allowed to install anything. It asks the system through a request file, which stays in
place until the system is done. If the file is removed first because a game was seated, nothing is installed.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from base.errors import Unavailable
from kiosk.view.table_view import UpdateShown, UpdateView
from sync.terminal.agent_contract import IdleChanged, UpdateProgress, UpdateRequest
from sync.update.messages import UpdateNews, UpdateReason, UpdateStage
from sync.update.place import DRAWN, UpdateFolders

_log = structlog.get_logger()
QUIET_MS: Final = 20_000
"""The time without a touch before an update is announced."""
SOON_MS: Final = 15_000
"""The time for which an update is announced."""
LATER_MS: Final = 600_000
"""The delay after somebody has postponed an update."""
_LOOK_MS: Final = 1_000
_PATIENCE_MS: Final = 120_000
"""The time in which the system must have installed an update, or it counts as failed."""


class UpdateScheduler:
    """The scheduler of an update. ``ask`` sends requests to the agent."""

    def __init__(self, place: UpdateFolders, ask: Callable[[UpdateRequest], None]) -> None:
        self._place = place
        self._ask = ask
        self._news = UpdateNews()
        self._is_idle: bool | None = None
        self._due_ms: int | None = None
        self._asked_ms: int | None = None
        self._noted_ns = 0

    def on_first_picture(self) -> None:
        """Note that the first frame was shown, so that a trial version can be confirmed."""
        self._place.write_verdict(DRAWN, self._place.about())

    def on_connected(self) -> None:
        self._is_idle = None

    def on_news(self, news: UpdateNews) -> None:
        """Note the progress of a download."""
        self._news = news
        if news.progress.stage is UpdateStage.WAITING:
            self._due_ms = None
        elif news.progress.stage is not UpdateStage.APPLYING:
            self._take_back()

    def on_touch(self, now_ms: int) -> None:
        """Postpone an announced update, as somebody is using the terminal."""
        if self._due_ms is not None:
            self._due_ms = max(self._due_ms, now_ms + QUIET_MS + SOON_MS)

    def put_off(self, now_ms: int) -> None:
        self._due_ms = now_ms + LATER_MS

    def advance(self, now_ms: int, *, is_idle: bool) -> None:
        """Announce, install or give up an update. With ``is_idle``, nothing is to be entered or sent."""
        if is_idle is not self._is_idle:
            self._is_idle = is_idle
            self._ask(IdleChanged(is_idle))
        if not is_idle:
            self._due_ms = None
            if self._asked_ms is not None:
                self._take_back()
                self._report(UpdateStage.WAITING)
            return
        if self._asked_ms is not None:
            self._look_at_system(now_ms, self._asked_ms)
        elif self._news.progress.stage is UpdateStage.WAITING:
            if self._due_ms is None:
                self._due_ms = now_ms + QUIET_MS + SOON_MS
            elif now_ms >= self._due_ms:
                self._apply(now_ms)

    def view(self, now_ms: int) -> UpdateView:
        """Return the state of the update for the screen."""
        news, phase = self._news, UpdateShown.NOTHING
        if self._asked_ms is not None:
            phase = UpdateShown.APPLYING
        elif self._due_ms is not None and self._due_ms - now_ms <= SOON_MS:
            phase = UpdateShown.SOON
        elif self._is_idle and news.progress.stage is UpdateStage.FETCHING:
            phase = UpdateShown.FETCHING
        if news.about is None or phase is UpdateShown.NOTHING:
            return UpdateView()
        return UpdateView(
            phase, news.about.version, min(100, 100 * news.progress.have // max(1, news.payload))
        )

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return the next time at which ``advance`` has something to do without an event."""
        if self._asked_ms is not None:
            return now_ms + _LOOK_MS
        if self._due_ms is None:
            return None
        return self._due_ms if self._due_ms - now_ms <= SOON_MS else self._due_ms - SOON_MS

    def _apply(self, now_ms: int) -> None:
        self._due_ms = None
        name = self._news.progress.digest.hex()
        self._noted_ns = self._place.last_refusal_ns(name)
        try:
            self._place.request(name)
        except Unavailable as error:
            _log.error("cannot apply an update", problem=str(error))
            self._report(UpdateStage.DECLINED, UpdateReason.NO_IMAGE)
            return
        _log.warning("asked the system to apply an update")
        self._asked_ms = now_ms
        self._report(UpdateStage.APPLYING)

    def _look_at_system(self, now_ms: int, asked_ms: int) -> None:
        name = self._news.progress.digest.hex()
        # Ignore results that were written before this request.
        is_answer = self._place.last_refusal_ns(name) != self._noted_ns
        reason = self._place.refusal_of(name) if is_answer else None
        if reason is None and now_ms - asked_ms >= _PATIENCE_MS:
            reason = UpdateReason.SYSTEM
        if reason is not None:
            _log.error("the system did not apply the update", reason=reason.value)
            self._take_back()
            self._report(UpdateStage.DECLINED, reason)

    def _take_back(self) -> None:
        self._due_ms = None
        if self._asked_ms is not None:
            self._asked_ms = None
            with contextlib.suppress(Unavailable):
                self._place.take_back()

    def _report(self, stage: UpdateStage, reason: UpdateReason = UpdateReason.NONE) -> None:
        self._ask(UpdateProgress(stage, reason))


def update_place(root: Path) -> UpdateFolders:
    """Return the folders of this image for updates, and for requests that the system watches."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "")
    return UpdateFolders(root, Path(folder) if folder else None)

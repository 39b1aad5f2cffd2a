"""A terminal's part in an update until the bundle is complete: offers, fetching, refusals and reports.

It is used by the agent's thread with the uplink, whose session carries the messages. It fetches only while
the app reports that the table is idle, and keeps the bytes fetched so far. Entries and orders share the
wire, so only one piece is in flight, which is smaller on a slower wire. Each piece is followed by a pause of
the same duration, so that updates use at most half of a slow line.
"""

from typing import Final, assert_never

import structlog

from base.errors import BadData, PeerFault, Unavailable
from sync.update.bundle import Manifest, is_newer, read_head
from sync.update.messages import (
    LARGEST_PIECE,
    NOTHING,
    UpdateMessage,
    UpdateNews,
    UpdateOffer,
    UpdatePiece,
    UpdateReason,
    UpdateReported,
    UpdateStage,
    UpdateWant,
)
from sync.update.place import REACHED, PartFile, UpdateFolders, forget_all

FIRST_PIECE: Final = 1024
LEAST_PIECE: Final = 256
QUICK_MS: Final = 100
"""A piece that took less time than this (ms) is followed by a larger one."""
SLOW_MS: Final = 250
"""A piece that took more time than this (ms) is followed by a smaller one, to avoid delaying orders."""
LONGEST_REST_MS: Final = 10_000
ASK_AGAIN_MS: Final = 60_000
"""The time (ms) until a request is repeated that was unanswered, or answered with no data."""


class BundleDownload:
    """The requests for one payload, of which ``have`` bytes were fetched so far."""

    def __init__(self, manifest: Manifest, have: int) -> None:
        self.manifest = manifest
        self.have = have
        self._size = FIRST_PIECE
        self._request: UpdateWant | None = None
        self._asked_ms = 0
        self._next_ms = 0

    @property
    def is_whole(self) -> bool:
        return self.have >= self.manifest.payload

    def want(self, now_ms: int) -> UpdateWant | None:
        """Return the request to send now, or None while one is pending or during a pause."""
        due = self.next_deadline_ms()
        if due is None or now_ms < due:
            return None
        length = min(self._size, self.manifest.payload - self.have)
        self._request, self._asked_ms = UpdateWant(self.manifest.digest, self.have, length), now_ms
        return self._request

    def on_piece(self, piece: UpdatePiece, now_ms: int) -> bytes:
        """Return the next bytes of the payload, or none if this piece was not requested."""
        request = self._request
        if request is None or (piece.digest, piece.offset) != (request.digest, request.offset):
            return b""
        took_ms = now_ms - self._asked_ms
        self._request = None
        # A station without data answers too, so asking again at once would loop.
        self._next_ms = now_ms + (min(took_ms, LONGEST_REST_MS) if piece.data else ASK_AGAIN_MS)
        if took_ms > SLOW_MS:
            self._size = max(LEAST_PIECE, self._size // 2)
        elif took_ms < QUICK_MS:
            self._size = min(LARGEST_PIECE, self._size * 2)
        data = piece.data[: request.length]
        self.have += len(data)
        return data

    def cut(self) -> None:
        """Drop the pending request, as the connection is lost."""
        self._request = None
        self._size = FIRST_PIECE

    def next_deadline_ms(self) -> int | None:
        """Return when ``want`` must be called next, or None if the payload is complete."""
        if self.is_whole:
            return None
        return self._next_ms if self._request is None else self._asked_ms + ASK_AGAIN_MS


_log = structlog.get_logger()
TELL_EVERY: Final = 50
"""The number of progress reports while a payload is fetched."""
_TRIES: Final = 3
"""The number of tries for a payload that arrives damaged."""
_FIXED: Final = frozenset({UpdateStage.WENT_BACK, UpdateStage.DECLINED})
_STAYS: Final = frozenset({UpdateStage.APPLYING, *_FIXED})
"""The stages that remain after an offer is withdrawn, so that the judge can still read the reason."""


class UpdateFetcher:
    """The state machine of an update. ``place`` contains the files of this terminal's updates.

    Not thread-safe.
    """

    def __init__(self, place: UpdateFolders) -> None:
        self._place = place
        self.about = place.about()
        self._download: BundleDownload | None = None
        self._file: PartFile | None = None
        self._manifest: Manifest | None = None
        self._state = NOTHING
        self._reported: UpdateReported | None = None
        self._news: list[UpdateNews] = []
        self._damaged = 0
        self._is_idle = False

    def on_connection(self) -> None:
        """Prepare to report our progress over a new connection to a station."""
        self._place.write_verdict(REACHED, self.about)
        self._reported = None
        if self._download is not None:
            self._download.cut()
        lacks_room = (self._state.stage, self._state.reason) == (UpdateStage.DECLINED, UpdateReason.NO_ROOM)
        if lacks_room and self._manifest is not None and self._place.has_room(self._manifest):
            # Pretend that it was never offered, as a station doesn't repeat a declined offer.
            self._manifest = None
            self._now(UpdateStage.NONE)

    def idle(self, *, is_idle: bool) -> None:
        self._is_idle = is_idle

    def report_progress(self, stage: UpdateStage, reason: UpdateReason) -> None:
        """Record the app's progress with the complete bundle."""
        if self._state.stage in {UpdateStage.WAITING, UpdateStage.APPLYING}:
            self._now(stage, reason)

    def on_message(self, message: UpdateMessage, now_ms: int) -> None:
        """Process a message from the station. Raises PeerFault for one that only a terminal may send."""
        match message:
            case UpdateOffer():
                self._on_offer(message)
            case UpdatePiece():
                self._on_piece(message, now_ms)
            case UpdateWant() | UpdateReported():
                raise PeerFault(f"a station must not send {type(message).__name__}")
            case _:
                assert_never(message)

    def say(self, now_ms: int, *, is_quiet: bool) -> tuple[UpdateMessage, ...]:
        """Return the messages to send now. ``is_quiet`` is True if the connection has nothing else to do."""
        messages: list[UpdateMessage] = []
        want = self._next_want(now_ms) if is_quiet and self._is_idle else None
        if self._worth_telling():
            self._reported = self._state
            messages.append(self._state)
        return (*messages, want) if want is not None else tuple(messages)

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return when ``say`` must be called next if nothing else happens, or None."""
        if self._download is None or self._file is None or not self._is_idle:
            return None
        is_due = not self._file.is_looked_at or self._download.is_whole
        return now_ms if is_due else self._download.next_deadline_ms()

    def news(self) -> tuple[UpdateNews, ...]:
        """Return the news for the screen since the last call."""
        news = tuple(self._news)
        self._news.clear()
        return news

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        self._file = self._download = None

    def _on_offer(self, offer: UpdateOffer) -> None:
        head = offer.head
        if not head:
            self._withdrawn()
            return
        try:
            manifest = read_head(head, None, "the station's offer").manifest
            key = self._place.key()
            reason = self._reason_against(manifest, has_key=key is not None, again=offer.again)
            if reason is None and key is not None:
                _ = read_head(head, key, "the station's offer")
        except BadData as error:
            _log.warning("an offered version has no valid signature", problem=str(error))
            self._decline(None, UpdateStage.DECLINED, UpdateReason.NOT_SIGNED)
            return
        if reason is not None:
            is_old = self._place.refusal_of(manifest.name) is reason
            stage = UpdateStage.WENT_BACK if is_old else UpdateStage.DECLINED
            self._decline(manifest, stage, reason)
        elif (
            manifest != self._manifest
            or self._state.stage in _FIXED
            # ``close`` interrupted a fetch, as for an enrolment.
            or (self._state.stage is UpdateStage.FETCHING and self._file is None)
        ):
            self._begin(manifest, head)
        else:
            self._reported = None

    def _reason_against(self, manifest: Manifest, *, has_key: bool, again: bool) -> UpdateReason | None:
        own, offered = self.about, manifest.about
        if not (own.base and own.architecture and has_key):
            return UpdateReason.NO_IMAGE
        if (own.architecture, own.base) != (offered.architecture, offered.base):
            return UpdateReason.OTHER_BOARD
        before = self._place.refusal_of(manifest.name)
        # Lack of space isn't the version's fault, and there may be room now.
        is_over = before is UpdateReason.NO_ROOM or (again and before is UpdateReason.NO_STATION)
        if before is not None and not is_over:
            return before
        return None if is_newer(offered, own) else UpdateReason.NOT_NEWER

    def _begin(self, manifest: Manifest, head: bytes) -> None:
        self.close()
        self._manifest, self._damaged = manifest, 0
        try:
            if not self._place.has_room(manifest):
                # Check this first, before writing anything, as it is repeated with every offer.
                forget_all(self._place.incoming)
                self._give_up(UpdateReason.NO_ROOM)
                return
            file = PartFile(self._place.incoming, manifest, head)
        except Unavailable as error:
            self._on_disk_error(error)
            return
        self._file, self._download = file, BundleDownload(manifest, file.have)
        _log.info("fetching a version", version=manifest.about.name, have=file.have, of=manifest.payload)
        self._now(UpdateStage.FETCHING)

    def _withdrawn(self) -> None:
        if self._state.stage in _STAYS:
            return
        self._remove_file()
        self._manifest = None
        self._now(UpdateStage.NONE)

    def _next_want(self, now_ms: int) -> UpdateWant | None:
        file, download = self._file, self._download
        if file is None or download is None or self._state.stage is not UpdateStage.FETCHING:
            return None
        try:
            if not file.is_looked_at:
                file.look()
                return None
            if download.is_whole:
                self._is_whole(file, download.manifest)
                return None
        except Unavailable as error:
            self._on_disk_error(error)
            return None
        return download.want(now_ms)

    def _on_piece(self, piece: UpdatePiece, now_ms: int) -> None:
        file, download = self._file, self._download
        if file is None or download is None or not file.is_looked_at:
            return
        data = download.on_piece(piece, now_ms)
        if not data:
            return
        try:
            file.add(data)
            if download.is_whole:
                self._is_whole(file, download.manifest)
            else:
                self._now(UpdateStage.FETCHING)
        except Unavailable as error:
            self._on_disk_error(error)

    def _is_whole(self, file: PartFile, manifest: Manifest) -> None:
        if file.is_right:
            self.close()
            self._now(UpdateStage.WAITING)
            return
        self._damaged += 1
        if self._damaged >= _TRIES:
            self._give_up(UpdateReason.DAMAGED)
            return
        _log.warning("a fetched version is damaged; fetching it again", version=manifest.about.name)
        file.restart()
        self._download = BundleDownload(manifest, 0)
        self._now(UpdateStage.FETCHING)

    def _on_disk_error(self, error: Unavailable) -> None:
        _log.error("a version cannot be stored", problem=str(error))
        self._give_up(UpdateReason.NO_ROOM)

    def _give_up(self, reason: UpdateReason) -> None:
        self._remove_file()
        self._now(UpdateStage.DECLINED, reason)

    def _remove_file(self) -> None:
        if self._file is not None:
            try:
                self._file.remove()
            except Unavailable as error:
                _log.warning("fetched files could not be removed", problem=str(error))
        self._file = self._download = None

    def _decline(self, manifest: Manifest | None, stage: UpdateStage, reason: UpdateReason) -> None:
        self.close()
        self._manifest = manifest
        self._now(stage, reason)

    def _now(self, stage: UpdateStage, reason: UpdateReason = UpdateReason.NONE) -> None:
        manifest = self._manifest
        have = self._download.have if self._download is not None else 0
        if manifest is not None and stage in {UpdateStage.WAITING, UpdateStage.APPLYING}:
            have = manifest.payload
        digest = manifest.digest if manifest is not None else b""
        self._state = UpdateReported(stage, digest, have, reason)
        if self._worth_telling():
            about, payload = (manifest.about, manifest.payload) if manifest is not None else (None, 0)
            self._news.append(UpdateNews(self._state, about, payload))

    def _worth_telling(self) -> bool:
        """Return whether our progress has changed enough to report it to the station."""
        reported, now = self._reported, self._state
        if reported is None:
            return True
        if (reported.stage, reported.digest, reported.reason) != (now.stage, now.digest, now.reason):
            return True
        payload = self._manifest.payload if self._manifest is not None else 0
        return abs(now.have - reported.have) * TELL_EVERY > payload

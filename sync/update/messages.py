"""The messages about program updates, for ends that have reported their program, and news for a screen."""

import enum
from typing import Annotated, Final

import msgspec

from sync.update.bundle import LARGEST_PAYLOAD, LONGEST_HEAD, About, Digest

LARGEST_PIECE: Final = 64 * 1024
_Offset = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_PAYLOAD)]


class _Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


class UpdateOffer(_Message, frozen=True, tag="update-offer"):
    """The station has a version for the terminal. An empty ``head`` withdraws the offer.

    ``again`` lets the terminal retry a version with which it did not reach the station.
    """

    head: Annotated[bytes, msgspec.Meta(max_length=LONGEST_HEAD)]
    again: bool = False


class UpdateWant(_Message, frozen=True, tag="update-want"):
    """A request for a piece of the payload that has this digest; only one is pending at a time."""

    digest: Digest
    offset: _Offset
    length: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_PIECE)]


class UpdatePiece(_Message, frozen=True, tag="update-piece"):
    """The requested piece, or no data if the station no longer has it."""

    digest: Digest
    offset: _Offset
    data: Annotated[bytes, msgspec.Meta(max_length=LARGEST_PIECE)]


class UpdateStage(enum.Enum):
    """A terminal's progress with a version."""

    NONE = "none"
    """No version was offered."""
    FETCHING = "fetching"
    WAITING = "waiting"
    """The bundle is complete, but the terminal is in use."""
    APPLYING = "applying"
    WENT_BACK = "went-back"
    """The terminal tried the version and returned to the previous one; it won't retry by itself."""
    DECLINED = "declined"
    """The terminal refuses the version."""


class UpdateReason(enum.Enum):
    """The reason why a version was refused or abandoned."""

    NONE = ""
    NOT_SIGNED = "not-signed"
    OTHER_BOARD = "other-board"
    """It is for another architecture or base image."""
    NOT_NEWER = "not-newer"
    NO_ROOM = "no-room"
    DAMAGED = "damaged"
    NO_IMAGE = "no-image"
    """The terminal was not started from an updatable image."""
    NOT_UP = "not-up"
    """The new version drew no frame in time."""
    NO_STATION = "no-station"
    """It drew a frame but did not reach a station in time; a judge may allow a retry."""
    STARTS = "starts"
    """It was started too often and never came up."""
    SYSTEM = "system"
    """The terminal's system did not carry out the request."""


class UpdateReported(_Message, frozen=True, tag="update-told"):
    """A terminal's progress, in bytes of the payload. The digest is empty if there is no version."""

    stage: UpdateStage
    digest: Annotated[bytes, msgspec.Meta(max_length=32)] = b""
    have: _Offset = 0
    reason: UpdateReason = UpdateReason.NONE


UpdateMessage = UpdateOffer | UpdateWant | UpdatePiece | UpdateReported


NOTHING: Final = UpdateReported(UpdateStage.NONE)


class UpdateNews(msgspec.Struct, frozen=True):
    """The progress of an update, with its version, if any, and the payload's size in bytes."""

    progress: UpdateReported = NOTHING
    about: About | None = None
    payload: int = 0

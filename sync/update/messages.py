"""What two ends say to each other of a new version; only to an end that has said what it is about."""

import enum
from typing import Annotated, Final

import msgspec

from saloon.sync.update.bundle import LARGEST_PAYLOAD, LONGEST_HEAD, Digest

LARGEST_PIECE: Final = 64 * 1024
_Offset = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_PAYLOAD)]


class _Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


class UpdateOffer(_Message, frozen=True, tag="update-offer"):
    """The station has a version for the terminal. head: of its bundle; empty for nothing any more.

    again: a judge lets the terminal try it once more, though it did not reach the station with it.
    """

    head: Annotated[bytes, msgspec.Meta(max_length=LONGEST_HEAD)]
    again: bool = False


class UpdateWant(_Message, frozen=True, tag="update-want"):
    """The terminal asks for a piece of the payload with this digest; for one at a time."""

    digest: Digest
    offset: _Offset
    length: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_PIECE)]


class UpdatePiece(_Message, frozen=True, tag="update-piece"):
    """What was asked for; no data where the station has it no more."""

    digest: Digest
    offset: _Offset
    data: Annotated[bytes, msgspec.Meta(max_length=LARGEST_PIECE)]


class UpdateStage(enum.Enum):
    """How far a terminal is with a version."""

    NONE = "none"
    """It has heard of none."""
    FETCHING = "fetching"
    WAITING = "waiting"
    """It has the whole bundle, and a game, or somebody at the screen, comes first."""
    APPLYING = "applying"
    WENT_BACK = "went-back"
    """It tried the version and returned to the one before; this one it does not take by itself again."""
    DECLINED = "declined"
    """It does not take it."""


class UpdateReason(enum.Enum):
    """Why a version was not taken, or was left again."""

    NONE = ""
    NOT_SIGNED = "not-signed"
    OTHER_BOARD = "other-board"
    """It is for another architecture, or for another base image."""
    NOT_NEWER = "not-newer"
    NO_ROOM = "no-room"
    DAMAGED = "damaged"
    NO_IMAGE = "no-image"
    """The terminal does not run from an image that can be updated."""
    NOT_UP = "not-up"
    """The new version drew no picture in time."""
    NO_STATION = "no-station"
    """It drew its picture and did not reach the station in time: perhaps the station was off, so a judge may
    let it try again."""
    STARTS = "starts"
    """It was started so often that it will not come up."""
    SYSTEM = "system"
    """The system of the terminal would not do what was asked."""


class UpdateTold(_Message, frozen=True, tag="update-told"):
    """How far the terminal is. digest: of which version, empty for none. have: bytes of its payload."""

    stage: UpdateStage
    digest: Annotated[bytes, msgspec.Meta(max_length=32)] = b""
    have: _Offset = 0
    reason: UpdateReason = UpdateReason.NONE


UpdateMessage = UpdateOffer | UpdateWant | UpdatePiece | UpdateTold

"""The station's orders about the terminal, as the screen shows them."""

import msgspec

from core.terms import MessageId


class ShownMessage(msgspec.Struct, frozen=True):
    """A judge's message.

    by: the judge's name.
    after: how many more messages are waiting.

    ``may_confirm`` is True if it has been shown long enough to be confirmed on purpose.
    """

    message: MessageId
    text: str
    by: str
    after: int = 0
    may_confirm: bool = False


class StationOrdersView(msgspec.Struct, frozen=True):
    """The open orders of the station. ``message`` is the one to show now, or None.

    locked_by: the judge who locked the screen, or None.
    is_identified: the terminal identifies itself.
    name: shown if it has no table.
    """

    message: ShownMessage | None = None
    locked_by: str | None = None
    is_identified: bool = False
    name: str = ""

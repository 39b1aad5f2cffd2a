"""The station's orders about the terminal, as the screen shows them."""

import msgspec

from saloon.core.terms import MessageId


class ShownMessage(msgspec.Struct, frozen=True):
    """A judge's message. by: the judge's name. after: how many more wait behind it.

    may_confirm: it has been on the glass long enough to be confirmed on purpose.
    """

    message: MessageId
    text: str
    by: str
    after: int = 0
    may_confirm: bool = False


class StationOrdersView(msgspec.Struct, frozen=True):
    """The open orders of the station. message: to show now, None for none.

    locked_by: the judge who locked the glass, None for nobody. is_identified: the terminal shows which one
    it is. name: of one without a table.
    """

    message: ShownMessage | None = None
    locked_by: str | None = None
    is_identified: bool = False
    name: str = ""

"""Draw the code of a part; it takes some milliseconds and belongs on a thread."""

from saloon.kiosk.view.transfer_view import Code

_CORRECTION = "m"
"""15 % of a code may be unreadable: a reflection, a thumb."""


def code_of(text: str) -> Code:
    """Return the QR code of a part."""
    # Few terminals ever need it: not at their start.
    import segno

    made = segno.make_qr(text, error=_CORRECTION, boost_error=False)
    rows = tuple(int("".join(map(str, row)), 2) for row in made.matrix)
    return Code(len(rows), rows)

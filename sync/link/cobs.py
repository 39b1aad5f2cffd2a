"""Consistent overhead byte stuffing: any bytes without a zero in them, one byte longer per 254."""

from saloon.base.errors import PeerFault

_LONGEST_RUN = 254


def stuffed(data: bytes) -> bytes:
    """Encode bytes without zeros: each zero becomes the distance to the next."""
    out = bytearray()
    for run in data.split(b"\0"):
        whole, rest = divmod(len(run), _LONGEST_RUN)
        for i in range(whole):
            out.append(_LONGEST_RUN + 1)
            out += run[i * _LONGEST_RUN : (i + 1) * _LONGEST_RUN]
        out.append(rest + 1)
        out += run[whole * _LONGEST_RUN :]
    return bytes(out)


def unstuffed(data: bytes) -> bytes:
    """Decode stuffed bytes. Raises PeerFault for bytes that no encoder produces."""
    out = bytearray()
    at = 0
    while at < len(data):
        code = data[at]
        end = at + code
        if code == 0 or end > len(data):
            raise PeerFault("a frame's stuffing is broken")
        out += data[at + 1 : end]
        at = end
        if code <= _LONGEST_RUN and at < len(data):
            out.append(0)
    return bytes(out)

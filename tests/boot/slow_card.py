"""A slow memory card: a file behind NBD, QEMU's way to a disk elsewhere, whose every flush takes its time.

QEMU can limit bytes and requests itself (``LIMITS``), but delays no flush.
"""

import os
import socket
import struct
import threading
import time
from io import BufferedRWPair
from pathlib import Path
from typing import Final, Self

FLUSH_S: Final = 0.02
LIMITS: Final = "throttling.bps-total=10000000,throttling.iops-total=300"
"""10 MB and 300 requests a second: a poor card."""
_ROOM: Final = 16 << 30
"""The file's size, as it cannot grow behind NBD: more than a card and QEMU's tables."""
_OPTION: Final = b"IHAVEOPT"
_REPLY: Final = struct.Struct(">QIII")
_REPLY_MAGIC: Final = 0x3E889045565A9
_REQUEST: Final = struct.Struct(">IHHQQI")
_ANSWER: Final = struct.Struct(">IIQ")
_ANSWER_MAGIC: Final = 0x67446698
_EXPORT_NAME, _GO = 1, 7
_ACK, _INFO, _UNSUPPORTED = 1, 3, 0x80000001
_HAS_FLAGS, _CAN_FLUSH = 1, 4


class SlowCard:
    """Serves a file on a socket until the ``with`` block ends. flushes: how many were asked for."""

    def __init__(self, card: Path, place: Path) -> None:
        self._file = os.open(card, os.O_RDWR)
        os.ftruncate(self._file, _ROOM)
        place.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(place))
        self._listener.listen()
        self.flushes = 0

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        peer, _ = self._listener.accept()
        with peer, peer.makefile("rwb") as stream:
            stream.write(b"NBDMAGIC" + _OPTION + struct.pack(">H", 3))
            stream.flush()
            stream.read(4)
            while not self._negotiate(stream):
                pass
            while self._answer(stream):
                stream.flush()

    def _negotiate(self, stream: BufferedRWPair) -> bool:
        """Answer one option; whether requests follow."""
        _, option, length = struct.unpack(">8sII", stream.read(16))
        stream.read(length)
        export = struct.pack(">QH", _ROOM, _HAS_FLAGS | _CAN_FLUSH)
        match option:
            case 1:
                stream.write(export)
            case 7:
                said = struct.pack(">H", 0) + export
                stream.write(_REPLY.pack(_REPLY_MAGIC, option, _INFO, len(said)) + said)
                stream.write(_REPLY.pack(_REPLY_MAGIC, option, _ACK, 0))
            case _:
                stream.write(_REPLY.pack(_REPLY_MAGIC, option, _UNSUPPORTED, 0))
        stream.flush()
        return option in {_EXPORT_NAME, _GO}

    def _answer(self, stream: BufferedRWPair) -> bool:
        """Carry out one request; whether another may follow."""
        head = stream.read(_REQUEST.size)
        if len(head) < _REQUEST.size:
            return False
        _, _, kind, handle, at, length = _REQUEST.unpack(head)
        data = b""
        match kind:
            case 0:
                data = os.pread(self._file, length, at)
            case 1:
                os.pwrite(self._file, stream.read(length), at)
            case 3:
                self.flushes += 1
                time.sleep(FLUSH_S)
            case _:
                return False
        stream.write(_ANSWER.pack(_ANSWER_MAGIC, 0, handle) + data)
        return True

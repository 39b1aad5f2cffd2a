"""An archive for the initramfs (cpio "newc"), whose bytes depend only on its files."""

from collections.abc import Mapping

import msgspec

_FILE = 0o100000
_FOLDER = 0o040000
_LINK = 0o120000


class Entry(msgspec.Struct, frozen=True):
    """A file, folder or link: its mode, including the type, and its bytes, which are a link's target."""

    mode: int
    content: bytes = b""


def file(content: bytes, *, executable: bool = False) -> Entry:
    return Entry(_FILE | (0o755 if executable else 0o644), content)


def folder() -> Entry:
    return Entry(_FOLDER | 0o755)


def link(target: str) -> Entry:
    return Entry(_LINK | 0o777, target.encode())


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def _record(number: int, name: str, entry: Entry) -> bytes:
    fields = (number, entry.mode, 0, 0, 1, 0, len(entry.content), 0, 0, 0, 0, len(name.encode()) + 1, 0)
    header = b"070701" + "".join(f"{field:08x}" for field in fields).encode()
    return _padded(header + name.encode() + b"\0") + _padded(entry.content)


def archive(entries: Mapping[str, Entry]) -> bytes:
    """Return the archive of these relative paths and their parent folders, all owned by root."""
    whole = dict(entries)
    for path in entries:
        parts = path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            whole.setdefault("/".join(parts[:depth]), folder())
    # Sorting puts folders before their files, as the kernel requires.
    records = [_record(number, path, whole[path]) for number, path in enumerate(sorted(whole), start=1)]
    data = b"".join([*records, _record(0, "TRAILER!!!", Entry(0))])
    return data + b"\0" * (-len(data) % 512)

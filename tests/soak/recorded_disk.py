"""A recorded run's directory as it could be found after a power cut at any of its system calls.

All flushed data is there. Later writes are there completely, partly, torn at sectors, in any order, or not at
all. Names are created, changed and removed in order, as on a file system with a journal, up to any of those
that no flush has made durable yet. A flush that failed makes nothing durable, and neither does a later one of
the same bytes (Linux marks them as clean).
"""

import copy
import enum
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

_SECTOR = 512
_PAGE = 4096
_WHOLE = 1 << 40
_CALL = re.compile(r"^(?P<pid>\d+) +(?P<name>\w+)\((?P<args>.*)\) += (?P<result>-?\d+)(?P<rest>.*)$")
_UNFINISHED = re.compile(r"^(?P<pid>\d+) +(?P<begun>.*?) *<unfinished \.\.\.>$")
_RESUMED = re.compile(r"^(?P<pid>\d+) +<\.\.\. \w+ resumed>(?P<end>.*)$")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_FD = re.compile(r"^(\d+)<((?:\\x[0-9a-f]{2})*)>")
CALLS = "openat,write,pwrite64,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,renameat,renameat2"


class Call(msgspec.Struct, frozen=True):
    """A system call, with the path that it is about, and the data written, or the new path of a name."""

    name: str
    path: str
    ok: bool
    data: bytes = b""
    offset: int | None = None
    creates: bool = False
    empties: bool = False


class Left(enum.Enum):
    """The part of unflushed writes that a power cut leaves."""

    NOTHING = "nothing"
    EVERYTHING = "everything"
    SOME = "some writes"
    TORN = "torn at sectors"
    REORDERED = "any of it in any order"


def calls_of(log: Path, stdout_marker: bytes) -> Iterator[Call]:
    """Return the calls of a log by ``strace -f -y -xx``. Lines of stdout after the marker are ``told``."""
    begun: dict[str, str] = {}
    with log.open(encoding="ascii") as lines:
        for line in lines:
            text = line.rstrip("\n")
            if match := _UNFINISHED.match(text):
                begun[match["pid"]] = match["begun"]
                continue
            if match := _RESUMED.match(text):
                text = f"{match['pid']} {begun.pop(match['pid'], '')}{match['end']}"
            if match := _CALL.match(text):
                call = _call(match, stdout_marker)
                if call is not None:
                    yield call


def _call(match: re.Match[str], marker: bytes) -> Call | None:
    name, args, ok = match["name"], match["args"], int(match["result"]) >= 0
    texts = [_octets(text) for text in _TEXT.findall(args)]
    fd = _FD.match(args)
    where = _octets(fd[2]).decode() if fd is not None else ""
    match name:
        case "write" if fd is not None and fd[1] == "1" and texts and texts[0].startswith(marker):
            return Call("told", "", ok, texts[0])
        case "openat":
            flags = args.rsplit('"', 1)[1]
            return Call(name, texts[0].decode(), ok, creates="O_CREAT" in flags, empties="O_TRUNC" in flags)
        case "write":
            return Call(name, where, ok, texts[0][: max(0, int(match["result"]))])
        case "pwrite64":
            size = max(0, int(match["result"]))
            return Call(name, where, ok, texts[0][:size], int(args.rsplit(", ", 1)[1]))
        case "fsync" | "fdatasync":
            return Call("flush", where, ok)
        case "ftruncate":
            return Call(name, where, ok, offset=int(args.rsplit(", ", 1)[1]))
        case "unlink" | "unlinkat":
            return Call("unlink", texts[-1].decode(), ok)
        case "rename" | "renameat" | "renameat2":
            return Call("rename", texts[0].decode(), ok, texts[1])
        case _:
            return None


def _octets(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


_Write = tuple[int, bytes | None]
"""A write: its place and bytes, or None to set the file's length."""


@dataclass
class _File:
    """A file's flushed bytes, later writes, and how far plain writes have progressed.

    ``log`` contains, since the first flush that failed, every write in order, and whether it was flushed.
    """

    flushed: bytearray = field(default_factory=bytearray)
    pending: list[_Write] = field(default_factory=list)
    log: list[tuple[_Write, bool]] = field(default_factory=list)
    position: int = 0

    def unflushed(self) -> list[_Write]:
        return [*(write for write, flushed in self.log if not flushed), *self.pending]


class RecordedDisk:
    """The files below a directory, as the calls so far have made them."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._files: list[_File] = []
        self._names: dict[str, int] = {}
        self._durable: dict[str, int] = {}
        self._renaming: list[Callable[[dict[str, int]], None]] = []

    def apply(self, call: Call) -> bool:
        """Record a call, and return whether it changes what a power cut leaves."""
        if not call.path.startswith(self._root):
            return False
        name = call.path
        file = self._files[self._names[name]] if name in self._names else None
        match call.name:
            case "openat" if call.ok and call.creates:
                return self._opened(name, file, empties=call.empties)
            case "openat" if file is not None:
                file.position = 0
            case "write" if file is not None:
                file.pending.append((file.position, call.data))
                file.position += len(call.data)
                return True
            case "pwrite64" if file is not None and call.offset is not None:
                file.pending.append((call.offset, call.data))
                return True
            case "ftruncate" if file is not None and call.offset is not None:
                file.pending.append((call.offset, None))
                return True
            case "flush":
                self._flush(file, ok=call.ok)
                return True
            case "unlink" if call.ok:
                self._change(lambda names: names.pop(name, None))
                return True
            case "rename" if call.ok:
                target = call.data.decode()
                self._change(lambda names: names.update({target: names.pop(name)}) if name in names else None)
                return True
            case _:
                pass
        return False

    def after_cut(self, left: Left, chance: random.Random) -> dict[str, bytes]:
        """Return the files' names (below the root) and bytes, as found after the power came back."""
        names = dict(self._durable)
        count = len(self._renaming)
        many = {Left.NOTHING: 0, Left.EVERYTHING: count}.get(left, chance.randint(0, count))
        for change in self._renaming[:many]:
            change(names)
        # The index in shared memory is made again when nobody has it open.
        there = {name: number for name, number in names.items() if not name.endswith("-shm")}
        if left is Left.REORDERED:
            content = self._reordered(sorted(set(there.values())), chance)
        else:
            content = {number: _left_of(self._files[number], left, chance) for number in there.values()}
        return {name[len(self._root) + 1 :]: content[number] for name, number in there.items()}

    def _reordered(self, numbers: Sequence[int], chance: random.Random) -> dict[int, bytes]:
        """Return files after a disk has written any unflushed data, whole or in pieces, in any order.

        The files share a disk, so that everything of one may be there and nothing of another.
        """
        size = chance.choice((_SECTOR, _PAGE, _WHOLE))
        content = {
            number: bytearray(_left_of(self._files[number], Left.NOTHING, chance)) for number in numbers
        }
        waiting = [
            (number, piece)
            for number in numbers
            for write in self._files[number].unflushed()
            for piece in _pieces(*write, size)
        ]
        order = chance.choice(("any", "any", "newest first", "file by file"))
        if order == "any":
            chance.shuffle(waiting)
        elif order == "newest first":
            waiting.reverse()
        elif chance.random() < 0.5:
            waiting.sort(key=lambda one: -one[0])
        many = chance.choice((chance.randint(0, len(waiting)), chance.randint(0, len(waiting)), 1, -1))
        for number, piece in waiting[:many]:
            _write(content[number], *piece)
        return {number: bytes(octets) for number, octets in content.items()}

    def _opened(self, name: str, file: _File | None, *, empties: bool) -> bool:
        if file is None:
            self._files.append(_File())
            number = len(self._files) - 1
            self._change(lambda names: names.update({name: number}))
            return True
        file.position = 0
        if empties:
            file.pending.append((0, None))
        return empties

    def _flush(self, file: _File | None, *, ok: bool) -> None:
        if file is None:
            # The directory itself: all names are durable.
            if ok:
                self._durable = dict(self._names)
                self._renaming.clear()
            return
        if file.log or not ok:
            file.log.extend((write, ok) for write in file.pending)
        else:
            for at, data in file.pending:
                _write(file.flushed, at, data)
        file.pending.clear()

    def _change(self, change: Callable[[dict[str, int]], object]) -> None:
        change(self._names)
        self._renaming.append(lambda names: _void(change(names)))


def _void(_: object) -> None:
    return None


def _left_of(file: _File, left: Left, chance: random.Random) -> bytes:
    content = copy.copy(file.flushed)
    for write, flushed in [*file.log, *((write, False) for write in file.pending)]:
        for at, data in _that_stay(write, Left.EVERYTHING if flushed else left, chance):
            _write(content, at, data)
    return bytes(content)


def _that_stay(write: _Write, left: Left, chance: random.Random) -> Iterator[_Write]:
    """Return the parts of a write that a power cut leaves."""
    match left:
        case Left.NOTHING:
            return
        case Left.EVERYTHING:
            yield write
        case Left.SOME:
            if chance.random() < 0.5:
                yield write
        case Left.TORN | Left.REORDERED:
            yield from (piece for piece in _pieces(*write, _SECTOR) if chance.random() < 0.5)


def _pieces(at: int, data: bytes | None, size: int) -> Iterator[_Write]:
    """Cut a write at the boundaries of sectors or pages."""
    if data is None:
        yield at, None
        return
    start = 0
    while start < len(data):
        end = min(len(data), start + size - (at + start) % size)
        yield at + start, data[start:end]
        start = end


def _write(content: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        del content[at:]
        content.extend(bytes(max(0, at - len(content))))
        return
    content.extend(bytes(max(0, at - len(content))))
    content[at : at + len(data)] = data

"""A simulated disk with two folders that loses power before any step, and forgets what was not flushed."""

from collections.abc import Iterator
from pathlib import Path

from base.whole_file import Content

DATA, BOOT = Path("/data"), Path("/boot")


class PowerCut(Exception):
    pass


class CutFiles:
    """Two folders on a disk that loses power before a step, and forgets what was not flushed.

    keeps_names, keeps_contents: the disk had already written these by itself.
    """

    def __init__(self, *, keeps_names: bool, keeps_contents: bool) -> None:
        self.names: dict[Path, int] = {}
        self.contents: list[bytes] = []
        self.durable_names: dict[Path, int] = {}
        self.durable: dict[int, bytes] = {}
        self.keeps = keeps_names, keeps_contents
        self.steps_left = 10_000
        self.flushed: list[Path] = []

    def put(self, path: Path, content: bytes) -> None:
        self.write(path, content)
        self.flush(path)
        self.flush(path.parent)

    def cut(self) -> None:
        """Turn the power off and on again."""
        keeps_names, keeps_contents = self.keeps
        if not keeps_names:
            self.names = dict(self.durable_names)
        if not keeps_contents:
            self.contents = [self.durable.get(i, b"") for i in range(len(self.contents))]
        self.durable = dict(enumerate(self.contents))
        self.durable_names = dict(self.names)
        self.steps_left = 10_000

    def read(self, path: Path) -> bytes | None:
        self._step()
        return self.contents[self.names[path]] if path in self.names else None

    def write(self, path: Path, content: Content) -> None:
        self._step()
        self.names[path] = len(self.contents)
        self.contents.append(content if isinstance(content, bytes) else b"".join(content))

    def flush(self, path: Path) -> None:
        self._step()
        self.flushed.append(path)
        if path in (DATA, BOOT):
            rest = {name: i for name, i in self.durable_names.items() if name.parent != path}
            self.durable_names = rest | {name: i for name, i in self.names.items() if name.parent == path}
        else:
            self.durable[self.names[path]] = self.contents[self.names[path]]

    def overwrite(self, path: Path, start: int, content: bytes) -> None:
        self._step()
        number = self.names[path]
        old = self.contents[number]
        self.contents[number] = old[:start] + content + old[start + len(content) :]

    def rename(self, path: Path, to: Path) -> None:
        self._step()
        self.names[to] = self.names.pop(path)

    def remove(self, path: Path) -> None:
        self._step()
        self.names.pop(path, None)

    def _step(self) -> None:
        if self.steps_left == 0:
            raise PowerCut
        self.steps_left -= 1


def disks() -> Iterator[CutFiles]:
    for keeps_names in (False, True):
        for keeps_contents in (False, True):
            yield CutFiles(keeps_names=keeps_names, keeps_contents=keeps_contents)


def cuts(before: dict[Path, bytes], most: int = 14) -> Iterator[CutFiles]:
    """Yield disks that lose power before each step of a start, and finally one that doesn't."""
    for steps in range(most):
        for files in disks():
            for path, content in before.items():
                files.put(path, content)
            files.steps_left = steps
            yield files

"""A card of a version's image on which updates are installed, tried, kept and undone, cut at every write.

The scripts of the card's own image and the program that runs on it do the work, except that mounts are
recorded instead of made. The content of ``data`` survives a power cut; that of ``run`` does not.

    python -m tests.soak.update_card ROOT ENDING PATH PROGRAM…     # what is recorded: one update to its end
"""

import enum
import hashlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from sync.update.bundle import About, Manifest, head_of
from sync.update.bundle_file import public_text
from sync.update.fetcher import UpdateFetcher
from sync.update.messages import UpdateOffer, UpdatePiece, UpdateReported, UpdateStage, UpdateWant
from sync.update.place import UpdateFolders
from tests.soak.cut_workloads import MARKER, tell
from tests.soak.cuts import ROOT
from tests.soak.other_versions import Version
from tests.soak.recorded_disk import CALLS, Call, calls_of
from tests.sync.update.rig import PUBLIC, SIGN, release_text

_LIB = "usr/lib/saloon"
_PATIENCE_S = 120
_PAYLOAD = 20_000
_OFFER = "offer"
_LONGEST_FETCH_MS = 600_000
_MOUNT = '#!/bin/sh\necho "$*" >> "${0%/*}/mounts"\n'
_NOTHING = "#!/bin/sh\n"
IMAGE = "the image's own program"


class Ending(enum.Enum):
    KEPT = "kept"
    UNDONE = "undone"
    """It draws no picture."""
    REFUSED = "refused"
    """It is older, or for another base."""


class Bundle(msgspec.Struct, frozen=True):
    """A version as its maintainers publish it."""

    about: About
    payload: bytes
    head: bytes

    @property
    def name(self) -> str:
        return hashlib.sha256(self.payload).hexdigest()


def bundle_of(version: Version, size: int = _PAYLOAD) -> Bundle:
    """Make the bundle of a version, with random bytes of this size in place of its squashfs."""
    base = (version.folder / "image/common/root" / _LIB / "base").read_text(encoding="ascii").strip()
    about = About("0.1.0", f"{version.made:x}", version.made, "arm64", base)
    payload = random.Random(version.made).randbytes(size)
    manifest = Manifest(about, hashlib.sha256(payload).digest(), len(payload))
    return Bundle(about, payload, head_of(manifest, SIGN).data)


class UpdateCard:
    """The root of a terminal with a version's image."""

    def __init__(self, root: Path, image: Version, bundles: Sequence[Bundle]) -> None:
        self.root = root
        self.updates = root / "data/updates"
        self._image = bundle_of(image).about
        self._known = {one.name: one for one in bundles}
        for part in ("common", "terminal"):
            shutil.copytree(image.folder / "image" / part / "root" / _LIB, root / _LIB, dirs_exist_ok=True)
        (root / _LIB / "base").write_text(f"{self._image.base}\n")
        (root / _LIB / "release.pub").write_text(public_text(PUBLIC, is_for_trials=True))
        for folder in ("opt/saloon", "dev/loop-control", "commands"):
            (root / folder).mkdir(parents=True)
        for name, text in {"mount": _MOUNT, "systemctl": _NOTHING}.items():
            (root / "commands" / name).write_text(text)
            (root / "commands" / name).chmod(0o755)
        self.insert({})

    def insert(self, files: Mapping[str, bytes]) -> None:
        """Replace the files in ``data`` by these, and forget the content of memory."""
        for name in ("data", "run"):
            shutil.rmtree(self.root / name, ignore_errors=True)
        for folder in ("data/updates/incoming", "run/saloon/app", "run/saloon-terminal"):
            (self.root / folder).mkdir(parents=True)
        for name, content in files.items():
            path = self.root / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def boot(self) -> str:
        """Choose the program as the system does at a start, and return its digest, or that it is the image's.

        Raises AssertionError if no complete version would run.
        """
        runs = choose(self.root)
        about = self._image
        if runs != IMAGE:
            assert runs in self._known, f"something unknown would run: {runs}"
            payload = (self.updates / f"{runs}.squashfs").read_bytes()
            assert payload == self._known[runs].payload, "a damaged version would run"
            about = self._known[runs].about
        (self.root / "run/saloon/app/release").write_bytes(release_text(about))
        return runs

    def fetch(self, bundle: Bundle) -> None:
        """Place the files that the terminal has fetched, and request their installation."""
        (self.updates / "incoming").mkdir(parents=True, exist_ok=True)
        (self.updates / "incoming" / f"{bundle.name}.head").write_bytes(bundle.head)
        (self.updates / "incoming" / f"{bundle.name}.part").write_bytes(bundle.payload)
        (self.root / "run/saloon-terminal/update").write_text(f"{bundle.name}\n")

    def offer(self, bundle: Bundle) -> None:
        (self.root / _OFFER).write_bytes(msgspec.msgpack.encode(bundle))

    def apply(self, program: Version) -> bool:
        """Install the update by the program of a version, and return whether it is on trial."""
        done = subprocess.run(
            apply_command(self.root, program),
            cwd=program.folder,
            env=program.environment(),
            capture_output=True,
            timeout=_PATIENCE_S,
            check=False,
        )
        assert done.returncode in {0, 1}, done.stderr.decode()[-500:]
        return done.returncode == 0

    def noted(self, file: str) -> str:
        path = self.updates / file
        return path.read_text(encoding="ascii", errors="replace").strip() if path.exists() else ""

    def files(self) -> dict[str, bytes]:
        data = self.root / "data"
        return {str(path.relative_to(data)): path.read_bytes() for path in data.rglob("*") if path.is_file()}

    def record(self, ending: Ending, program: Version) -> list[Call]:
        """Apply the fetched update under strace until it ends, and return the calls."""
        log = self.root / "strace"
        command = ["strace", "-f", "-y", "-xx", "-s", "1000000", "-o", str(log), "-e", f"trace={CALLS}"]
        command += [sys.executable, "-m", "tests.soak.update_card", str(self.root), ending.value]
        command += [program.environment()["PYTHONPATH"], *apply_command(self.root, program)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=_PATIENCE_S, check=False)
        assert done.returncode == 0, done.stderr.decode()[-1_000:]
        return list(calls_of(log, MARKER))


def fetch_offered(root: Path) -> None:
    """Fetch the offered update, piece by piece, as a terminal of this version does, and request it."""
    bundle = msgspec.msgpack.decode((root / _OFFER).read_bytes(), type=Bundle)
    place = UpdateFolders(root, root / "run/saloon-terminal")
    fetcher = UpdateFetcher(place)
    fetcher.idle(is_idle=True)
    fetcher.on_connection()
    fetcher.on_message(UpdateOffer(bundle.head), 0)
    for now_ms in range(0, _LONGEST_FETCH_MS, 500):
        for said in fetcher.say(now_ms, is_quiet=True):
            if isinstance(said, UpdateWant):
                piece = bundle.payload[said.offset : said.offset + said.length]
                fetcher.on_message(UpdatePiece(said.digest, said.offset, piece), now_ms + 1)
            elif isinstance(said, UpdateReported) and said.stage is UpdateStage.WAITING:
                fetcher.close()
                place.request(bundle.name)
                return
            elif isinstance(said, UpdateReported):
                assert said.stage is UpdateStage.FETCHING, f"what was offered is {said.stage.value}"
    raise AssertionError("what was offered is not fetched")


def apply_command(root: Path, program: Version) -> list[str]:
    """Return the command by which root applies the fetched update."""
    request = str(root / "run/saloon-terminal/update")
    return [*program.program("saloon-terminal"), "apply-update", "--system-root", str(root), request]


def choose(root: Path) -> str:
    mounts = root / "commands/mounts"
    mounts.unlink(missing_ok=True)
    _script(root, "choose-app")
    lines = mounts.read_text().splitlines() if mounts.exists() else []
    assert len(lines) == 1, f"not one program would run: {lines}"
    assert lines[0].endswith(f" {root}/run/saloon/app"), lines[0]
    if lines[0].startswith("--bind "):
        assert lines[0].split()[1] == f"{root}/opt/saloon", lines[0]
        return IMAGE
    return Path(lines[0].split()[-2]).stem


def watch(root: Path, ending: Ending) -> None:
    """Report the progress of the version on trial, and let the image judge it."""
    if ending is Ending.KEPT:
        for word in ("drawn", "reached"):
            (root / "run/saloon-terminal" / word).write_text("0.1.0\n")
    judge(root)


def judge(root: Path) -> None:
    (root / "run/saloon/trial").write_text("on trial\n")
    _script(root, "watch-trial", DRAW_S="0")


def _script(root: Path, name: str, **more: str) -> None:
    path = f"{root / 'commands'}:{os.environ['PATH']}"
    environment = {**os.environ, "ROOT": str(root), "PATH": path, **more}
    subprocess.run(
        [root / _LIB / name], env=environment, capture_output=True, timeout=_PATIENCE_S, check=True
    )


def main(root: Path, ending: Ending, path: str, command: Sequence[str]) -> None:
    """Carry out a whole update, and print what is durable."""
    if (root / _OFFER).exists():
        fetch_offered(root)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, cwd=path.split(":")[1], capture_output=True, check=False)
    if done.returncode != (1 if ending is Ending.REFUSED else 0):
        raise SystemExit(f"{done.returncode}: {done.stderr.decode()}")
    if ending is Ending.REFUSED:
        tell("over")
        return
    tell("trial")
    choose(root)
    watch(root, ending)
    tell("over")
    choose(root)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Ending(sys.argv[2]), sys.argv[3], sys.argv[4:])

"""junk for every decoder, guided by coverage"""

import subprocess
import sys
import time
from pathlib import Path

from tests.soak.counts import Counts, Progress
from tests.soak.fuzzing import HERE, KEPT, target_names

_LOOK_S = 0.5
_AT_ONCE = 2
_GRACE_S = 60.0
"""The time that a fuzzer may take to start and to end."""


class Fuzzer:
    """A process that feeds one decoder."""

    def __init__(self, name: str, seconds: int, seed: int) -> None:
        self._name = name
        self._kept = KEPT / name
        self._kept.mkdir(parents=True, exist_ok=True)
        (self._kept / "counts").unlink(missing_ok=True)
        self._log = (self._kept / "log").open("wb")
        self._before = self._crashes()
        self._end = time.monotonic() + seconds + _GRACE_S
        command = [sys.executable, "-m", "tests.soak.fuzzing", name, f"--seconds={seconds}", f"--seed={seed}"]
        self._process = subprocess.Popen(
            command, cwd=HERE.parents[1], stdout=self._log, stderr=subprocess.STDOUT
        )

    def is_done(self) -> bool:
        """Return whether it has ended, and end one that is overdue."""
        if self._process.poll() is None and time.monotonic() > self._end:
            self._process.kill()
            self._process.wait()
        if self._process.poll() is None:
            return False
        self._log.close()
        return True

    def counts(self) -> Counts:
        file = self._kept / "counts"
        _, octets = file.read_text(encoding="ascii").split() if file.exists() else ("0", "0")
        return Counts(octets=int(octets), failures=self._failures())

    def _failures(self) -> tuple[str, ...]:
        crashes = sorted(self._crashes() - self._before)
        again = f"python -m tests.soak.fuzzing {self._name} --again"
        said = tuple(f"{self._name}: {again} {crash}" for crash in crashes)
        code = self._process.poll()
        if code and not said:
            return (f"{self._name}: the fuzzer ended with {code}, see {self._kept / 'log'}",)
        return said

    def _crashes(self) -> frozenset[Path]:
        kinds = ("crash-*", "timeout-*", "oom-*", "leak-*")
        return frozenset(path for kind in kinds for path in self._kept.glob(kind))


def run(seed: int, seconds: float, progress: Progress) -> Counts:
    """Run two fuzzers at a time, each decoder for its share of the seconds."""
    waiting = list(target_names())
    each = max(2, int(seconds * _AT_ONCE / max(_AT_ONCE, len(waiting))))
    running: list[Fuzzer] = []
    done = Counts()
    while waiting or running:
        while waiting and len(running) < _AT_ONCE:
            running.append(Fuzzer(waiting.pop(0), each, seed))
        time.sleep(_LOOK_S)
        for fuzzer in [one for one in running if one.is_done()]:
            running.remove(fuzzer)
            done += fuzzer.counts()
        progress(sum((fuzzer.counts() for fuzzer in running), done))
    return done

"""Running the commands of the steps, which logs their output and reports its last lines after a failure."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from base.errors import SaloonError

_LAST_LINES = 15


class StepFailed(SaloonError, RuntimeError):
    """A command of a step failed. The message contains the command and its last output."""

    def __init__(self, command: Sequence[str], status: int, last: str, log: Path) -> None:
        self.command = tuple(command)
        self.status = status
        super().__init__(f"{command[0]} ended with status {status}:\n{last}\n(all of it: {log})")


class Commands:
    """A runner of commands with a fixed environment, which logs their output.

    ``epoch`` is the time to use as "now" in all results, in seconds since 1970.
    """

    def __init__(self, log: Path, epoch: int, more: Mapping[str, str] | None = None) -> None:
        self.log = log
        self.epoch = epoch
        self._environment = {
            **os.environ,
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "SOURCE_DATE_EPOCH": str(epoch),
            "E2FSPROGS_FAKE_TIME": str(epoch),
            "DEBIAN_FRONTEND": "noninteractive",
            "MTOOLS_SKIP_CHECK": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            **(more or {}),
        }

    def run(
        self,
        *command: str | Path,
        said: Callable[[str], None] | None = None,
        text: str | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Run a command. ``said`` gets each line of output, ``text`` is its input. Raises StepFailed."""
        words = [str(word) for word in command]
        with (
            self.log.open("a", encoding="utf-8") as log,
            subprocess.Popen(
                words,
                env=self._environment,
                cwd=cwd,
                stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            ) as process,
        ):
            log.write(f"$ {' '.join(words)}\n")
            if text is not None and process.stdin is not None:
                process.stdin.write(text)
                process.stdin.close()
            last: list[str] = []
            for line in process.stdout or ():
                log.write(line)
                last = [*last[1 - _LAST_LINES :], line.rstrip()]
                if said is not None:
                    said(line.rstrip())
            status = process.wait()
        if status != 0:
            raise StepFailed(words, status, "\n".join(last), self.log)

    def output(self, *command: str | Path, cwd: Path | None = None) -> str:
        """Return the output of a command. Raises StepFailed."""
        words = [str(word) for word in command]
        done = subprocess.run(
            words, env=self._environment, cwd=cwd, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise StepFailed(words, done.returncode, done.stderr.strip(), self.log)
        return done.stdout

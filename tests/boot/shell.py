"""The way into a guest with the key of its provisioning file; and whether there is one without."""

import shlex
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_ONCE_S: Final = 60.0
_PAUSE_S: Final = 1.0
UINPUT_FINGER: Final = Path(__file__).with_name("guest_finger.py")
"""Runs in the guest."""


class ShellFault(Exception):
    """A command in the guest failed, or nobody let us in."""


def made_key(folder: Path) -> tuple[Path, str]:
    """A new pair of keys: the file of the private one, and the line of the public one."""
    private = folder / "engineer"
    private.unlink(missing_ok=True)
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "engineer", "-f", str(private)],
        check=True,
        capture_output=True,
    )
    return private, private.with_suffix(".pub").read_text(encoding="ascii").strip()


class Shell:
    """Root's shell in the guest behind a port of the host's loopback."""

    def __init__(self, port: int, key: Path) -> None:
        self._command = (
            *("ssh", "-p", str(port), "-i", str(key), "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"),
            *("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"),
            *("-o", "LogLevel=ERROR", "-o", "ConnectTimeout=20", "root@127.0.0.1"),
        )

    def run(self, command: str) -> str:
        """Run a command and return its output. Raises ShellFault if it fails or nobody answers."""
        try:
            done = subprocess.run(
                (*self._command, command), capture_output=True, text=True, check=False, timeout=_ONCE_S
            )
        except subprocess.TimeoutExpired as error:
            raise ShellFault(f"{command}: no end after {_ONCE_S:g} s") from error
        if done.returncode:
            raise ShellFault(f"{command}: status {done.returncode}: {done.stderr.strip()[-500:]}")
        return done.stdout.strip()

    def opens(self, limit_s: float) -> bool:
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            try:
                self.run("true")
            except ShellFault:
                time.sleep(_PAUSE_S)
            else:
                return True
        return False

    def properties(self, unit: str, *names: str) -> dict[str, str]:
        output = self.run(f"systemctl show {shlex.quote(unit)} -p {','.join(names)}")
        return dict(line.split("=", 1) for line in output.splitlines() if "=" in line)

    def talk(self, script: str) -> subprocess.Popen[str]:
        command = f"python3 -u -c {shlex.quote(script)}"
        return subprocess.Popen(
            (*self._command, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )


class Finger:
    """A touchscreen that the guest's kernel believes in, and a finger on it."""

    def __init__(self, shell: Shell, size: tuple[int, int]) -> None:
        shell.run("modprobe uinput")
        self._process = shell.talk(UINPUT_FINGER.read_text(encoding="utf-8"))
        self._send(f"{size[0]} {size[1]}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()

    def tap(self, x: int, y: int, *, hold_s: float) -> None:
        self._send(f"{x} {y} {hold_s}")

    def _send(self, line: str) -> None:
        """Say a line and wait until it is done."""
        said, stdout = self._process.stdin, self._process.stdout
        if said is None or stdout is None:
            raise ShellFault("the finger has no ears")
        said.write(line + "\n")
        said.flush()
        if stdout.readline().strip() != "done":
            raise ShellFault(f"the finger did not do {line!r}")

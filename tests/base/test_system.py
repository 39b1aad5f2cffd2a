"""Locks, limits and signals by this system's own calls; tests/portable has those of Windows."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from base import system


def opened(path: Path) -> bool:
    """Return True if another program may lock bytes 5 to 9 of a file."""
    ask = (
        "import sys; from base import system\n"
        "with open(sys.argv[1], 'r+b') as file:\n"
        "    try: system.lock_bytes(file, 5, 4)\n"
        "    except OSError: sys.exit(3)"
    )
    status = subprocess.run([sys.executable, "-c", ask, str(path)], check=False).returncode
    assert status in {0, 3}
    return status == 0


def test_locked_bytes_are_refused_to_other_programs_until_the_file_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"0123456789")
    with path.open("r+b") as file:
        system.lock_bytes(file, 8, 1)
        assert file.read() == b"0123456789"
        assert not opened(path)
    assert opened(path)


def test_a_whole_file_is_locked_once(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("w+b") as first, path.open("r+b") as second:
        system.lock_file(first)
        with pytest.raises(OSError, match=r"."):
            system.lock_file(second)


def test_files_and_folders_are_flushed_and_missing_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    system.flush(tmp_path / "file")
    system.flush(tmp_path)
    with pytest.raises(FileNotFoundError):
        system.flush(tmp_path / "none")


def test_signals_ask_to_end_and_are_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    reasons: list[str] = []
    with system.shutdown_signals(lambda: reasons.append("end")):
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
    assert reasons == ["end", "end"]
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_process_that_has_ended_is_not_running() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert system.is_running(child.pid)
        child.kill()
    assert not system.is_running(child.pid)
    assert system.is_running(os.getpid())

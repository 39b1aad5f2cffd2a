import os
import subprocess
import sys
from pathlib import Path

from saloon.kiosk.console import main, set_console


def test_a_machine_without_a_console_is_left_as_it_is(tmp_path: Path) -> None:
    assert not set_console(locked=True, console=tmp_path / "tty0")
    assert main(["lock"]) == 0
    assert main(["unlock"]) == 0


def test_a_file_that_is_no_console_is_not_believed_to_be_locked() -> None:
    own, other = os.openpty()
    assert not set_console(locked=True, console=Path(os.ttyname(other)))
    os.close(own)
    os.close(other)


def test_anything_else_is_refused() -> None:
    assert subprocess.run([sys.executable, "-m", "saloon.kiosk.console"], check=False).returncode == 2
    assert main(["lock", "now"]) == 2

import subprocess
import sys
from pathlib import Path

import pytest

from image.recipe.program.app import python_script

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.mark.skipif(not Path(f"/usr/bin/python{PYTHON}").exists(), reason="this machine has another Python")
def test_a_program_takes_its_own_modules_and_none_of_the_folder_it_is_started_in(tmp_path: Path) -> None:
    for folder in ("tree/bin", "tree/lib", "here"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tree/lib/ours.py").write_text("print('ours')")
    (tmp_path / "here/ours.py").write_text("print('a stranger\\'s')")
    (tmp_path / "here/theirs.py").write_text("")
    program = tmp_path / "tree/bin/python"
    program.write_text(python_script(PYTHON))
    program.chmod(0o755)

    def said(code: str) -> str:
        done = subprocess.run(
            [program, "-c", code], cwd=tmp_path / "here", capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr

    assert said("import ours") == "ours\n"
    assert "No module named 'theirs'" in said("import theirs")

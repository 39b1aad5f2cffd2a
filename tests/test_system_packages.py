"""The tools that tests call, and the script that asks apt for them."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tools/system-packages.sh"
OTHER_NAMES = {
    # of a listed package, or another distribution's name of it
    "chromium-browser", "fsck.fat", "mformat", "/usr/sbin/nft",
    # of a nightly test that is left out without it: 60 MB for the container alone
    "buildah",
}  # fmt: skip


def asked_for() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    (tools,) = re.findall(r"(?m)^TOOLS := (.*)$", makefile)
    (peers,) = re.findall(r"(?ms)^peers:.*?system-packages\.sh (.*?)$", makefile)
    return {word.partition(":")[0] for word in f"{tools} {peers}".split()}


@pytest.mark.slow
def test_every_program_that_a_test_looks_for_is_asked_of_apt() -> None:
    looked_for = {
        name
        for folder in ("tests", "bench", "tools")
        for file in (ROOT / folder).rglob("*.py")
        for name in re.findall(r'(?:shutil\.which|find_program)\("([^"]+)"', file.read_text(encoding="utf-8"))
    }
    assert len(looked_for) > 8
    assert looked_for - asked_for() - OTHER_NAMES == set()


def stand_in(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("needs", "packages"),
    [
        (["sh:dash", "there:there-tools", "libthere"], ""),
        (["gone:gone-tools", "sh:dash"], "gone-tools"),
        (["libgone", "libremoved", "gone:gone-tools"], "libgone libremoved gone-tools"),
    ],
)
def test_apt_is_asked_only_for_what_is_missing(tmp_path: Path, needs: list[str], packages: str) -> None:
    stand_in(tmp_path, "there", "exit 0")
    stand_in(tmp_path, "id", "echo 0")
    stand_in(
        tmp_path, "dpkg-query",
        'case "$3" in libthere) echo installed ;; libremoved) echo config-files ;; *) exit 1 ;; esac',
    )  # fmt: skip
    stand_in(tmp_path, "apt-get", f'echo "$@" >>{tmp_path}/asked')
    environment = {**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(["sh", str(SCRIPT), *needs], env=environment, check=True, capture_output=True)
    text = (tmp_path / "asked").read_text(encoding="utf-8") if (tmp_path / "asked").exists() else ""
    installed = [
        line.split("--no-install-recommends ")[1] for line in text.splitlines() if "install -y" in line
    ]
    assert installed == ([packages] if packages else [])


def test_the_check_on_a_fresh_machine_is_sound_and_says_how_it_is_called() -> None:
    fresh = ROOT / "tools/fresh.sh"
    subprocess.run(["bash", "-n", str(fresh)], check=True)
    done = subprocess.run(["bash", str(fresh), "--help"], check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--keep FOLDER" in done.stderr

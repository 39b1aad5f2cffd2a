"""A release's list of files, what its packages say and hold, and the workflow that builds it."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from image.recipe.requirements_check import TOOLS, compiler_tools
from image.recipe.target import Architecture
from tests.image.laid_out import analyzed
from tools.release import __main__ as release
from tools.release import debian
from tools.release.checkout import ROOT, VERSION, run
from tools.release.debian import PACKAGES, PYTHONS, Package
from tools.release.files import PARTS, SUMS, all_files, write_sums

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOW = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
packages = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)


def test_the_page_for_maintainers_names_every_file_of_a_release() -> None:
    page = (ROOT / "docs/development/releasing.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w.-]*saloon[\w.-]*\.\w+|saloon-station-VERSION-[\w-]+)`", page))
    assert named == {name.replace(VERSION, "VERSION") for name in all_files()}


def test_a_release_that_lacks_a_file_gets_no_checksums(tmp_path: Path) -> None:
    first, *others = sorted(all_files())
    for name in others:
        (tmp_path / name).write_text(name, encoding="utf-8")
    with pytest.raises(SystemExit, match=f"lacks {re.escape(first)}"):
        write_sums(tmp_path, is_complete=True)
    assert not (tmp_path / SUMS).exists()
    (tmp_path / first).write_text(first, encoding="utf-8")
    write_sums(tmp_path, is_complete=True)
    sums = ["sha256sum", "-c", SUMS]
    checked = subprocess.run(sums, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(checked.stdout.splitlines()) == len(all_files())


def test_a_part_that_cannot_be_built_here_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = {
        "packages": lambda dist: run("false", cwd=dist),
        "sbom": lambda dist: (dist / "made").touch(),
    }
    monkeypatch.setattr(release, "PARTS", parts)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["release"])
    with pytest.raises(SystemExit, match="not built here: packages"):
        release.main()
    assert (tmp_path / "dist" / SUMS).read_text(encoding="ascii").split()[1:] == ["made"]


def test_the_workflow_builds_every_part() -> None:
    built = " ".join(re.findall(r"(?:parts: |ARGS=\"|tools\.release )([a-z ]+)", WORKFLOW)).split()
    assert set(built) == set(PARTS)


def test_the_workflow_installs_what_images_are_built_with() -> None:
    job = WORKFLOW[WORKFLOW.index("  images:\n") : WORKFLOW.index("  others:\n")]
    in_every_debian = {"apt", "dpkg", "tar", "util-linux"}
    compilers = compiler_tools(Architecture.ARM64, "aarch64").values()
    assert {*TOOLS.values(), *compilers, "xz-utils"} - in_every_debian <= set(job.split())


@pytest.fixture
def tree(package: Package, tmp_path: Path) -> Path:
    """A package without libraries."""
    debian.put_programs(package, tmp_path)
    debian.put_system_files(package, tmp_path)
    debian.put_documents(package, tmp_path)
    debian.put_control(package, "arm64", tmp_path)
    return tmp_path


@packages
def test_a_package_says_what_the_project_says(package: Package, tree: Path) -> None:
    file = tree.with_suffix(".deb")
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, file], check=True, capture_output=True)
    output = subprocess.run(["dpkg-deb", "--field", file], capture_output=True, text=True, check=True).stdout
    fields = dict(line.split(": ", 1) for line in output.splitlines() if not line.startswith(" "))
    assert (fields["Package"], fields["Version"]) == (package.name, VERSION)
    assert f"python3 ({PROJECT['requires-python'].replace('>=', '>= ')})" in fields["Depends"]
    minor = int(PYTHONS[-1].partition(".")[2])
    assert f"python3 (<< 3.{minor + 1})" in fields["Depends"]
    classifiers = {name.rpartition(" ")[2] for name in PROJECT["classifiers"] if "Python ::" in name}
    assert set(PYTHONS) <= classifiers
    for name in package.programs:
        program = (tree / "usr/bin" / name).read_text(encoding="utf-8")
        module, function = PROJECT["scripts"][name].split(":")
        assert f"from {module} import {function}\n" in program


@packages
def test_units_of_a_package_are_accepted_and_refer_to_its_own_places(package: Package, tree: Path) -> None:
    units = sorted(path.name for path in (tree / "usr/lib/systemd/system").iterdir())
    said = analyzed(
        tree, "verify", "--man=no", f"--root={tree}", *(name.replace("@.", "@x.") for name in units)
    )
    outside = ("target not found", "/bin/rm", "/bin/systemctl", "/bin/umount", "/bin/sh", "var-lib")
    wrong = [line for line in said.splitlines() if "saloon" in line and not any(o in line for o in outside)]
    assert wrong == []
    texts = [path.read_text(encoding="utf-8") for path in (tree / "usr/lib").rglob("*") if path.is_file()]
    assert not [text for text in texts if re.search(r"saloon-app|/data\b|/opt/|/run/saloon/app", text)]
    sources = [(ROOT / "image" / name).read_text(encoding="utf-8") for name in package.files]
    assert all(any(old in text for text in sources) for old, _ in package.changes)


@packages
def test_scripts_of_a_package_are_shell_and_keep_data_until_a_purge(package: Package, tree: Path) -> None:
    for name in ("postinst", "prerm", "postrm"):
        subprocess.run(["sh", "-n", tree / "DEBIAN" / name], check=True)
    before, _, purged = (tree / "DEBIAN/postrm").read_text(encoding="utf-8").rpartition("= purge ]; then")
    assert "/var/lib" not in before
    assert f"/var/lib/{package.name}" in purged


SINGLE_FILE = (sys.executable, ROOT / "tools/release/started_file.py")


@pytest.mark.slow
def test_the_single_file_runs_modules_of_its_own_and_else_the_station() -> None:
    for words, answer in (
        (("--version",), f"saloon-station, version {VERSION}\n"),
        (("-P", "-m", "base.command_line"), ""),
    ):
        done = subprocess.run([*SINGLE_FILE, *words], capture_output=True, text=True, check=True)
        assert done.stdout == answer


def test_the_single_file_s_browser_loads_the_system_s_libraries(tmp_path: Path) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1 ${{LD_LIBRARY_PATH-none}}" > {opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    variables = {**os.environ, "BROWSER": str(browser), "LD_LIBRARY_PATH": "/unpacked"}
    subprocess.run([*SINGLE_FILE, "-P", "-m", "webbrowser", "http://here"], env=variables, check=True)
    assert opened.read_text(encoding="utf-8") == "http://here none\n"

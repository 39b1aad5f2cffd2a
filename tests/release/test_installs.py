"""Each part of a release is installed and started in a minimal Debian 12 and 13, as its users do it.

``SALOON_DIST`` names a folder with a release that is built already.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from tests.packaging.conftest import run
from tests.station.paper.test_worker import paper
from tools.release import debian, single_file
from tools.release.checkout import ROOT, VERSION
from tools.release.debian import STATION, TERMINAL
from tools.release.distributions import WHEEL
from tools.release.files import SBOM
from uv import find_uv_bin

from saloon.demo.processes import free_port

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a Debian of its own"),
]
SINGLE_FILE = single_file.file_name("linux", single_file.machine())
FIRST_PAGE_CPU_S = 5
"""Of the processor: beside other tests, the page takes longer."""
SHELL = """set -eu
export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -y -qq --no-install-recommends "$@" > /dev/null; }
page() { python3 -c "import urllib.request as r; r.urlopen('$1').read()" 2> /dev/null; }
wait_for() { n=0; until "$@"; do n=$((n + 1)); [ $n -lt 1800 ] || exit 9; sleep 0.1; done; }
absent() { if "$@" > /dev/null 2>&1; then exit 9; fi; }
nothing_of() {
    left=$(find / -xdev -name "$1*" -not -path '/root/*' -not -path '/var/cache/*')
    test -z "$left" || { echo "$left" >&2; exit 9; }
}
cd /root
"""


@pytest.fixture(scope="session")
def dist() -> Path:
    if found := os.environ.get("SALOON_DIST"):
        return Path(found)
    run(ROOT / ".venv/bin/python", "-m", "tools.release", "distributions", "file", "packages", "sbom")
    return ROOT / "dist"


class Debian:
    """A minimal Debian in a folder. It shares this machine's network."""

    def __init__(self, suite: str, folder: Path) -> None:
        self.suite, self.folder, self.home = suite, folder, folder / suite / "root"
        self.run("true")

    def run(self, script: str) -> str:
        """Run a script of the shell as root, which stops at the first failure."""
        fresh = (ROOT / "tools/fresh.sh", "--keep", self.folder, "--bare", self.suite)
        return run(*fresh, "--", "sh", "-c", SHELL + script)

    def put(self, file: Path) -> None:
        shutil.copy(file, self.home)


@pytest.fixture(scope="session", params=["bookworm", "trixie"])
def system(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    folder = tmp_path_factory.mktemp("roots")
    made = Debian(request.param, folder)
    yield made
    shutil.rmtree(folder)


def test_the_single_file_needs_no_python_and_opens_the_page_of_the_first_account(
    system: Debian, dist: Path
) -> None:
    system.put(dist / SINGLE_FILE)
    (system.home / "paper").write_bytes(msgspec.json.encode(paper()))
    opened = system.run(
        f"""absent command -v python3
        printf '#!/bin/sh\\necho "$1" > opened\\n' > browser; chmod +x browser
        export BROWSER=/root/browser
        ./{SINGLE_FILE} serve --open --http 127.0.0.1:{free_port()} --tls-port 0 > said 2>&1 &
        wait_for test -s opened; kill $!; wait $! || true
        times; cat opened
        ./{SINGLE_FILE} -P -m saloon.station.paper.typesetting pdf 2000000000 < paper | grep -aom1 %PDF"""
    )
    assert "/first?code=" in opened
    assert "%PDF" in opened
    shell, children = (line.split() for line in opened.splitlines()[:2])
    assert sum(map(seconds, (*shell, *children))) < FIRST_PAGE_CPU_S


def seconds(written: str) -> float:
    """Return the seconds of a time as ``times`` of the shell writes it."""
    minutes, _, rest = written.partition("m")
    return 60 * int(minutes) + float(rest.removesuffix("s"))


@pytest.fixture
def newer(dist: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Make the next version of a package's file."""

    def make(name: str) -> Path:
        tree, file = tmp_path / "tree", tmp_path / f"newer-{name}"
        run("dpkg-deb", "-R", dist / name, tree)
        control = tree / "DEBIAN/control"
        control.write_text(control.read_text().replace(f"Version: {VERSION}", f"Version: {VERSION}+next"))
        run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, file)
        return file

    return make


ARCHITECTURE = {"x86_64": "amd64", "arm64": "arm64"}[single_file.machine()]


def test_the_station_s_package_keeps_its_data_until_a_purge(
    system: Debian, dist: Path, newer: Callable[[str], Path]
) -> None:
    name, port = debian.file_name(STATION, ARCHITECTURE), free_port()
    system.put(dist / name)
    system.put(newer(name))
    said = system.run(
        f"""apt update; apt install ./{name}
        echo 'a long password' | saloon-station judge add ada
        saloon-station serve --http 127.0.0.1:{port} --tls-port 0 --no-announce > said 2>&1 &
        wait_for page http://127.0.0.1:{port}/login; kill $!; wait $! || true
        apt install ./newer-{name}; dpkg-query -W saloon-station; saloon-station judge list
        apt remove saloon-station; absent command -v saloon-station
        test -f /var/lib/saloon-station/station.sqlite
        apt purge saloon-station; nothing_of saloon-station"""
    )
    assert f"saloon-station\t{VERSION}+next\n" in said
    assert "ada\thead-judge\n" in said


def test_the_terminal_s_package_shows_a_table_in_a_browser(
    system: Debian, dist: Path, newer: Callable[[str], Path]
) -> None:
    name, port = debian.file_name(TERMINAL, ARCHITECTURE), free_port()
    system.put(dist / name)
    system.put(newer(name))
    system.run(
        f"""enabled=/etc/systemd/system/multi-user.target.wants
        apt update; apt install systemd ./{name}
        id saloon | grep dialout; saloon-kiosk --version | grep {VERSION}
        absent ls $enabled/saloon-terminal.service
        SDL_VIDEODRIVER=dummy saloon-terminal --virtual {port} > said 2>&1 &
        wait_for page http://127.0.0.1:{port}/; kill $!; wait $! || true
        systemctl enable saloon-terminal; ls $enabled/saloon-provision.service
        apt install ./newer-{name}; ls $enabled/saloon-terminal.service
        mkdir -p /var/lib/saloon; touch /var/lib/saloon/journal
        apt remove saloon-terminal; ls /var/lib/saloon/journal
        apt purge saloon-terminal; nothing_of saloon-terminal; absent ls /var/lib/saloon"""
    )


def test_packages_have_no_errors(dist: Path) -> None:
    assert shutil.which("lintian")
    for package in debian.PACKAGES:
        run("lintian", "--allow-root", "--fail-on", "error", dist / debian.file_name(package, ARCHITECTURE))


def test_pipx_installs_the_wheel(system: Debian, dist: Path) -> None:
    system.put(dist / WHEEL)
    said = system.run(
        f"""apt update; apt install pipx python3-venv
        pipx install /root/{WHEEL}; /root/.local/bin/saloon-demo --version"""
    )
    assert said.endswith(f"saloon-demo, version {VERSION}\n")


def test_uv_installs_the_wheel_and_runs_the_demonstration(
    dist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("UV_TOOL_DIR", "UV_TOOL_BIN_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    run(find_uv_bin(), "tool", "install", "--quiet", dist / WHEEL)
    assert VERSION in run(tmp_path / "UV_TOOL_BIN_DIR/saloon-station", "--version")
    assert VERSION in run(find_uv_bin(), "tool", "run", "--from", dist / WHEEL, "saloon-demo", "--version")


def test_the_list_of_libraries_names_each_locked_one(dist: Path) -> None:
    listed = msgspec.json.decode((dist / SBOM).read_bytes())
    locked = (ROOT / "requirements/demo.lock").read_text(encoding="utf-8")
    assert {part["name"] for part in listed["components"]} == {
        line.partition("==")[0] for line in locked.splitlines() if "==" in line and not line.startswith(" ")
    }
    assert listed["metadata"]["component"]["version"] == VERSION

"""Each part of a release is installed and started in a minimal Debian 12 and 13, as its users do it.

``SALOON_DIST`` names a folder with a release that is built already.
"""

import contextlib
import os
import re
import shutil
import ssl
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from uv import find_uv_bin

from demo.pages import Pages
from demo.processes import Processes, free_port, poll_until_timeout
from tests.packaging.conftest import run
from tests.portable.test_a_paper_tournament import PASSWORD, judging, plays, ranks_and_prints
from tools.release import debian, single_file
from tools.release.checkout import ROOT, VERSION
from tools.release.debian import STATION, TERMINAL
from tools.release.distributions import WHEEL
from tools.release.files import SBOM

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a Debian of its own"),
]
SINGLE_FILE = single_file.file_name("linux", single_file.machine())
FIRST_PAGE_CPU_S = 8
"""Of the processor: 4.2 on a free one (the page is there within 5 s), 6.6 beside twelve other programs."""
SHELL = """set -eu
export DEBIAN_FRONTEND=noninteractive BROWSER=/root/browser UV_SYSTEM_CERTS=1
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
PATIENCE_S = 180


@pytest.fixture(scope="session")
def dist() -> Path:
    if folder := os.environ.get("SALOON_DIST"):
        return Path(folder)
    run(ROOT / ".venv/bin/python", "-m", "tools.release", "distributions", "file", "packages", "sbom")
    return ROOT / "dist"


class Debian:
    """A minimal Debian in a folder. It shares this machine's network."""

    def __init__(self, suite: str, folder: Path) -> None:
        self.suite, self.folder, self.home = suite, folder, folder / suite / "root"
        self.run("""printf '#!/bin/sh\\necho "$1" > /root/opened\\n' > browser; chmod +x browser""")

    def run(self, script: str) -> str:
        """Run a script of the shell as root, which stops at the first failure."""
        fresh = (ROOT / "tools/fresh.sh", "--keep", self.folder, "--bare", self.suite)
        return run(*fresh, "--", "sh", "-c", SHELL + script)

    @contextlib.contextmanager
    def serving(self, program: str, then: str = "") -> Iterator[str]:
        """Run a station while the block runs, and a script when it has ended; yield the link it opens."""
        opened, over = self.home / "opened", self.home / "over"
        for file in (opened, over):
            file.unlink(missing_ok=True)
        station = f"{program} serve --open --http 127.0.0.1:{free_port()} --tls-port 0 --no-announce"
        script = f"""{station} > said 2>&1 & wait_for test -e over -o ! -d /proc/$!
        kill $! || {{ cat said >&2; exit 9; }}; wait $! || true; {then}"""
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(self.run, script)
            try:
                for _ in poll_until_timeout(PATIENCE_S):
                    if running.done() or (opened.exists() and opened.read_text(encoding="utf-8")):
                        break
                yield opened.read_text(encoding="utf-8").strip()
            finally:
                over.touch()
                running.result()

    def put(self, file: Path) -> None:
        shutil.copy(file, self.home)


@pytest.fixture(scope="session", params=["bookworm", "trixie"])
def system(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    folder = tmp_path_factory.mktemp("roots")
    made = Debian(request.param, folder)
    yield made
    shutil.rmtree(folder)


def open_first_account(link: str, trust: ssl.SSLContext | None = None) -> str:
    """Fill in the page that a new station opens; return the station's address."""
    address = "{0.scheme}://{0.netloc}".format(urlsplit(link))
    with contextlib.closing(Pages(address, trust=trust)) as pages:
        page = pages.send(pages.get(link).form("/first"), {"name": "Roy", "password": PASSWORD})
        assert page.url == f"{address}/judge"
    return address


def play_on_paper(address: str, trust: ssl.SSLContext | None = None) -> None:
    with judging(address, trust) as judge:
        plays(judge)
        ranks_and_prints(judge, "record-sheets", "standings")


def test_the_single_file_needs_no_python_and_plays_a_tournament_on_paper(system: Debian, dist: Path) -> None:
    system.put(dist / SINGLE_FILE)
    system.run("absent command -v python3")
    with system.serving(f"./{SINGLE_FILE}", "times > spent") as link:
        assert "/first?code=" in link
    spent = (system.home / "spent").read_text(encoding="utf-8").split()
    assert sum(map(seconds, spent)) < FIRST_PAGE_CPU_S
    with system.serving(f"./{SINGLE_FILE}") as link:
        play_on_paper(open_first_account(link))


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
    name = debian.file_name(STATION, ARCHITECTURE)
    system.put(dist / name)
    system.put(newer(name))
    system.run(f"apt update; apt install ./{name}")
    with system.serving("saloon-station") as link:
        play_on_paper(open_first_account(link))
    said = system.run(f"apt install ./newer-{name}; dpkg-query -W saloon-station; saloon-station judge list")
    assert f"saloon-station\t{VERSION}+next\n" in said
    assert "Roy\thead-judge\n" in said
    with system.serving("saloon-station") as link:
        play_on_paper(link.removesuffix("/judge"))
    system.run(
        """apt remove saloon-station; absent command -v saloon-station
        test -f /var/lib/saloon-station/station.sqlite
        apt purge saloon-station; nothing_of saloon-station"""
    )


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


def test_packages_have_neither_errors_nor_warnings(dist: Path) -> None:
    assert shutil.which("lintian")
    for package in debian.PACKAGES:
        run(
            "lintian",
            "--allow-root",
            "--fail-on",
            "error,warning",
            dist / debian.file_name(package, ARCHITECTURE),
        )


@pytest.mark.parametrize(
    "install",
    [
        pytest.param("apt install pipx python3-venv; pipx install", id="pipx"),
        pytest.param("apt install python3; ./uv tool install --quiet", id="uv"),
    ],
)
def test_a_tool_for_programs_in_python_installs_the_wheel(system: Debian, dist: Path, install: str) -> None:
    system.put(dist / WHEEL)
    system.put(Path(find_uv_bin()))
    programs = "/root/.local/bin"
    said = system.run(f"rm -rf .local; apt update; {install} /root/{WHEEL}; {programs}/saloon-demo --version")
    assert said.endswith(f"saloon-demo, version {VERSION}\n")
    with system.serving(f"{programs}/saloon-station") as link:
        play_on_paper(open_first_account(link))


def test_uv_runs_the_demonstration_without_installing_it(dist: Path) -> None:
    assert VERSION in run(find_uv_bin(), "tool", "run", "--from", dist / WHEEL, "saloon-demo", "--version")


@pytest.mark.skipif(shutil.which("buildah") is None, reason="buildah is not installed here")
def test_the_container_is_built_and_plays_a_tournament_on_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILDAH_ISOLATION", "chroot")
    with tempfile.TemporaryDirectory() as folder:
        storage = ("--storage-driver", "vfs", "--root", f"{folder}/stored", "--runroot", f"{folder}/run")
        buildah: Sequence[str] = ("buildah", *storage)
        # No registry is asked: its image of Debian is made here.
        root, packed = Debian("trixie", Path(folder)).home.parent, f"{folder}/base.tar"
        run("tar", "-C", root, "--exclude", "./root/saloon", "-cf", packed, ".")
        empty = run(*buildah, "from", "scratch").strip()
        run(*buildah, "add", "--quiet", empty, packed, "/")
        run(*buildah, "commit", "--quiet", empty, "localhost/debian")
        file = (
            "--build-arg",
            "BASE=localhost/debian",
            "--format",
            "docker",
            "--file",
            "image/computer/Containerfile",
            "--tag",
            "saloon",
            ".",
        )
        run(*buildah, "build", "--pull-never", "--network", "host", *file, cwd=root / "root/saloon")
        container = run(*buildah, "from", "--pull-never", "localhost/saloon").strip()
        config = msgspec.json.decode(run(*buildah, "inspect", container))["OCIv1"]["config"]
        there = ("--http", f"127.0.0.1:{free_port()}", "--tls-port", "0")
        program = ("run", "--network", "host", container, "--", *config["Entrypoint"], *config["Cmd"], *there)
        with Processes(Path(folder)) as processes:
            processes.start("station", *buildah, *program)
            codes: list[tuple[str, str]] = []
            for _ in poll_until_timeout(PATIENCE_S):
                processes.check()
                if codes := re.findall(r"(https:\S+/first), code (\S+)", processes.last_words("station")):
                    break
            trust = ssl._create_unverified_context()
            play_on_paper(open_first_account("?code=".join(codes[0]), trust), trust)


def test_the_list_of_libraries_names_each_locked_one(dist: Path) -> None:
    listed = msgspec.json.decode((dist / SBOM).read_bytes())
    locked = (ROOT / "requirements/demo.lock").read_text(encoding="utf-8")
    assert {part["name"] for part in listed["components"]} == {
        line.partition("==")[0] for line in locked.splitlines() if "==" in line and not line.startswith(" ")
    }
    assert listed["metadata"]["component"]["version"] == VERSION

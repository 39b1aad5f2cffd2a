"""Debian packages of the station and of a table's terminal, each for all supported versions of Python.

A package contains its locked requirements below /usr/lib, as Debian lacks some of them. Names of compiled
modules include the version of Python, so that several versions can be in one folder. Units and rules are
those in image/, with different paths.
"""

import email.utils
import gzip
import hashlib
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tools.release.checkout import EPOCH, ROOT, VERSION, WORK, run
from tools.release.distributions import build_wheel

PYTHONS: Final = ("3.11", "3.12", "3.13")
"""The versions in Debian 12, Ubuntu 24.04 and Debian 13."""
ARCHITECTURES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's names of processors, with those used by wheels."""
_ENABLED: Final = "/etc/systemd/system/multi-user.target.wants/saloon-terminal.service"
_LEFT_OUT: Final = (
    *(f"**/*.{ending}" for ending in ("pyi", "pyx", "pxd", "c", "h", "html.gz")),
    # Files in which pip records this machine and the version of Python.
    ".lock",
    "*.dist-info/sboms/auditwheel.cdx.json",
    *(
        f"*.dist-info/{name}"
        for name in ("RECORD", "WHEEL", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json")
    ),
)
_SCRIPTS: Final = ("postinst", "prerm", "postrm")
_HERE: Final = Path(__file__).parent / "debian"


class Package(NamedTuple):
    """A Debian package to build.

    programs: names in pyproject.toml.
    without: packages of ours to leave out.
    system: distributions that Debian provides.
    files: those of image/, with their target paths.
    changes: replacements in these files.
    """

    name: str
    lock: str
    programs: tuple[str, ...]
    without: tuple[str, ...]
    system: tuple[str, ...]
    files: Mapping[str, str]
    changes: Sequence[tuple[str, str]]

    @property
    def lib(self) -> str:
        return f"usr/lib/{self.name}"


_UNITS: Final = "usr/lib/systemd/system"
_TERMINAL: Final = "terminal/root"
_COMMON: Final = "common/root"
STATION: Final = Package(
    "saloon-station",
    "station.lock",
    ("saloon-station", "saloon-rules"),
    ("kiosk", "demo"),
    (),
    {
        "computer/saloon-station.service": f"{_UNITS}/saloon-station.service",
        "computer/station.toml": "etc/saloon/station.toml",
    },
    (
        ("/opt/saloon/bin/", "/usr/bin/"),
        ("/var/lib/saloon,", "/var/lib/saloon-station,"),
        ("StateDirectory=saloon\n", "StateDirectory=saloon-station\n"),
        ("%S/saloon\n", "%S/saloon-station\n"),
    ),
)
TERMINAL: Final = Package(
    "saloon-terminal",
    "terminal.lock",
    ("saloon-terminal", "saloon-kiosk"),
    ("station", "demo"),
    ("pygame", "pygame-ce"),
    {
        f"{room}/{path}": path
        for room, path in (
            (_COMMON, "usr/lib/sysusers.d/saloon.conf"),
            (_COMMON, "usr/lib/saloon/logs"),
            (_COMMON, "usr/lib/saloon/mount-stick"),
            (_COMMON, "usr/lib/saloon/name-host"),
            (_COMMON, f"{_UNITS}/saloon-logs.service"),
            (_TERMINAL, "etc/saloon/terminal.toml"),
            (_TERMINAL, "usr/lib/saloon/provision"),
            (_TERMINAL, f"{_UNITS}/saloon-power-off.path"),
            (_TERMINAL, f"{_UNITS}/saloon-power-off.service"),
            (_TERMINAL, f"{_UNITS}/saloon-provision.service"),
            (_TERMINAL, f"{_UNITS}/saloon-stick@.service"),
            (_TERMINAL, f"{_UNITS}/saloon-terminal.service"),
            (_TERMINAL, "usr/lib/udev/rules.d/70-saloon-terminal.rules"),
        )
    },
    (
        # Updates come by apt, and the system has a machine id and a data partition already.
        ("Requires=saloon-app.service\n", ""),
        ("After=saloon-app.service saloon-provision.service\n", "After=saloon-provision.service\n"),
        ("After=saloon-app.service\n", ""),
        ("/boot/firmware /data /var/lib/saloon", "/boot/firmware /var/lib/saloon"),
        ("-/data/updates/incoming ", ""),
        ("/data/system", "/var/lib/saloon-terminal"),
        ("/data/logs", "/var/log/saloon-terminal"),
        ("/run/saloon/app/bin/", "/usr/bin/"),
        (
            "SystemCallErrorNumber=EPERM\n\n[Install]\n",
            "SystemCallErrorNumber=EPERM\n\n[Install]\nAlso=saloon-provision.service saloon-power-off.path\n",
        ),
        # Only a computer that serves as a table's terminal disables keyboards and mounts USB drives.
        (
            "# The terminal makes the screen bright",
            f'TEST!="{_ENABLED}", GOTO="no_terminal"\n\n# The terminal makes the screen bright',
        ),
        ('saloon-stick@%k.service"\n', 'saloon-stick@%k.service"\n\nLABEL="no_terminal"\n'),
    ),
)
PACKAGES: Final = (STATION, TERMINAL)


def file_name(package: Package, architecture: str) -> str:
    return f"{package.name}_{VERSION}_{architecture}.deb"


def build_packages(dist: Path) -> None:
    """Build every package for every processor."""
    wheel = build_wheel(ROOT, WORK / "wheel")
    for package in PACKAGES:
        for architecture in ARCHITECTURES:
            build_package(package, architecture, wheel, dist)


def build_package(package: Package, architecture: str, wheel: Path, dist: Path) -> Path:
    """Build a package and return its file."""
    tree = WORK / f"{package.name}-{architecture}"
    shutil.rmtree(tree, ignore_errors=True)
    _put_libraries(package, ARCHITECTURES[architecture], wheel, tree)
    put_programs(package, tree)
    put_system_files(package, tree)
    put_documents(package, tree)
    put_control(package, architecture, tree)
    made = dist / file_name(package, architecture)
    run("dpkg-deb", "--root-owner-group", "--build", "-Zxz", "-z1", tree, made)
    return made


def _put_libraries(package: Package, machine: str, wheel: Path, tree: Path) -> None:
    lib = tree / package.lib
    for python in PYTHONS:
        here = WORK / f"lib-{python}"
        shutil.rmtree(here, ignore_errors=True)
        install = (
            "uv", "pip", "install", "--quiet", "--no-deps", "--link-mode", "copy", "--only-binary", ":all:",
            "--python-version", python, "--python-platform", f"{machine}-manylinux_2_28", "--target", here,
        )  # fmt: skip
        run(sys.executable, "-m", *install, "--require-hashes", "-r", ROOT / "requirements" / package.lock)
        run(sys.executable, "-m", *install, wheel)
        _merge(here, lib)
    for name in package.without:
        shutil.rmtree(lib / name)
    for name in package.system:
        for left in lib.glob(f"{name.replace('-', '_')}*"):
            shutil.rmtree(left)


def _merge(part: Path, lib: Path) -> None:
    """Move the libraries for one version of Python into a package. Raises SystemExit if files conflict."""
    shutil.rmtree(part / "bin", ignore_errors=True)
    for pattern in _LEFT_OUT:
        for path in tuple(part.glob(pattern)):
            path.unlink()
    for path in sorted(part.rglob("*")):
        there = lib / path.relative_to(part)
        if path.is_dir():
            there.mkdir(parents=True, exist_ok=True)
        elif not there.exists():
            path.replace(there)
        elif there.read_bytes() != path.read_bytes():
            raise SystemExit(f"{there}: versions of Python need different files here")


def put_programs(package: Package, tree: Path) -> None:
    """Add the programs' scripts to a package's tree."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    start = (_HERE / "program").read_text(encoding="utf-8")
    for name in package.programs:
        module, _, function = scripts[name].partition(":")
        text = start.replace("LIB", package.lib).replace("MODULE", module).replace("FUNCTION", function)
        write(tree / "usr/bin" / name, text, 0o755)


def put_system_files(package: Package, tree: Path) -> None:
    """Add units, rules, users and settings to a package's tree."""
    for source, place in package.files.items():
        file = ROOT / "image" / source
        text = file.read_text(encoding="utf-8")
        for old, new in package.changes:
            text = text.replace(old, new)
        write(tree / place, text, 0o755 if file.stat().st_mode & 0o100 else 0o644)
    for file in (_HERE / package.name / "root").rglob("*"):
        if file.is_file():
            target = tree / file.relative_to(_HERE / package.name / "root")
            write(target, file.read_text(encoding="utf-8"), 0o644)


def put_documents(package: Package, tree: Path) -> None:
    """Add licences and the changelog to a package's tree."""
    documents = tree / "usr/share/doc" / package.name
    text = (_HERE / "copyright").read_text(encoding="utf-8")
    write(documents / "copyright", text.replace("LIB", package.lib), 0o644)
    date = email.utils.formatdate(EPOCH)
    entry = (
        f"{package.name} ({VERSION}) stable; urgency=medium\n\n"
        "  * What changed is in CHANGELOG.md of the source.\n\n"
        f" -- {_maintainer()}  {date}\n"
    )
    (documents / "changelog.gz").write_bytes(gzip.compress(entry.encode(), mtime=0))
    overrides = tree / "usr/share/lintian/overrides" / package.name
    write(overrides, (_HERE / "overrides").read_text(encoding="utf-8").replace("NAME", package.name), 0o644)


def _maintainer() -> str:
    (line,) = [line for line in _control(STATION).splitlines() if line.startswith("Maintainer: ")]
    return line.removeprefix("Maintainer: ")


def _control(package: Package) -> str:
    return (_HERE / package.name / "control").read_text(encoding="utf-8")


def put_control(package: Package, architecture: str, tree: Path) -> None:
    """Add the control files to a complete tree: fields, checksums, settings and scripts."""
    debian = tree / "DEBIAN"
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    size = sum(-(-file.stat().st_size // 1024) for file in files)
    text = _control(package).replace("VERSION", VERSION).replace("ARCHITECTURE", architecture)
    write(debian / "control", text.replace("SIZE", str(size)), 0o644)
    sums = (
        f"{hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()}  {file.relative_to(tree)}\n"
        for file in files
    )
    write(debian / "md5sums", "".join(sums), 0o644)
    settings = (f"/{file.relative_to(tree)}\n" for file in files if file.is_relative_to(tree / "etc"))
    write(debian / "conffiles", "".join(settings), 0o644)
    for name in _SCRIPTS:
        write(debian / name, (_HERE / package.name / name).read_text(encoding="utf-8"), 0o755)
    for folder in (tree, *(path for path in tree.rglob("*") if path.is_dir())):
        folder.chmod(0o755)
    for file in files:
        if file.is_relative_to(tree / package.lib):
            file.chmod(0o644)


def write(file: Path, text: str, mode: int) -> None:
    """Write a file of a package, creating its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)

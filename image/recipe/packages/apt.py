"""Fetching Debian's packages by this machine's apt for another root and processor."""

from pathlib import Path

import msgspec

from image.recipe.run import Commands
from image.recipe.target import Architecture


class Package(msgspec.Struct, frozen=True, order=True):
    """A fetched package."""

    name: str
    version: str
    architecture: str
    sha256: str


def configuration(folder: Path, architecture: Architecture, status: Path) -> str:
    """Return an apt configuration that leaves this machine's own state unchanged.

    folder: the place for lists and archives.
    status: the list of installed packages in the image's root.
    """
    return f"""APT::Architecture "{architecture.value}";
APT::Architectures {{ "{architecture.value}"; }};
APT::Install-Recommends "false";
APT::Sandbox::User "root";
APT::Get::Assume-Yes "true";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::State "{folder}/state";
Dir::State::lists "{folder}/lists";
Dir::State::status "{status}";
Dir::Cache "{folder}";
Dir::Cache::archives "{folder}/archives";
Dir::Cache::pkgcache "{folder}/pkgcache.bin";
Dir::Cache::srcpkgcache "";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "{folder}/sources";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::Log "{folder}/log";
#clear DPkg::Post-Invoke;
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""


class Apt:
    """The apt of one image, which has its own lists and archives but this machine's sources."""

    def __init__(
        self, folder: Path, architecture: Architecture, sources: str, root: Path, commands: Commands
    ) -> None:
        self.folder = folder
        self._commands = commands
        for name in ("state", "lists/partial", "archives/partial", "sources", "log"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "sources/debian.sources").write_text(sources, encoding="utf-8")
        self._config = folder / "apt.conf"
        status = root / "var/lib/dpkg/status"
        self._config.write_text(configuration(folder, architecture, status), encoding="utf-8")

    def _apt(self, *words: str, cwd: Path | None = None) -> None:
        # This file is read last, so it overrides this machine's own settings.
        self._commands.run("env", f"APT_CONFIG={self._config}", *words, cwd=cwd)

    def update(self) -> None:
        self._apt("apt-get", "-q", "update")

    def fetch(self, packages: tuple[str, ...]) -> list[Path]:
        """Fetch these packages and their missing dependencies, and return their files."""
        for old in (self.folder / "archives").glob("*.deb"):
            old.unlink()
        if packages:
            self._apt("apt-get", "-q", "install", "--download-only", *packages)
        return sorted((self.folder / "archives").glob("*.deb"))

    def fetch_alone(self, packages: tuple[str, ...], into: Path) -> list[Path]:
        """Fetch only these packages, or, for a kernel's metapackage, the package that contains the kernel."""
        into.mkdir(parents=True, exist_ok=True)
        for package in packages:
            real = self._kernel(package) if package.startswith("linux-image-") else package
            self._apt("apt-get", "-q", "download", real, cwd=into)
        return sorted(into.glob("*.deb"))

    def _kernel(self, package: str) -> str:
        said = self._commands.output("env", f"APT_CONFIG={self._config}", "apt-cache", "depends", package)
        return next(
            line.split()[-1]
            for line in said.splitlines()
            if "Depends: linux-image-" in line and "unsigned" not in line
        )

    def described(self, archives: list[Path]) -> tuple[Package, ...]:
        """Return the name, version and hash of each fetched file."""
        found = []
        for archive in archives:
            said = self._commands.output(
                "dpkg-deb",
                "--show",
                "--showformat=${Package}\t${Version}\t${Architecture}",
                archive,
            )
            name, version, architecture = said.split("\t")
            digest = self._commands.output("sha256sum", archive).split()[0].lstrip("\\")
            found.append(Package(name, version, architecture, digest))
        return tuple(sorted(found))

"""The files of a release, the functions that build them, and their checksums."""

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tools.release import debian, single_file
from tools.release.checkout import ROOT, VERSION, environment, run
from tools.release.distributions import SDIST, WHEEL, build_distributions

SBOM: Final = f"saloon-{VERSION}.cdx.json"
IMAGER: Final = "saloon-imager.json"
SUMS: Final = "SHA256SUMS"
IMAGES: Final = ("saloon-terminal-arm64.img", "saloon-station-arm64.img")


def all_files() -> frozenset[str]:
    """Return the names of all files of a complete release for all systems, except the checksums."""
    packages = (debian.file_name(one, where) for one in debian.PACKAGES for where in debian.ARCHITECTURES)
    files = (single_file.file_name(*system) for system in single_file.SYSTEMS)
    return frozenset((WHEEL, SDIST, SBOM, IMAGER, *packages, *files, *(f"{image}.xz" for image in IMAGES)))


def build_sbom(dist: Path) -> None:
    """Write a CycloneDX list (SBOM) of all locked libraries with their hashes."""
    python = environment("sbom", "release.lock")
    run(
        python, "-m", "cyclonedx_py", "requirements", "--pyproject", ROOT / "pyproject.toml",
        "--output-reproducible", "-o", dist / SBOM, ROOT / "requirements/demo.lock",
    )  # fmt: skip
    name_version(dist / SBOM)


def name_version(sbom: Path) -> None:
    """Add Saloon's version to the SBOM, as pyproject.toml doesn't contain it."""
    listed = json.loads(sbom.read_bytes())
    listed["metadata"]["component"]["version"] = VERSION
    sbom.write_text(json.dumps(listed, indent=2) + "\n", encoding="utf-8")


def build_images(dist: Path, url: str = "") -> None:
    """Build both images and their list for Raspberry Pi Imager.

    ``url`` is where the files will be published, by default the local folder.
    """
    # Import it late, as machines that build only the single file lack its libraries.
    from image.release.imager import imager_list

    built = tuple(ROOT / "build/image" / name for name in IMAGES)
    for image, words in zip(built, ((), ("--station",)), strict=True):
        run(sys.executable, "-m", "image.recipe", *words)
        run("xz", "--keep", "--force", "-T0", image)
    (dist / IMAGER).write_bytes(imager_list(built, url or dist.as_uri()))
    for image in built:
        shutil.move(f"{image}.xz", dist / f"{image.name}.xz")


PARTS: Final[Mapping[str, Callable[[Path], None]]] = {
    "distributions": build_distributions,
    "file": single_file.build_single_file,
    "packages": debian.build_packages,
    "sbom": build_sbom,
    "images": build_images,
}


def write_sums(dist: Path, *, is_complete: bool) -> None:
    """Write the checksums of all files. Raises SystemExit if they must be complete and one is missing."""
    files = sorted(path for path in dist.iterdir() if path.name != SUMS)
    missing = all_files() - {path.name for path in files}
    if is_complete and missing:
        raise SystemExit(f"{dist}: the release lacks {', '.join(sorted(missing))}")
    sums = "".join(f"{_sha256(path)}  {path.name}\n" for path in files)
    (dist / SUMS).write_text(sums, encoding="ascii", newline="\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

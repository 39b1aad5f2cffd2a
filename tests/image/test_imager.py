"""The entry in Raspberry Pi Imager: what it requires, with the sizes and hashes of the real files."""

import hashlib
import json
import lzma
from pathlib import Path

import pytest
from click.testing import CliRunner

from base.errors import BadData
from image.recipe.card.layout import Disk
from image.recipe.manifest import Manifest, file_of, text_of
from image.recipe.program.app import Release
from image.recipe.target import Architecture, Kind
from image.release.__main__ import release

MADE = 1_790_000_000
REQUIRED = {
    "name", "description", "icon", "url", "extract_size", "extract_sha256", "image_download_size",
    "release_date",
}  # fmt: skip
"""As os-list-schema.json of Imager requires."""


def image_in(folder: Path, kind: Kind = Kind.TERMINAL, board: Architecture = Architecture.ARM64) -> Path:
    image = folder / f"saloon-{kind.value}-{board.value}.img"
    image.write_bytes(b"disk" * 1000)
    manifest = Manifest(
        release=Release("0.2.0", "0123456789ab", kind, board, MADE),
        epoch=MADE, suite="bookworm", disk=Disk("5396f211", 4000, ()),
        files={"disk": file_of(image)}, packages=(),
        unpacked=(), byte_code="3.11", distributions={},
    )  # fmt: skip
    image.with_suffix(".json").write_bytes(text_of(manifest))
    image.with_name(f"{image.name}.xz").write_bytes(lzma.compress(image.read_bytes()))
    return image


def listed(*images: Path) -> list[dict[str, object]]:
    words = ["imager", *map(str, images), "--url", "https://saloon.example/images/"]
    done = CliRunner().invoke(release, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return list(json.loads(done.output)["os_list"])


def test_both_images_are_offered_with_what_imager_checks(tmp_path: Path) -> None:
    images = [image_in(tmp_path, kind) for kind in (Kind.TERMINAL, Kind.STATION)]
    entries = listed(*images)
    assert [entry["name"] for entry in entries] == ["Saloon terminal 0.2.0", "Saloon station 0.2.0"]
    for entry, image in zip(entries, images, strict=True):
        assert entry.keys() >= REQUIRED
        assert entry["url"] == f"https://saloon.example/images/{image.name}.xz"
        assert entry["extract_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
        assert entry["extract_size"] == 4000
        assert entry["image_download_size"] == image.with_name(f"{image.name}.xz").stat().st_size
        assert entry["release_date"] == "2026-09-21"
        assert entry["devices"] == ["pi3-64bit", "pi4-64bit"]
        assert str(entry["icon"]).startswith("data:image/svg+xml;base64,")


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        ("packed", "xz --keep"),
        ("manifest", "manifest cannot be read"),
        ("written", "differs from its manifest"),
    ],
)
def test_what_is_missing_or_changed_is_said(tmp_path: Path, damage: str, problem: str) -> None:
    image = image_in(tmp_path)
    match damage:
        case "packed":
            image.with_name(f"{image.name}.xz").unlink()
        case "manifest":
            image.with_suffix(".json").unlink()
        case _:
            image.write_bytes(b"another")
    with pytest.raises(BadData, match=problem):
        listed(image)


def test_an_image_for_a_pc_is_no_card_for_a_pi(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="amd64"):
        listed(image_in(tmp_path, board=Architecture.AMD64))

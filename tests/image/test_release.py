"""The maintainers' tool: a tree becomes a signed bundle, and images an entry of Raspberry Pi Imager."""

import hashlib
import json
import lzma
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from base.errors import BadData
from image.recipe.card.layout import Disk
from image.recipe.manifest import Manifest, file_of, text_of
from image.recipe.program.app import Release
from image.recipe.target import Architecture, Kind
from image.release.__main__ import release
from image.release.keys import GIVEN, make_key, release_key_text
from sync.update.bundle import About, is_newer
from sync.update.bundle_file import DEVELOPMENT, open_bundle, public_key_in, public_key_of

MADE = 1_790_000_000


def tree_in(folder: Path, kind: Kind = Kind.TERMINAL) -> Path:
    tree = folder / "tree"
    (tree / "bin").mkdir(parents=True)
    (tree / "bin/saloon-kiosk").write_text("#!/bin/sh\n")
    text = Release("0.2.0", "0123456789ab+", kind, Architecture.ARM64, MADE).text()
    (tree / "release").write_text(text)
    return tree


def run(*words: str | Path) -> str:
    done = CliRunner().invoke(release, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_tree_becomes_a_bundle_that_the_key_of_an_image_believes(tmp_path: Path) -> None:
    run("keygen", tmp_path / "release.pem")
    out = tmp_path / "new.saloon"
    said = run("bundle", tree_in(tmp_path), "--key", tmp_path / "release.pem", "--out", out)
    assert "0.2.0-0123456789ab+ for arm64 on trixie-1" in said
    assert run("verify", out, tmp_path / "release.pub") == said == run("show", out)
    about = open_bundle(out, public_key_in(tmp_path / "release.pub")).head.manifest.about
    assert about == About("0.2.0", "0123456789ab+", MADE, "arm64", "trixie-1")


def test_the_same_tree_gives_the_same_payload(tmp_path: Path) -> None:
    tree = tree_in(tmp_path)
    make_key(tmp_path / "k.pem", is_for_trials=True)
    for name in ("one", "two"):
        run("bundle", tree, "--key", tmp_path / "k.pem", "--out", tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_two_newer_versions_for_trials_one_of_them_without_a_program(tmp_path: Path) -> None:
    make_key(tmp_path / "k.pem", is_for_trials=True)
    payload = tmp_path / "app.squashfs"
    subprocess.run(["mksquashfs", tree_in(tmp_path), payload, "-quiet"], check=True, capture_output=True)
    run("trials", payload, tmp_path / "made", "--key", tmp_path / "k.pem")
    public = public_key_in(tmp_path / "k.pub")
    for name, version in (("good", "0.2.0.1"), ("bad", "0.2.0.2")):
        bundle = open_bundle(tmp_path / f"made/{name}.saloon", public)
        assert bundle.head.manifest.about.version == version
        assert is_newer(bundle.head.manifest.about, About("0.2.0", made=2 * MADE))
        squash = tmp_path / f"{name}.squashfs"
        squash.write_bytes(bundle.piece(0, bundle.head.manifest.payload))
        listed = subprocess.run(
            ["unsquashfs", "-l", squash], check=True, capture_output=True, text=True
        ).stdout
        assert ("bin/saloon-kiosk" in listed) == (name == "good")


def test_a_stations_program_is_not_for_terminals(tmp_path: Path) -> None:
    make_key(tmp_path / "k.pem", is_for_trials=True)
    with pytest.raises(BadData, match="the program of a station"):
        run("bundle", tree_in(tmp_path, Kind.STATION), "--key", tmp_path / "k.pem")


def test_a_key_is_never_made_anew_in_the_place_of_another(tmp_path: Path) -> None:
    public = make_key(tmp_path / "k.pem", is_for_trials=False)
    assert DEVELOPMENT not in public.read_text()
    assert (tmp_path / "k.pem").stat().st_mode & 0o777 == 0o600
    with pytest.raises(BadData, match="there is a key already"):
        make_key(tmp_path / "k.pem", is_for_trials=False)


def test_the_public_half_of_a_key_that_is_kept_elsewhere_stays(tmp_path: Path) -> None:
    public = make_key(tmp_path / "k.pem", is_for_trials=False)
    before = public.read_bytes()
    (tmp_path / "k.pem").rename(tmp_path / "away")
    with pytest.raises(BadData, match=r"k\.pub: there is a key already"):
        make_key(tmp_path / "k.pem", is_for_trials=False)
    assert public.read_bytes() == before


def test_a_private_key_is_not_written_over_by_its_public_half(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="another ending"):
        make_key(tmp_path / "k.pub", is_for_trials=False)
    assert list(tmp_path.iterdir()) == []


def test_an_image_believes_the_given_key_or_one_that_is_plainly_for_trials(tmp_path: Path) -> None:
    trial = release_key_text(tmp_path, {})
    assert DEVELOPMENT in trial.splitlines()[0]
    assert release_key_text(tmp_path, {}) == trial
    key = make_key(tmp_path / "k.pem", is_for_trials=False)
    text = release_key_text(tmp_path, {GIVEN: str(key)})
    assert public_key_of(text, "text") != public_key_of(trial, "trial")
    (tmp_path / "bad.pub").write_text("nonsense")
    with pytest.raises(BadData, match="no release key"):
        release_key_text(tmp_path, {GIVEN: str(tmp_path / "bad.pub")})


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
    output = run("imager", *images, "--url", "https://saloon.example/images/")
    return list(json.loads(output)["os_list"])


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

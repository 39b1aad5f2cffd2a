"""The maintainers' tool: a tree becomes a signed bundle, and the bundle says what the tree says."""

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from base.errors import BadData
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

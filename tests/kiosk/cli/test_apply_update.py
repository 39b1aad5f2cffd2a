"""A downloaded update is installed as root only if it was signed for this board."""

import hashlib
import os
import shutil
from pathlib import Path

import msgspec
import pytest

from base.errors import BadData, Unavailable
from kiosk.cli.apply_update import try_version
from sync.update.bundle import About
from sync.update.place import UpdateFolders
from tests.sync.update.rig import NEW, OLD, head_for, image_in

PAYLOAD = bytes(range(256)) * 5_000


class Card:
    """A terminal's card with a downloaded update and a request to install it."""

    def __init__(self, root: Path) -> None:
        self.place = image_in(root)
        self.name = hashlib.sha256(PAYLOAD).hexdigest()
        self.request = root / "run/saloon-terminal/update"
        self.request.write_text(self.name + "\n")
        self.fetched(PAYLOAD)

    def fetched(self, payload: bytes, about: About = NEW) -> None:
        self.place.incoming.mkdir(exist_ok=True)
        (self.place.incoming / f"{self.name}.head").write_bytes(head_for(PAYLOAD, about).data)
        (self.place.incoming / f"{self.name}.part").write_bytes(payload)

    def apply(self) -> bool:
        return try_version(self.place, self.request)

    def text(self, name: str) -> str:
        path = self.place.updates / name
        return path.read_text().strip() if path.exists() else ""

    def refusal(self) -> str:
        return self.text(f"refused/{self.name}")

    def squashes(self) -> list[str]:
        return [file.name for file in self.place.updates.iterdir() if "squashfs" in file.name]


@pytest.fixture
def card(tmp_path: Path) -> Card:
    return Card(tmp_path)


def test_a_signed_version_is_on_trial_from_the_next_start_on(card: Card) -> None:
    assert card.apply()
    assert (card.place.updates / f"{card.name}.squashfs").read_bytes() == PAYLOAD
    assert card.text("trial") == f"{card.name} 0"
    assert card.refusal() == ""
    assert list(card.place.incoming.iterdir()) == []


def test_others_may_read_why_but_not_write(card: Card) -> None:
    card.apply()
    for name in (f"{card.name}.squashfs", "trial"):
        assert (card.place.updates / name).stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("payload", [PAYLOAD[:-1], PAYLOAD + b"x", PAYLOAD[:-1] + b"x", b""])
def test_a_payload_that_was_not_signed_is_refused_for_good(card: Card, payload: bytes) -> None:
    card.fetched(payload)
    assert not card.apply()
    assert card.refusal() == "damaged"
    assert card.text("trial") == ""
    assert card.squashes() == []


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        (msgspec.structs.replace(NEW, architecture="amd64"), "other-board"),
        (msgspec.structs.replace(NEW, base="trixie-1"), "other-board"),
        (OLD, "not-newer"),
    ],
)
def test_a_version_that_is_not_for_this_terminal_is_refused(card: Card, about: About, reason: str) -> None:
    card.fetched(PAYLOAD, about)
    assert not card.apply()
    assert card.refusal() == reason
    assert card.squashes() == []


def test_a_version_that_had_no_room_is_put_in_place_when_there_is_room(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(card.place.updates)
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: usage._replace(free=len(PAYLOAD)))
        assert not card.apply()
    assert card.refusal() == "no-room"
    assert card.squashes() == []
    assert card.apply()
    assert card.refusal() == ""


def test_a_version_on_trial_once_more_is_not_refused_any_more(card: Card) -> None:
    (card.place.updates / "refused").mkdir(exist_ok=True)
    (card.place.updates / "refused" / card.name).write_text("no-station\n")
    assert card.apply()
    assert card.text("trial") == f"{card.name} 0"
    assert card.place.refusal_of(card.name) is None


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(head_for(PAYLOAD, NEW).data[:-1] + b"?", id="another hand's signature"),
        pytest.param(head_for(b"another").data, id="the signed head of another payload"),
    ],
)
def test_a_version_of_another_hand_is_refused(card: Card, head: bytes) -> None:
    (card.place.incoming / f"{card.name}.head").write_bytes(head)
    assert not card.apply()
    assert card.refusal() == "not-signed"


def test_an_image_without_a_key_takes_nothing(card: Card) -> None:
    (card.place.root / "usr/lib/saloon/release.pub").unlink()
    assert not card.apply()
    assert card.refusal() == "no-image"


def test_a_request_that_was_taken_back_changes_nothing(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    flush = os.fsync

    def seated(descriptor: int) -> None:
        flush(descriptor)
        card.request.unlink(missing_ok=True)

    monkeypatch.setattr("os.fsync", seated)
    assert not card.apply()
    assert card.text("trial") == ""
    assert card.refusal() == ""


@pytest.mark.parametrize("text", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 65])
def test_a_request_that_names_nothing_is_an_error(card: Card, text: str) -> None:
    card.request.write_text(text)
    with pytest.raises(BadData, match="names no version"):
        card.apply()


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_root_reads_no_link_pipe_or_folder_of_the_terminals(card: Card, what: str, tmp_path: Path) -> None:
    part = card.place.incoming / f"{card.name}.part"
    part.unlink()
    match what:
        case "link":
            other = tmp_path / "secret"
            other.write_bytes(PAYLOAD)
            part.symlink_to(other)
        case "pipe":
            os.mkfifo(part)
        case _:
            part.mkdir()
    with pytest.raises(Unavailable):
        card.apply()
    assert card.squashes() == []
    assert card.text("trial") == ""


def test_the_runtime_folder_is_the_only_place_that_the_terminal_needs(tmp_path: Path) -> None:
    place = image_in(tmp_path)
    place.request("0" * 64)
    assert (tmp_path / "run/saloon-terminal/update").read_text().strip() == "0" * 64
    place.take_back()
    assert not (tmp_path / "run/saloon-terminal/update").exists()
    with pytest.raises(Unavailable, match="nobody would apply"):
        UpdateFolders(tmp_path).request("0" * 64)

"""A bundle is accepted only if it was signed, and invalid bytes have no other effect."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData, OurFault
from base.signing import signer
from sync.update.bundle import (
    LARGEST_PAYLOAD,
    LONGEST_HEAD,
    MAGIC,
    About,
    Manifest,
    PayloadCheck,
    about_of,
    head_of,
    is_newer,
    read_head,
)
from sync.update.bundle_file import (
    generate_key,
    make_bundle,
    open_bundle,
    open_checked_bundle,
    public_key_of,
    public_text,
)
from tests.sync.update.rig import release_text

PRIVATE, PUBLIC = generate_key()
SIGN = signer(PRIVATE, "key")
ABOUT = About("0.2.0", "a1b2c3d4", 1_790_000_000, "arm64", "bookworm-1")
MANIFEST = Manifest(ABOUT, bytes(range(32)), 1234)
GOOD = head_of(MANIFEST, SIGN).data


def test_a_head_says_what_was_signed() -> None:
    assert read_head(GOOD, PUBLIC, "here").manifest == MANIFEST
    assert read_head(GOOD, None, "here").data == GOOD


def test_a_head_of_another_key_is_refused() -> None:
    _, other = generate_key()
    with pytest.raises(BadData, match="here: this isn't signed with a key"):
        read_head(GOOD, other, "here")


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_no_byte_of_a_head_may_change_or_be_missing(at: int, by: int) -> None:
    bad = bytearray(GOOD)
    bad[at] ^= by
    for head in (bytes(bad), GOOD[:at]):
        with pytest.raises(BadData):
            read_head(head, PUBLIC, "here")


@given(st.one_of(st.binary(max_size=LONGEST_HEAD), st.binary(max_size=300).map(lambda b: MAGIC + b)))
def test_any_bytes_are_a_head_or_refused(data: bytes) -> None:
    try:
        head = read_head(data, None, "here")
    except BadData:
        return
    assert 0 < head.manifest.payload <= LARGEST_PAYLOAD


@given(st.binary(max_size=400))
def test_whoever_signs_nonsense_is_refused_too(body: bytes) -> None:
    data = MAGIC + len(body).to_bytes(2) + body
    try:
        opened = read_head(data + SIGN(b"saloon update 1\x00" + data), PUBLIC, "here")
    except BadData:
        return
    assert len(opened.manifest.digest) == 32


@pytest.mark.parametrize(
    "manifest",
    [
        {"about": ["0.2.0"], "digest": bytes(31), "payload": 1},
        {"about": ["0.2.0"], "digest": bytes(32), "payload": 0},
        {"about": ["0.2.0"], "digest": bytes(32), "payload": LARGEST_PAYLOAD + 1},
        {"about": ["../../etc"], "digest": bytes(32), "payload": 1},
        {"about": ["x" * 41], "digest": bytes(32), "payload": 1},
    ],
)
def test_a_signed_manifest_is_still_looked_at(manifest: object) -> None:
    body = msgspec.msgpack.encode(manifest)
    data = MAGIC + len(body).to_bytes(2) + body
    with pytest.raises(BadData, match="damaged"):
        read_head(data + SIGN(b"saloon update 1\x00" + data), PUBLIC, "here")


def test_a_manifest_that_nobody_would_read_is_not_made() -> None:
    huge = msgspec.structs.replace(MANIFEST, digest=bytes(3000))
    with pytest.raises(OurFault):
        head_of(huge, SIGN)


@given(st.binary(min_size=1, max_size=3000), st.data())
def test_a_payload_is_the_signed_one_in_whatever_pieces(payload: bytes, data: st.DataObject) -> None:
    import hashlib

    manifest = Manifest(ABOUT, hashlib.sha256(payload).digest(), len(payload))
    check, at = PayloadCheck(manifest, "here"), 0
    while at < len(payload):
        step = data.draw(st.integers(1, len(payload)))
        check.add(payload[at : at + step])
        at += step
    check.end()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda b: b[:-1], "incomplete"),
        (lambda b: b + b"x", "doesn't match its signature"),
        (lambda b: b[:-1] + bytes([b[-1] ^ 1]), "doesn't match its signature"),
    ],
)
def test_a_bundle_is_checked_to_its_last_byte(tmp_path: Path, change: object, why: str) -> None:
    assert callable(change)
    payload, out = tmp_path / "payload", tmp_path / "new.saloon"
    payload.write_bytes(bytes(700_000))
    head = make_bundle(payload, ABOUT, SIGN, out)
    assert open_bundle(out, PUBLIC).head == head == open_checked_bundle(out, PUBLIC).head
    assert open_bundle(out, PUBLIC).piece(699_990, 100) == bytes(10)
    out.write_bytes(change(out.read_bytes()))
    with pytest.raises(BadData, match=why):
        open_bundle(out, PUBLIC)


def test_an_empty_payload_makes_no_bundle(tmp_path: Path) -> None:
    (tmp_path / "payload").touch()
    with pytest.raises(BadData, match="0 bytes"):
        make_bundle(tmp_path / "payload", ABOUT, SIGN, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (About("0.9.0"), About("0.10.0")),
        (About("0.2"), About("0.2.1")),
        (About("0.2.0", "aaa", 5), About("0.2.0", "bbb", 6)),
        (About("0.2.0", "bbb", 900), About("0.3.0", "aaa", 6)),
        (About("nonsense", made=1), About("0.1")),
    ],
)
def test_of_two_versions_one_is_newer_and_none_is_newer_than_itself(older: About, newer: About) -> None:
    assert is_newer(newer, older)
    assert not is_newer(older, newer)
    assert not is_newer(newer, newer)


def test_what_a_tree_says_of_itself_is_read() -> None:
    about = msgspec.structs.replace(ABOUT, base="")
    assert about_of(release_text(ABOUT), "release") == (about, "terminal")
    for bad in (b"version = 3", b"\xff", b"version", b'commit = "abc"'):
        with pytest.raises(BadData, match="release: this does not say"):
            about_of(bad, "release")


def test_a_release_key_is_a_line_that_says_what_it_is_for() -> None:
    text = public_text(PUBLIC, is_for_trials=True)
    assert "development" in text.splitlines()[0]
    assert public_key_of(text, "release.pub") == PUBLIC
    for bad in ("", "abc", f"{PUBLIC.hex()}\n{PUBLIC.hex()}", "zz" * 32):
        with pytest.raises(BadData, match="no release key"):
            public_key_of(bad, "release.pub")

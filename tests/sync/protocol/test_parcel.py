"""Parcels, whole and in parts."""

import contextlib
import random
import zlib
from pathlib import Path

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from hypothesis import given, settings
from hypothesis import strategies as st

from base.errors import BadData, OurFault
from base.signing import signer
from sync.protocol.entry import GENESIS, Epoch, StreamId, chained_hash
from sync.protocol.parcel import (
    LONGEST_CONTENT,
    LONGEST_PARCEL,
    MAGIC,
    MOST_PARTS,
    PREFIX,
    ROOM,
    SIGNED_AS,
    BadParcel,
    CarriedEntries,
    CarriedSheet,
    Content,
    Flaw,
    ParcelAssembler,
    ParcelPart,
    ParcelProgress,
    claimed_sender,
    fits_codes,
    open_parcel,
    parcel_id,
    part_of,
    parts_of,
    seal_parcel,
    text_of,
)
from sync.tls.certificates import fingerprint_of_pem, generate_certificate
from tests.examples import examples

KEY, CERTIFICATE = generate_certificate("terminal")
TERMINAL = fingerprint_of_pem(CERTIFICATE, "own")
SIGN = signer(KEY.encode(), "key")
EPOCH = Epoch("00112233445566aa")
GOLDEN = Path(__file__).parents[2] / "golden" / "wire" / "parcels.toml"


def entries(raws: tuple[bytes, ...], first: int = 1, before: bytes = GENESIS) -> CarriedEntries:
    digest = before
    for raw in raws:
        digest = chained_hash(digest, raw)
    return CarriedEntries(EPOCH, first, before, digest, raws)


some_entries = st.builds(
    entries,
    st.lists(st.binary(max_size=300), min_size=1, max_size=60).map(tuple),
    st.integers(1, 2**40),
    st.binary(min_size=32, max_size=32),
)
sheets = st.builds(
    CarriedSheet,
    st.just(EPOCH),
    st.integers(0, 2**40),
    st.binary(min_size=32, max_size=32),
    st.text(max_size=40),
    st.sampled_from(["pin", "key", "station", ""]),
    st.binary(max_size=900),
)
NOT_BELIEVED = {Flaw.NO_PARCEL, Flaw.OTHER_VERSION, Flaw.NOT_SIGNED}
contents: st.SearchStrategy[Content] = st.one_of(some_entries, sheets)


def flaw_of(parcel: bytes, certificate: str = CERTIFICATE) -> Flaw:
    with pytest.raises(BadParcel) as refused:
        open_parcel(parcel, certificate, "picture")
    assert refused.value.where == "picture"
    return refused.value.flaw


def part_flaw(text: str) -> Flaw:
    with pytest.raises(BadParcel) as refused:
        part_of(text, "picture")
    return refused.value.flaw


def large(size: int) -> bytes:
    return seal_parcel(TERMINAL, entries((random.Random(size).randbytes(size),)), SIGN)


@given(contents)
def test_what_is_sealed_is_opened_again(content: Content) -> None:
    parcel = seal_parcel(TERMINAL, content, SIGN)
    assert claimed_sender(parcel, "x") == TERMINAL
    opened = open_parcel(parcel, CERTIFICATE, "x")
    assert (opened.terminal, opened.content, opened.sealed) == (TERMINAL, content, parcel)


@given(some_entries)
def test_carried_entries_have_the_hashes_of_their_chain(content: CarriedEntries) -> None:
    made = content.entries(StreamId("table/x"))
    assert [entry.raw for entry in made] == list(content.raws)
    assert [entry.seq for entry in made] == list(range(content.first, content.last + 1))
    assert made[-1].hash == content.after
    assert {entry.epoch for entry in made} == {EPOCH}


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=4000), min_size=1, max_size=4, unique=True), st.randoms())
def test_parts_make_their_parcels_in_any_order_repeated_and_mixed(
    parcels: list[bytes], chance: random.Random
) -> None:
    texts = [text for parcel in parcels for text in parts_of(parcel)]
    texts += chance.sample(texts, len(texts) // 2)
    chance.shuffle(texts)
    gathering, whole = ParcelAssembler(), set()
    for text in texts:
        assert len(text) <= ROOM
        made = gathering.add(part_of(text, "x"))
        whole |= {made} if made is not None else set()
    assert whole == set(parcels)


@given(st.binary(max_size=3000))
def test_a_part_is_the_same_text_again(parcel: bytes) -> None:
    for text in parts_of(parcel):
        assert text_of(part_of(f" {text}\r\n", "x")) == text


def test_parts_are_about_equally_long_and_of_the_characters_that_a_code_packs_best() -> None:
    texts = parts_of(large(6000))
    sizes = {len(text) for text in texts}
    assert len(texts) == 10
    assert max(sizes) - min(sizes) < 30
    assert set("".join(texts)) <= set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$*+-.:")


@settings(max_examples=examples(60))
@given(contents, st.data())
def test_a_parcel_with_any_other_byte_is_refused(content: Content, data: st.DataObject) -> None:
    parcel = bytearray(seal_parcel(TERMINAL, content, SIGN))
    at = data.draw(st.integers(0, len(parcel) - 1))
    parcel[at] ^= data.draw(st.integers(1, 255))
    for other in (parcel, parcel[:at]):
        assert flaw_of(bytes(other)) in NOT_BELIEVED


@given(st.binary(min_size=1, max_size=900), st.data())
def test_a_part_with_any_other_character_is_refused(parcel: bytes, data: st.DataObject) -> None:
    text = parts_of(parcel)[0]
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from("0A$*.:%é").filter(lambda character: character != text[at]))
    assert part_flaw(text[:at] + other + text[at + 1 :]) in {
        Flaw.DAMAGED,
        Flaw.NO_PARCEL,
        Flaw.OTHER_VERSION,
    }


@given(st.text(max_size=1200))
def test_any_text_is_a_part_or_refused(text: str) -> None:
    for candidate in (text, PREFIX + text):
        with contextlib.suppress(BadParcel):
            assert text_of(part_of(candidate, "x")) == candidate.strip()


@given(st.binary(max_size=500))
def test_any_bytes_are_refused(junk: bytes) -> None:
    for candidate in (junk, MAGIC + junk):
        assert flaw_of(candidate) is not Flaw.DAMAGED


def signed(packed: bytes) -> bytes:
    body = MAGIC + bytes.fromhex(TERMINAL) + packed
    return body + SIGN(SIGNED_AS + body)


@pytest.mark.parametrize(
    "packed",
    [
        b"no zlib",
        zlib.compress(b"\xc1"),
        zlib.compress(b"\x91\xa5other"),
        zlib.compress(b"\x81" * 100_000),
        zlib.compress(b"\x90") + b"more",
        zlib.compress(b"\x90")[:-1],
    ],
)
def test_what_a_terminal_signed_and_nobody_can_read_is_damaged(packed: bytes) -> None:
    assert flaw_of(signed(packed)) is Flaw.DAMAGED


def test_entries_that_do_not_chain_are_damaged_though_signed() -> None:
    good = entries((b"a", b"b"))
    for bad in (
        CarriedEntries(EPOCH, 1, good.before, bytes(32), good.raws),
        CarriedEntries(EPOCH, 0, good.before, good.after, good.raws),
        CarriedEntries(EPOCH, 1, good.before, good.before, ()),
    ):
        assert flaw_of(seal_parcel(TERMINAL, bad, SIGN)) is Flaw.DAMAGED


@pytest.mark.slow
def test_a_bomb_is_refused_before_it_is_unpacked_whole() -> None:
    bomb = zlib.compress(bytes(LONGEST_CONTENT + 10), 9)
    assert len(bomb) < 20_000
    assert flaw_of(signed(bomb)) is Flaw.TOO_LARGE
    assert flaw_of(bytes(LONGEST_PARCEL + 1)) is Flaw.TOO_LARGE


def test_a_signature_of_another_terminal_or_for_another_use_is_refused() -> None:
    other_key, other = generate_certificate("other")
    good = seal_parcel(TERMINAL, entries((b"a",)), SIGN)
    assert (
        flaw_of(seal_parcel(TERMINAL, entries((b"a",)), signer(other_key.encode(), "key"))) is Flaw.NOT_SIGNED
    )
    for certificate in (other, "none"):
        assert flaw_of(good, certificate) is Flaw.NOT_SIGNED
    body = MAGIC + bytes.fromhex(TERMINAL) + zlib.compress(b"\x90")
    assert flaw_of(body + SIGN(body)) is Flaw.NOT_SIGNED


def test_a_key_that_cannot_sign_parcels_is_named() -> None:
    with pytest.raises(BadData, match="own key: this is no key"):
        signer(b"none", "own key")


@pytest.mark.slow
def test_what_is_too_large_to_be_shown_is_not_cut() -> None:
    parcel = bytes(LONGEST_PARCEL)
    assert not fits_codes(parcel)
    with pytest.raises(OurFault):
        parts_of(parcel)
    with pytest.raises(OurFault):
        seal_parcel(TERMINAL, entries((random.Random(1).randbytes(LONGEST_PARCEL),)), SIGN)
    assert fits_codes(bytes(200_000))


def test_progress_names_the_parts_that_are_there() -> None:
    parcel = large(3000)
    texts = parts_of(parcel)
    gathering = ParcelAssembler()
    for number in (4, 2, 2):
        assert gathering.add(part_of(texts[number - 1], "x")) is None
    assert gathering.progress() == (ParcelProgress(parcel_id(parcel), len(texts), (2, 4)),)
    assert [text_of(part) for part in gathering.pending_parts()] == [texts[1], texts[3]]


def test_parts_that_bear_a_name_that_is_not_theirs_are_given_up() -> None:
    parcel = large(1000)
    first, second = (part_of(text, "x") for text in parts_of(parcel))
    gathering = ParcelAssembler()
    gathering.add(first)
    with pytest.raises(BadParcel, match="belong together"):
        gathering.add(ParcelPart(second.parcel, 2, 2, b"other"))
    gathering.add(first)
    with pytest.raises(BadParcel, match="belong together"):
        gathering.add(ParcelPart(second.parcel, 2, 3, b""))
    assert gathering.add(first) is None
    assert gathering.add(second) == parcel


def test_a_gathering_never_grows_without_end() -> None:
    gathering = ParcelAssembler()
    for number in range(1000):
        gathering.add(ParcelPart(f"{number:016x}", 1, MOST_PARTS, b"x"))
    assert len(gathering.progress()) == 16
    assert gathering.progress()[-1].parcel == f"{999:016x}"


class Vector(msgspec.Struct, frozen=True):
    """A golden parcel. ``content`` is the output of zlib, in hex."""

    name: str
    content: str
    parcel: str
    parts: tuple[str, ...]
    entries: tuple[str, ...] = ()
    game: str = ""


class Golden(msgspec.Struct, frozen=True):
    """The file of golden parcels, all by one terminal."""

    certificate: str
    public_key: str
    parcel: tuple[Vector, ...]


WRITTEN = msgspec.toml.decode(GOLDEN.read_bytes(), type=Golden)


@pytest.mark.parametrize("vector", WRITTEN.parcel, ids=lambda vector: vector.name)
def test_a_golden_parcel_opens_as_it_is_written_down(vector: Vector) -> None:
    parcel = bytes.fromhex(vector.parcel)
    opened = open_parcel(parcel, WRITTEN.certificate, "golden")
    assert zlib.decompress(parcel[19:-64]).hex() == vector.content
    assert opened.terminal == fingerprint_of_pem(WRITTEN.certificate, "golden")
    assert parts_of(parcel) == vector.parts
    match opened.content:
        case CarriedEntries():
            assert tuple(raw.hex() for raw in opened.content.raws) == vector.entries
        case CarriedSheet():
            assert opened.content.game == vector.game
    key = x509.load_pem_x509_certificate(WRITTEN.certificate.encode()).public_key()
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    assert raw.hex() == WRITTEN.public_key

"""Both ends of all three ways to enrol, byte by byte, and all messages that are not allowed."""

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import BadData, PeerFault, Unavailable
from sync.enrolment.agreement import (
    ALPHABET,
    LENGTH,
    AskJudge,
    CodeTried,
    Parties,
    Question,
    TokenShown,
    check_code,
    code_key,
    code_of,
    code_typed,
    commitment,
    in_groups,
    station_proof,
    terminal_proof,
)
from sync.enrolment.station_side import EnrolmentServer, StrangerRefused
from sync.enrolment.terminal_side import ByCable, ByCode, ByToken, EnrolmentClient, EnrolmentSecrets
from sync.protocol.messages import (
    Beat,
    CloseCause,
    CodeProof,
    EnrolByToken,
    Enrolled,
    Farewell,
    JoinByCable,
    JoinByCode,
    Message,
    MessageReader,
    StationNonce,
    TerminalNonce,
    TurnedAway,
    message_bytes,
)
from sync.tls.certificates import der_of, generate_certificate

STATION = der_of(generate_certificate("station")[1])
TERMINAL_PEM = generate_certificate("terminal")[1]
TERMINAL = der_of(TERMINAL_PEM)
NONCES = bytes(range(32)), bytes(range(32, 64))
CODE = "ABCDEFGHJK"
ADDRESSES = ("192.0.2.1:7373",)


def keeper(*, by_cable: bool = True) -> EnrolmentServer:
    return EnrolmentServer(STATION, NONCES[0], by_cable=by_cable)


def meeting(between: bytes | None = STATION) -> EnrolmentSecrets:
    return EnrolmentSecrets(TERMINAL_PEM, TERMINAL, NONCES[1], lambda: between)


def carried(asking: EnrolmentClient, there: EnrolmentServer, *, size: int = 1 << 20) -> Question | None:
    """Carry bytes both ways until the station has a question or nothing moves."""
    question: Question | None = None
    for _ in range(6):
        out = asking.outgoing()
        for i in range(0, len(out), size):
            question = there.receive(out[i : i + size], 0) or question
        answer = there.outgoing()
        for i in range(0, len(answer), size):
            asking.receive(answer[i : i + size], 0)
        if isinstance(asking, ByCode) and asking.parties is not None and not asking.is_tried:
            asking.prove(code_key(CODE, asking.parties), 0)
    return question


SIZES = pytest.mark.parametrize("size", [1, 7, 1 << 20])
PARTIES = Parties(STATION, TERMINAL, *NONCES)


@SIZES
def test_by_token_the_station_is_asked_once_and_its_answer_ends_it(size: int) -> None:
    there, asking = keeper(by_cable=False), ByToken("once", TERMINAL_PEM, 0)
    assert carried(asking, there, size=size) == TokenShown("once", TERMINAL_PEM)
    there.welcome(ADDRESSES, 0)
    carried(asking, there, size=size)
    assert (asking.is_done, asking.addresses) == (True, ADDRESSES)


@SIZES
def test_by_cable_both_ends_show_the_same_six_digits(size: int) -> None:
    there, asking = keeper(), ByCable(meeting(), 0)
    question = carried(asking, there, size=size)
    assert question == AskJudge(TERMINAL_PEM, asking.check_code)
    assert len(asking.check_code) == 6
    assert asking.check_code.isdigit()
    there.advance(5_000)
    carried(asking, there, size=size)
    assert not asking.is_done
    there.welcome(ADDRESSES, 0)
    carried(asking, there, size=size)
    assert asking.is_done


@pytest.mark.slow
@SIZES
def test_by_code_each_end_proves_that_it_knows_it(size: int) -> None:
    there, asking = keeper(by_cable=False), ByCode(meeting(), 0)
    question = carried(asking, there, size=size)
    assert isinstance(question, CodeTried)
    assert question.parties == PARTIES == asking.parties
    key = code_key(CODE, question.parties)
    assert question.proof == terminal_proof(key)
    there.welcome(ADDRESSES, 0, station_proof(key))
    carried(asking, there, size=size)
    assert asking.is_done
    assert asking.addresses == ADDRESSES


def test_somebody_between_with_a_certificate_of_its_own_makes_both_codes_differ() -> None:
    between = der_of(generate_certificate("between")[1])
    here = ByCable(meeting(between=between), 0)
    there = keeper()
    question = carried(here, there)
    assert isinstance(question, AskJudge)
    assert question.check_code != here.check_code


@pytest.mark.slow
def test_somebody_between_can_pass_no_proof_on() -> None:
    between = der_of(generate_certificate("between")[1])
    here, there = ByCode(meeting(between=between), 0), keeper(by_cable=False)
    question = carried(here, there)
    assert isinstance(question, CodeTried)
    key = code_key(CODE, question.parties)
    assert question.proof != terminal_proof(key)
    there.welcome(ADDRESSES, 0, station_proof(key))
    with pytest.raises(PeerFault, match="not the station that shows the code"):
        carried(here, there)
    assert not here.is_done


def test_every_part_of_the_meeting_changes_check_code_and_key() -> None:
    others = [
        msgspec.structs.replace(PARTIES, station=b"other"),
        msgspec.structs.replace(PARTIES, terminal=b"other"),
        msgspec.structs.replace(PARTIES, station_nonce=bytes(32)),
        msgspec.structs.replace(PARTIES, terminal_nonce=bytes(32)),
        Parties(TERMINAL, STATION, *NONCES),
        Parties(STATION, TERMINAL, *NONCES[::-1]),
    ]
    assert len({check_code(parties) for parties in (PARTIES, *others)}) == 7
    assert len({parties.digest(b"saloon code") for parties in (PARTIES, *others)}) == 7
    assert terminal_proof(b"k" * 32) != station_proof(b"k" * 32)


@pytest.mark.parametrize(
    ("promised", "number"),
    [
        pytest.param(commitment(TERMINAL, bytes(32)), b"\1" * 32, id="another number"),
        pytest.param(commitment(STATION, NONCES[1]), NONCES[1], id="the commitment of somebody else"),
    ],
)
def test_a_terminal_that_changes_its_number_after_it_has_heard_the_station_is_sent_away(
    promised: bytes, number: bytes
) -> None:
    there = keeper()
    assert there.receive(message_bytes(JoinByCable(TERMINAL_PEM, promised)), 0) is None
    with pytest.raises(PeerFault, match="changed its number"):
        there.receive(message_bytes(TerminalNonce(number)), 0)


def test_nobody_asks_the_judge_but_over_a_cable() -> None:
    with pytest.raises(StrangerRefused) as refused:
        carried(ByCable(meeting(), 0), keeper(by_cable=False))
    assert refused.value.cause is CloseCause.NO_CABLE


CABLE = JoinByCable(TERMINAL_PEM, commitment(TERMINAL, NONCES[1]))


@pytest.mark.parametrize(
    "said",
    [
        (Beat(),),
        (Enrolled(),),
        (CodeProof(b"p"),),
        (StationNonce(NONCES[0]),),
        (TerminalNonce(NONCES[1]),),
        (Farewell("no"),),
        (JoinByCode(TERMINAL_PEM, b"short"),),
        (JoinByCode("junk", NONCES[1]),),
        (JoinByCable("junk", b""),),
        (EnrolByToken("token", TERMINAL_PEM * 2),),
        (CABLE, CABLE),
        (CABLE, CodeProof(b"p")),
        (CABLE, TerminalNonce(b"short")),
        (CABLE, EnrolByToken("token", TERMINAL_PEM)),
        (CABLE, TerminalNonce(NONCES[1]), TerminalNonce(NONCES[1])),
        (JoinByCode(TERMINAL_PEM, NONCES[1]), TerminalNonce(NONCES[1])),
        (JoinByCode(TERMINAL_PEM, NONCES[1]), CodeProof(b"p"), CodeProof(b"q")),
        (EnrolByToken("token", TERMINAL_PEM), EnrolByToken("token", TERMINAL_PEM)),
    ],
    ids=lambda said: "+".join(type(one).__name__ for one in said),
)
def test_a_stranger_out_of_its_part_is_sent_away(said: tuple[Message, ...]) -> None:
    there = keeper()
    *before, last = map(message_bytes, said)
    for message in before:
        there.receive(message, 0)
    with pytest.raises(PeerFault):
        there.receive(last, 0)


@pytest.mark.parametrize("said", [Enrolled(), CodeProof(bytes(32)), StationNonce(b"short"), CABLE])
def test_a_station_that_proves_nothing_is_not_believed(said: Message) -> None:
    for asking in (ByCable(meeting(), 0), ByCode(meeting(), 0)):
        with pytest.raises(PeerFault):
            asking.receive(message_bytes(said), 0)
        assert not asking.is_done
    keyed = ByCode(meeting(), 0)
    keyed.receive(message_bytes(StationNonce(NONCES[0])), 0)
    keyed.prove(bytes(32), 0)
    with pytest.raises(PeerFault):
        keyed.receive(message_bytes(said), 0)
    assert not keyed.is_done


def test_a_station_without_a_certificate_is_nobody() -> None:
    for asking in (ByCable(meeting(None), 0), ByCode(meeting(None), 0)):
        with pytest.raises(PeerFault, match="did not say who it is"):
            asking.receive(message_bytes(StationNonce(NONCES[0])), 0)


def test_a_refusal_carries_its_cause() -> None:
    there, asking = keeper(), ByCable(meeting(), 0)
    carried(asking, there)
    there.turn_away("no", CloseCause.REFUSED, 0)
    with pytest.raises(TurnedAway, match="no") as away:
        carried(asking, there)
    assert away.value.cause is CloseCause.REFUSED


def test_while_the_judge_thinks_both_ends_say_that_they_are_here() -> None:
    there, asking = keeper(), ByCable(meeting(), 0)
    carried(asking, there)
    for now in range(0, 60_000, 1_000):
        there.advance(now)
        asking.advance(now)
        there.receive(asking.outgoing(), now)
        asking.receive(there.outgoing(), now)
    assert not asking.is_done
    with pytest.raises(Unavailable, match="nothing heard for 15 s"):
        asking.advance(75_000)


def test_a_stranger_fills_no_memory() -> None:
    for end in (keeper(), ByCable(meeting(), 0)):
        with pytest.raises(PeerFault, match="16384 are allowed"):
            end.receive((1 << 20).to_bytes(4), 0)


def test_what_is_kept_secret_is_made_from_32_bytes_each() -> None:
    parts = (hashlib.sha256(STATION).digest(), hashlib.sha256(TERMINAL).digest(), *NONCES)
    assert PARTIES.digest(b"saloon code") == hashlib.sha256(b"saloon code" + b"".join(parts)).digest()
    reader = MessageReader()
    assert reader.feed(message_bytes(Enrolled(ADDRESSES))) == (Enrolled(ADDRESSES),)


@given(st.binary(min_size=7, max_size=7))
def test_what_is_shown_can_be_typed(chance: bytes) -> None:
    code = code_of(chance)
    assert len(code) == LENGTH
    assert code_typed(in_groups(code)) == code_typed(in_groups(code).lower()) == code


def test_every_character_can_come_and_all_fifty_bits_are_used() -> None:
    assert {code_of(bytes([0, 0, 0, 0, 0, 0, i]))[0] for i in range(256)} == set(ALPHABET)
    assert len({code_of((1 << bit).to_bytes(7)) for bit in range(50)}) == 50


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("OoIiLl-0011", "0011110011"),
        (" abcde fghjk ", "ABCDEFGHJK"),
        ("a-b-c-d-e-f-g-h-j-k", "ABCDEFGHJK"),
    ],
)
def test_look_alikes_hyphens_blanks_and_small_letters_are_read(typed: str, meant: str) -> None:
    assert code_typed(typed) == meant


@pytest.mark.parametrize(
    ("code", "text"), [("ABCDEFGHJK", "ABCDE-FGHJK"), ("ABCDEF", "ABCDE-F"), ("ABC", "ABC"), ("", "")]
)
def test_a_code_is_shown_in_groups_also_while_it_is_typed(code: str, text: str) -> None:
    assert in_groups(code) == text


@pytest.mark.parametrize("typed", ["", "ABCDEFGHJ", "ABCDEFGHJKM", "ABCDEFGHJU", "ABCDE+GHJK", "ÀBCDEFGHJK"])
def test_what_can_be_no_code_is_named(typed: str) -> None:
    with pytest.raises(BadData, match="it has 10 characters"):
        code_typed(typed)

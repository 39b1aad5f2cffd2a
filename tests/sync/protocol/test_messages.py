import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.errors import PeerFault
from sync.protocol.entry import Epoch, Head, StreamId
from sync.protocol.messages import (
    LONGEST,
    Ack,
    Beat,
    CloseCause,
    CodeProof,
    EnrolByToken,
    Enrolled,
    Entries,
    Farewell,
    Hello,
    JoinByCable,
    JoinByCode,
    Message,
    MessageReader,
    StationNonce,
    TerminalNonce,
    message_bytes,
)

HEAD = Head(StreamId("t"), Epoch("e"), 1, b"\x07")
TABLE: list[tuple[Message, str]] = [
    (Beat(), "00000006" + "91a462656174"),
    (Ack(Epoch("e"), 3, b"\x07"), "0000000b" + "94a361636ba16503c40107"),
    (Entries(Epoch("e"), 1, (b"x",)), "00000010" + "94a7656e7472696573a1650191c40178"),
    (Hello(1, HEAD, None), "00000012" + "94a568656c6c6f01" + "94a174a16501c40107" + "c0"),
    (Farewell("why"), "00000010" + "94a86661726577656c6ca3776879c2a0"),
]
MESSAGES = st.one_of(
    st.just(Beat()),
    st.builds(Enrolled, st.lists(st.text(max_size=9), max_size=3).map(tuple)),
    st.builds(JoinByCable, st.text(max_size=9), st.binary(max_size=32)),
    st.builds(JoinByCode, st.text(max_size=9), st.binary(max_size=32)),
    st.builds(StationNonce, st.binary(max_size=32)),
    st.builds(TerminalNonce, st.binary(max_size=32)),
    st.builds(CodeProof, st.binary(max_size=32)),
    st.builds(EnrolByToken, st.text(max_size=9), st.text(max_size=9)),
    st.builds(Farewell, st.text(max_size=9), st.booleans(), st.sampled_from(CloseCause)),
    st.builds(Ack, st.just(Epoch("e")), st.integers(0, 2**40), st.binary(max_size=32)),
    st.builds(
        Entries,
        st.just(Epoch("e")),
        st.integers(0, 2**40),
        st.lists(st.binary(max_size=300), max_size=4).map(tuple),
    ),
)


@pytest.mark.parametrize(("message", "line"), TABLE)
def test_a_message_lies_on_the_stream_as_the_table_says(message: Message, line: str) -> None:
    assert message_bytes(message).hex() == line
    assert MessageReader().feed(bytes.fromhex(line)) == (message,)


@given(st.lists(MESSAGES, max_size=5), st.integers(1, 40))
def test_messages_come_back_however_the_stream_is_cut(messages: list[Message], size: int) -> None:
    stream = b"".join(map(message_bytes, messages))
    reader = MessageReader()
    read = [m for i in range(0, len(stream), size) for m in reader.feed(stream[i : i + size])]
    assert read == messages


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_any_bytes_are_messages_or_a_fault_of_the_peer(pieces: list[bytes]) -> None:
    reader = MessageReader()
    try:
        for piece in pieces:
            reader.feed(piece)
    except PeerFault:
        return


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ((LONGEST + 1).to_bytes(4), "262145 bytes; 262144 are allowed"),
        (b"\xff\xff\xff\xff", "4294967295 bytes"),
        (b"\0\0\0\0", "an invalid message"),
        (b"\0\0\0\2\x91\xa0", "an invalid message"),
        (bytes.fromhex("00000006" + "91a562656174"), "an invalid message"),
        (b"\0\0\x10\0" + b"\x91" * 4096, "an invalid message"),
        (bytes.fromhex("0000000b" + "94a361636ba165a3c40107"), "an invalid message"),
    ],
)
def test_what_is_no_message_is_a_fault_of_the_peer(line: bytes, said: str) -> None:
    with pytest.raises(PeerFault, match=said):
        MessageReader().feed(line)


def test_a_stranger_may_be_given_less_room() -> None:
    with pytest.raises(PeerFault, match="100 are allowed"):
        MessageReader(100).feed((101).to_bytes(4))


def test_a_text_that_is_no_utf_8_is_a_fault_of_the_peer() -> None:
    with pytest.raises(PeerFault, match="an invalid message"):
        MessageReader().feed(message_bytes(Farewell("over")).replace(b"over", b"\xff\xff\xff\xff"))

"""Enrolment: for both ends' machines and the provisioning file, any bytes are a message or a fault."""

import functools

from base.errors import BadData, PeerFault
from sync.enrolment.agreement import code_typed, commitment, in_groups
from sync.enrolment.provisioning import provisioning_of, text_of
from sync.enrolment.station_side import EnrolmentServer
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
    StationNonce,
    TerminalNonce,
    message_bytes,
)
from sync.tls.certificates import der_of, generate_certificate

_NONCE = bytes(32)
_HELD = 16 * 1024 + 4
_PEM = generate_certificate("fuzzed")[1]
_DER = der_of(_PEM)
_CABLE = message_bytes(JoinByCable(_PEM, commitment(_DER, _NONCE)))
_TOML = f"[station]\naddresses = ['h:1']\ncertificate = '''\n{_PEM}'''\n[terminal]\ntable = 3\ntoken = 'x'\n"
SEEDS = (
    _CABLE + message_bytes(TerminalNonce(_NONCE)) + message_bytes(Beat()),
    message_bytes(JoinByCode(_PEM, _NONCE)) + message_bytes(CodeProof(_NONCE)),
    message_bytes(EnrolByToken("token", _PEM)),
    message_bytes(StationNonce(_NONCE)) + message_bytes(Enrolled(("h:1",))),
    message_bytes(StationNonce(_NONCE)) + message_bytes(CodeProof(_NONCE)) + message_bytes(Enrolled()),
    message_bytes(Farewell("no", cause=CloseCause.REFUSED)),
    _TOML.encode(),
    b"abcde-fghjk",
)


def one_input(data: bytes) -> None:
    """Feed the bytes to the station's end, each of the terminal's, and the readers of files and codes."""
    for by_cable in (True, False):
        _at_the_door(EnrolmentServer(_DER, _NONCE, by_cable=by_cable), data)
    meeting = functools.partial(EnrolmentSecrets, _PEM, _DER, _NONCE, lambda: _DER)
    _believes(ByToken("token", _PEM, 0), data, proven=True)
    _believes(ByCable(meeting(), 0), data, proven=True)
    by_code = ByCode(meeting(), 0)
    by_code.prove(b"\1" * 32, 0)
    _believes(by_code, data, proven=False)
    _file(data)
    _code(data)


def _at_the_door(keeper: EnrolmentServer, data: bytes) -> None:
    answers = 0
    for at in range(0, len(data), 7):
        try:
            answers += keeper.receive(data[at : at + 7], 0) is not None
        except PeerFault:
            break
        assert keeper.pending_bytes() <= _HELD
    assert answers <= 1
    assert len(keeper.outgoing()) <= 64


def _believes(asking: EnrolmentClient, data: bytes, *, proven: bool) -> None:
    for at in range(0, len(data), 7):
        try:
            asking.receive(data[at : at + 7], 0)
        except PeerFault:
            break
        assert asking.pending_bytes() <= _HELD
    assert proven or not asking.is_done


def _file(data: bytes) -> None:
    try:
        provisioning = provisioning_of(data.decode("utf-8", "replace"), "fuzzed")
    except BadData as error:
        assert str(error).startswith("fuzzed: ")  # noqa: PT017 (any other error is the failure)
    else:
        assert provisioning_of(text_of(provisioning), "again") == provisioning


def _code(data: bytes) -> None:
    try:
        code = code_typed(data.decode("utf-8", "replace"))
    except BadData:
        return
    assert code_typed(in_groups(code)) == code

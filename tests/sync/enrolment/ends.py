"""Both ends of an enrolment in memory, with whoever sits between them."""

from collections.abc import Callable

from sync.certificates import der_of, generate_certificate
from sync.enrolment.agreement import Question, code_key
from sync.enrolment.station_side import EnrolmentServer
from sync.enrolment.terminal_side import ByCode, EnrolmentClient, EnrolmentSecrets

STATION = der_of(generate_certificate("station")[1])
TERMINAL_PEM = generate_certificate("terminal")[1]
TERMINAL = der_of(TERMINAL_PEM)
NONCES = bytes(range(32)), bytes(range(32, 64))
CODE = "ABCDEFGHJK"
ADDRESSES = ("192.0.2.1:7373",)


def keeper(*, by_cable: bool = True, station: bytes = STATION) -> EnrolmentServer:
    return EnrolmentServer(station, NONCES[0], by_cable=by_cable)


def meeting(between: bytes | None = STATION) -> EnrolmentSecrets:
    return EnrolmentSecrets(TERMINAL_PEM, TERMINAL, NONCES[1], lambda: between)


def carried(
    asking: EnrolmentClient,
    there: EnrolmentServer,
    *,
    size: int = 1 << 20,
    key: Callable[[], str] = lambda: CODE,
) -> Question | None:
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
            asking.prove(code_key(key(), asking.parties), 0)
    return question

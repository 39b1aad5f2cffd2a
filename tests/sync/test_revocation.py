"""Revoking: at once, for ever, and whatever is under way."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sync.protocol.entry import Head, StreamId
from sync.protocol.messages import Entries, Farewell
from sync.terminal.agent_contract import EnrolmentStage, LinkChanged, LinkPhase, TryJoinCode
from tests.rigs.ends import Station, Terminal
from tests.rigs.newcomer import Newcomer
from tests.sync.test_own_stream import EPOCH, RAWS, Rogue

CleanUp = Callable[[Callable[[], None]], None]


def is_revoked(news: object) -> bool:
    return isinstance(news, LinkChanged) and news.phase is LinkPhase.REVOKED


def is_connected(news: object) -> bool:
    return isinstance(news, LinkChanged) and news.phase is LinkPhase.CONNECTED


def test_the_line_is_closed_at_once_and_the_terminal_told_why(
    station: Station, tmp_path: Path, clean_up: CleanUp
) -> None:
    terminal = Terminal(tmp_path / "t", station)
    terminal.agent.start()
    clean_up(terminal.agent.stop)
    terminal.wait_for(is_connected)
    begun = time.monotonic()
    station.revoke(terminal.id)
    terminal.wait_for(is_revoked)
    # Less than the second that an idle line looks at its wire in one go.
    assert time.monotonic() - begun < 0.9
    station.wait_for(lambda: station.links[-1] == (terminal.id, None))


def test_nothing_that_arrives_after_the_revocation_is_stored(station: Station, tmp_path: Path) -> None:
    rogue = Rogue(station, tmp_path / "rogue")
    read = station.store.head

    def revoking(stream: StreamId) -> Head | None:
        station.known.pop(rogue.id, None)
        return read(stream)

    station.store.head = revoking  # type: ignore[method-assign]  # the judge in the worst moment
    answer = rogue.says(rogue.hello(seq=3), Entries(EPOCH, 1, RAWS))
    assert [one.cause.value for one in answer if isinstance(one, Farewell)] == ["revoked"]
    assert read(rogue.stream) is None
    assert not station.links


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_revocation_while_an_enrolment_is_under_way_is_the_last_word_until_a_new_code(
    station: Station, tmp_path: Path, clean_up: CleanUp, when: str
) -> None:
    new = Newcomer(tmp_path / "t")
    first = station.try_code

    async def interrupted(*arguments: object) -> bytes:
        proof = await first(*arguments)  # type: ignore[arg-type]  # handed on
        if when == "before":
            del station.known[new.id]
        return proof

    station.try_code = interrupted  # type: ignore[method-assign,assignment]  # the judge in the worst moment
    station.code = "ABCDEFGHJK"
    new.agent.start()
    clean_up(new.agent.stop)
    new.agent.append(b"\x01")
    new.agent.ask(TryJoinCode(f"127.0.0.1:{station.port}", "ABCDEFGHJK"))
    new.wait_stage(EnrolmentStage.DONE)
    if when == "after":
        new.wait_received(1)
        station.revoke(new.id)
    new.wait_for(is_revoked)
    assert station.raws(new.id) == (() if when == "before" else (b"\x01",))
    station.try_code = first  # type: ignore[method-assign]
    station.code = "ABCDEFGHJK"
    new.agent.append(b"\x02")
    new.agent.ask(TryJoinCode(f"127.0.0.1:{station.port}", "ABCDEFGHJK"))
    new.wait_received(2)
    assert station.raws(new.id) == (b"\x01", b"\x02")

"""Agents of terminals as tests start them, and what they say."""

from collections.abc import Callable

import msgspec

from sync.terminal.agent_contract import LinkChanged, LinkPhase
from tests.rigs.ends import Terminal

CleanUp = Callable[[Callable[[], None]], None]


def bodies(count: int, first: int = 0) -> list[bytes]:
    return [msgspec.msgpack.encode(("entry", first + i)) for i in range(count)]


def started(terminal: Terminal, clean_up: CleanUp) -> Terminal:
    terminal.agent.start()
    clean_up(terminal.agent.stop)
    return terminal


def is_phase(phase: LinkPhase) -> Callable[[object], bool]:
    return lambda news: isinstance(news, LinkChanged) and news.phase is phase


def detail(terminal: Terminal, phase: LinkPhase) -> str:
    change = terminal.wait_for(is_phase(phase))
    assert isinstance(change, LinkChanged)
    return change.detail

"""The lists of commands and events name each class that is defined beside a rule."""

from collections.abc import Iterator
from typing import get_args

from core.game.decide import GameCommand
from core.game.events import GameEvent
from core.game.state.decisions import Command, Event
from core.game.undo import Redo, Undo


def leaves(base: type) -> Iterator[type]:
    below: list[type] = base.__subclasses__()
    return (leaf for one in below for leaf in leaves(one)) if below else iter((base,))


def test_the_list_of_commands_is_complete() -> None:
    assert set(get_args(GameCommand)) == {*leaves(Command), Undo, Redo}


def test_the_list_of_events_is_complete() -> None:
    assert set(get_args(GameEvent)) == set(leaves(Event))

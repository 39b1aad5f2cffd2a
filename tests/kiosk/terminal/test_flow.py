from importlib import import_module

from core.game.duel.state import DuelPhase
from core.game.state import Phase
from kiosk.terminal.display import flow


def test_every_moment_has_a_scene() -> None:
    # The phases of a duel choose its scenes.
    assert set(flow._SCENES) == {*flow._Special, *DuelPhase, *Phase} - {Phase.DUEL}


def test_every_scene_of_a_moment_is_there() -> None:
    for name in set(flow._SCENES.values()):
        module, _, scene = name.partition(":")
        assert getattr(import_module(module), scene)().name

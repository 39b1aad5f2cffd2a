from importlib import import_module
from typing import get_args

from core.game.state.duel import DuelPhase
from core.game.state.game import Phase
from core.terms import SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.pages import Page
from kiosk.terminal.display import flow


def test_every_moment_has_a_scene() -> None:
    # The phases of a duel choose its scenes.
    assert set(flow._SCENES) == {*flow._Special, *DuelPhase, *Phase} - {Phase.DUEL}


def test_every_scene_of_a_moment_is_there() -> None:
    for name in set(flow._SCENES.values()):
        module, _, scene = name.partition(":")
        assert getattr(import_module(module), scene)().name


def test_every_page_that_scenes_open_by_name_has_its_scene() -> None:
    needed = {"seat": SeatNo(1), "rule": Rule.HIGH_NOON}
    pages = [
        page(**{name: needed[name] for name in page.__struct_fields__ if name in needed})
        for page in get_args(Page)
    ]
    scenes = [flow.open_scene(page) for page in pages]
    assert len({scene.name for scene in scenes}) == len(pages)
    assert [flow.open_scene(scene) for scene in scenes] == scenes

"""The choice of the scene for each moment of a table. Pages that people open are shown on top of it.

A scene's module is imported when first shown, so that the first frame appears sooner; ``load_scenes`` imports
the rest.
"""

import enum
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from core.editions.edition import Edition
from core.game.ending.sheet import awaited_seats
from core.game.play.turns import records_turns
from core.game.state.duel import DuelPhase
from core.game.state.game import GameState, Phase
from kiosk import scenes
from kiosk.scenes.pages import Page
from kiosk.scenes.scene import Scene
from kiosk.scenes.widgets.page_parts import shows_lock
from kiosk.view.table_view import TableView
from sync.terminal.agent_contract import LinkPhase


class _Special(enum.Enum):
    """Moments of a table that aren't phases of a game."""

    DISAGREEMENT = enum.auto()
    ENROL = enum.auto()
    WAITING = enum.auto()
    RELIEVED = enum.auto()
    TAKING_OVER = enum.auto()
    LOCKED = enum.auto()
    LAST_LIFE = enum.auto()
    REVOLUTION = enum.auto()
    STILL_IN_PLAY = enum.auto()
    WHOSE_TURN = enum.auto()


def load_scenes() -> None:
    """Import all scenes, so that no touch has to wait for an import."""
    for module in pkgutil.walk_packages(scenes.__path__, f"{scenes.__name__}."):
        importlib.import_module(module.name)


def open_scene(page: Scene | Page) -> Scene:
    """Return a scene as it is, or make the scene of a page."""
    return _function(page.scene)(*page.state, **page.named) if isinstance(page, Page) else page


def scene_of(view: TableView) -> Scene:
    """Return the scene for the table's current state, below any opened pages."""
    game = view.game
    if view.doubt is not None:
        return _scene(_Special.DISAGREEMENT)
    if game is None and view.delivery.link is LinkPhase.NOT_ENROLLED:
        return _scene(_Special.ENROL)
    if game is None or view.edition is None:
        return _scene(_Special.WAITING)
    if view.is_relieved or view.steps_to_come:
        return _scene(_Special.RELIEVED if view.is_relieved else _Special.TAKING_OVER)
    if view.is_locked and (view.is_wet or shows_lock(game)):
        return _scene(_Special.LOCKED)
    if game.duel is not None and awaited_seats(game):
        return _scene(Phase.ENDED)
    if game.duel is not None and game.phase in {Phase.DUEL, Phase.SHEET}:
        return _scene(game.duel.phase)
    if game.phase is Phase.PLAYING:
        return _scene(_question_in(game, view.edition) or Phase.PLAYING)
    return _scene(game.phase)


def _question_in(game: GameState, edition: Edition) -> _Special | None:
    if game.pending:
        return _Special.LAST_LIFE
    if game.revolution_question is not None:
        return _Special.REVOLUTION
    if game.doubtful:
        return _Special.STILL_IN_PLAY
    return _Special.WHOSE_TURN if game.is_turn_unknown and records_turns(game, edition) else None


_SCENES: Final[Mapping[_Special | Phase | DuelPhase, str]] = {
    _Special.DISAGREEMENT: "ending.closed:journals_disagree",
    _Special.ENROL: "connection.enrol:enrol_terminal",
    _Special.WAITING: "terminal.waiting:waiting",
    _Special.RELIEVED: "ending.closed:relieved",
    _Special.TAKING_OVER: "ending.closed:taking_over",
    _Special.LOCKED: "terminal.waiting:locked_table",
    _Special.LAST_LIFE: "play.questions:last_life",
    _Special.REVOLUTION: "play.questions:revolution",
    _Special.STILL_IN_PLAY: "play.questions:still_in_play",
    _Special.WHOSE_TURN: "play.questions:whose_turn",
    Phase.SEATING: "seating:seating",
    Phase.ROLES: "seating:roles",
    Phase.AUCTION: "auction:auction_table",
    Phase.CHARACTERS: "characters:characters",
    Phase.PLAYING: "play.play:play_table",
    Phase.ENDED: "ending.ending:ending_table",
    Phase.SHEET: "ending.record_sheet:sheet",
    Phase.CONFIRMED: "ending.confirmed:confirmed",
    Phase.VOIDED: "ending.closed:voided",
    DuelPhase.FACE_UP: "duel_opening:duel_setup",
    DuelPhase.CHOICE: "duel_opening:duel_setup",
    DuelPhase.LINES: "duel_opening:duel_setup",
    DuelPhase.OPENING: "duel_opening:duel_setup",
    DuelPhase.DRAFT: "duel_opening:duel_draft",
    DuelPhase.PLAYING: "duel:duel_table",
    DuelPhase.WON: "ending.record_sheet:sheet",
}
"""The function that makes the scene of each moment, as ``module:name`` below ``kiosk.scenes``."""


@cache
def _scene(moment: _Special | Phase | DuelPhase) -> Scene:
    return _function(_SCENES[moment])()


def _function(place: str) -> Callable[..., Scene]:
    module, _, name = place.partition(":")
    made: Callable[..., Scene] = getattr(importlib.import_module(f"{scenes.__name__}.{module}"), name)
    return made

"""The choice of the scene for each moment of a table. Pages that people open are shown on top of it.

A scene's module is imported when first shown, so that the first picture appears sooner; ``load_scenes``
imports the rest.
"""

import enum
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Final

from saloon.core.editions.edition import Edition
from saloon.core.game.duel.state import DuelPhase
from saloon.core.game.ending.agreement import awaited_seats
from saloon.core.game.play.turns import records_turns
from saloon.core.game.state import GameState, Phase
from saloon.kiosk import scenes
from saloon.kiosk.scenes.scene import Scene
from saloon.kiosk.view.table_view import TableView
from saloon.sync.terminal.agent_contract import LinkPhase


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
    if view.is_locked and (view.is_wet or _shows_lock(game)):
        return _scene(_Special.LOCKED)
    if game.duel is not None and awaited_seats(game):
        return _scene(Phase.ENDED)
    if game.duel is not None and game.phase in {Phase.DUEL, Phase.SHEET}:
        return _scene(game.duel.phase)
    if game.phase is Phase.PLAYING:
        return _scene(_question_in(game, view.edition) or Phase.PLAYING)
    return _scene(game.phase)


def _question_in(game: GameState, edition: Edition) -> _Special | None:
    """Return the question that must be answered before the game continues, or None."""
    if game.pending:
        return _Special.LAST_LIFE
    if game.revolution_question is not None:
        return _Special.REVOLUTION
    if game.doubtful:
        return _Special.STILL_IN_PLAY
    return _Special.WHOSE_TURN if game.is_turn_unknown and records_turns(game, edition) else None


def _shows_lock(game: GameState) -> bool:
    from saloon.kiosk.scenes.locked import shows_lock

    return shows_lock(game)


_SCENES: Final[Mapping[_Special | Phase | DuelPhase, str]] = {
    _Special.DISAGREEMENT: "saloon.kiosk.scenes.ending.closed:DisagreementScene",
    _Special.ENROL: "saloon.kiosk.scenes.connection.enrol:EnrolScene",
    _Special.WAITING: "saloon.kiosk.scenes.waiting:WaitingScene",
    _Special.RELIEVED: "saloon.kiosk.scenes.ending.closed:RelievedScene",
    _Special.TAKING_OVER: "saloon.kiosk.scenes.ending.closed:TakingOverScene",
    _Special.LOCKED: "saloon.kiosk.scenes.locked:LockedScene",
    _Special.LAST_LIFE: "saloon.kiosk.scenes.play.last_life:LastLifeScene",
    _Special.REVOLUTION: "saloon.kiosk.scenes.play.last_life:RevolutionScene",
    _Special.STILL_IN_PLAY: "saloon.kiosk.scenes.play.turn_questions:DoubtScene",
    _Special.WHOSE_TURN: "saloon.kiosk.scenes.play.turn_questions:UnknownTurnScene",
    Phase.SEATING: "saloon.kiosk.scenes.setup.seating:SeatingScene",
    Phase.ROLES: "saloon.kiosk.scenes.setup.roles:RolesScene",
    Phase.AUCTION: "saloon.kiosk.scenes.auction.auction:AuctionScene",
    Phase.CHARACTERS: "saloon.kiosk.scenes.setup.characters:CharactersScene",
    Phase.PLAYING: "saloon.kiosk.scenes.play.play:PlayScene",
    Phase.ENDED: "saloon.kiosk.scenes.ending.ending:EndingScene",
    Phase.SHEET: "saloon.kiosk.scenes.ending.record_sheet:SheetScene",
    Phase.CONFIRMED: "saloon.kiosk.scenes.ending.confirmed:ConfirmedScene",
    Phase.VOIDED: "saloon.kiosk.scenes.ending.closed:VoidedScene",
    DuelPhase.FACE_UP: "saloon.kiosk.scenes.duel.arena:DuelSetupScene",
    DuelPhase.CHOICE: "saloon.kiosk.scenes.duel.arena:DuelSetupScene",
    DuelPhase.LINES: "saloon.kiosk.scenes.duel.arena:DuelSetupScene",
    DuelPhase.OPENING: "saloon.kiosk.scenes.duel.arena:DuelSetupScene",
    DuelPhase.DRAFT: "saloon.kiosk.scenes.duel.grid:DraftScene",
    DuelPhase.PLAYING: "saloon.kiosk.scenes.duel.arena:DuelScene",
    DuelPhase.WON: "saloon.kiosk.scenes.duel.sheet:DuelSheetScene",
}
"""The scene for each moment, as ``module:class``."""


@cache
def _scene(moment: _Special | Phase | DuelPhase) -> Scene:
    module, _, name = _SCENES[moment].partition(":")
    made: Scene = getattr(importlib.import_module(module), name)()
    return made

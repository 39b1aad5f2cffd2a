"""Which scene a moment of the table has. What fingers have opened lies on top of it.

A scene is loaded when it is shown first, so that the first picture waits for no other; ``load_scenes`` loads
the rest.
"""

import enum
import importlib
import pkgutil
from functools import cache
from typing import Literal, assert_never

from saloon.core.game.duel.state import DuelPhase
from saloon.core.game.ending.agreement import awaited
from saloon.core.game.state import GameState, Phase
from saloon.kiosk import scenes
from saloon.kiosk.scenes.scene import Scene
from saloon.kiosk.view.table_view import TableView
from saloon.sync.terminal.agent_contract import LinkPhase


class _Special(enum.Enum):
    """Moments that are no phase of a game."""

    DISAGREEMENT = enum.auto()
    ENROL = enum.auto()
    WAITING = enum.auto()
    RELIEVED = enum.auto()
    TAKING_OVER = enum.auto()
    LOCKED = enum.auto()
    LAST_LIFE = enum.auto()
    REVOLUTION = enum.auto()


def load_scenes() -> None:
    """Load those that nobody has seen yet: a finger shall wait for none."""
    for module in pkgutil.walk_packages(scenes.__path__, f"{scenes.__name__}."):
        importlib.import_module(module.name)


def scene_of(view: TableView) -> Scene:
    """Return the scene at the bottom of the stack."""
    game = view.game
    if view.doubt is not None:
        return _scene(_Special.DISAGREEMENT)
    if game is None and view.delivery.link is LinkPhase.NOT_ENROLLED:
        return _scene(_Special.ENROL)
    if game is None or view.edition is None:
        return _scene(_Special.WAITING)
    if view.is_relieved or view.steps_to_come:
        return _scene(_Special.RELIEVED if view.is_relieved else _Special.TAKING_OVER)
    if view.is_locked and _shows_lock(game):
        return _scene(_Special.LOCKED)
    if game.duel is not None and awaited(game):
        return _of_phase(Phase.ENDED)
    if game.duel is not None and game.phase in {Phase.DUEL, Phase.SHEET}:
        return _of_duel(game.duel.phase)
    if game.phase is Phase.PLAYING and game.pending:
        return _scene(_Special.LAST_LIFE)
    if game.revolution_question is not None:
        return _scene(_Special.REVOLUTION)
    return _of_phase(game.phase)


def _shows_lock(game: GameState) -> bool:
    from saloon.kiosk.scenes.locked import shows_lock

    return shows_lock(game)


@cache
def _scene(special: _Special) -> Scene:
    match special:
        case _Special.DISAGREEMENT:
            from saloon.kiosk.scenes.connection.card_conflict import DisagreementScene

            return DisagreementScene()
        case _Special.ENROL:
            from saloon.kiosk.scenes.connection.enrol import EnrolScene

            return EnrolScene()
        case _Special.WAITING:
            from saloon.kiosk.scenes.waiting import WaitingScene

            return WaitingScene()
        case _Special.RELIEVED:
            from saloon.kiosk.scenes.ending.closed import RelievedScene

            return RelievedScene()
        case _Special.TAKING_OVER:
            from saloon.kiosk.scenes.ending.closed import TakingOverScene

            return TakingOverScene()
        case _Special.LOCKED:
            from saloon.kiosk.scenes.locked import LockedScene

            return LockedScene()
        case _Special.LAST_LIFE:
            from saloon.kiosk.scenes.play.last_life import LastLifeScene

            return LastLifeScene()
        case _Special.REVOLUTION:
            from saloon.kiosk.scenes.play.revolution import RevolutionScene

            return RevolutionScene()
        case _:
            assert_never(special)


@cache
def _of_phase(phase: Phase) -> Scene:
    match phase:
        case Phase.SEATING:
            from saloon.kiosk.scenes.setup.seating import SeatingScene

            return SeatingScene()
        case Phase.ROLES:
            from saloon.kiosk.scenes.setup.roles import RolesScene

            return RolesScene()
        case Phase.AUCTION:
            from saloon.kiosk.scenes.auction.auction import AuctionScene

            return AuctionScene()
        case Phase.CHARACTERS:
            from saloon.kiosk.scenes.setup.characters import CharactersScene

            return CharactersScene()
        case Phase.PLAYING:
            from saloon.kiosk.scenes.play.play import PlayScene

            return PlayScene()
        case Phase.ENDED | Phase.SHEET | Phase.CONFIRMED | Phase.VOIDED:
            return _of_end(phase)
        case Phase.DUEL:
            raise ValueError("a duel has phases of its own")
        case _:
            assert_never(phase)


def _of_end(phase: Literal[Phase.ENDED, Phase.SHEET, Phase.CONFIRMED, Phase.VOIDED]) -> Scene:
    match phase:
        case Phase.ENDED:
            from saloon.kiosk.scenes.ending.ending import EndingScene

            return EndingScene()
        case Phase.SHEET:
            from saloon.kiosk.scenes.ending.record_sheet import SheetScene

            return SheetScene()
        case Phase.CONFIRMED:
            from saloon.kiosk.scenes.ending.closed import ConfirmedScene

            return ConfirmedScene()
        case Phase.VOIDED:
            from saloon.kiosk.scenes.ending.closed import VoidedScene

            return VoidedScene()
        case _:
            assert_never(phase)


@cache
def _of_duel(phase: DuelPhase) -> Scene:
    match phase:
        case DuelPhase.FACE_UP | DuelPhase.CHOICE | DuelPhase.LINES | DuelPhase.OPENING:
            from saloon.kiosk.scenes.duel.setup import DuelSetupScene

            return DuelSetupScene()
        case DuelPhase.DRAFT:
            from saloon.kiosk.scenes.duel.turned_up import DraftScene

            return DraftScene()
        case DuelPhase.PLAYING:
            from saloon.kiosk.scenes.duel.arena import DuelScene

            return DuelScene()
        case DuelPhase.WON:
            from saloon.kiosk.scenes.duel.sheet import DuelSheetScene

            return DuelSheetScene()
        case _:
            assert_never(phase)

"""The choice of the scene for each moment of a table. Pages that people open are shown on top of it.

A scene's module is imported when first shown, so that the first frame appears sooner; ``load_scenes`` imports
the rest.
"""

import enum
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Final

import msgspec

from core.editions.edition import Edition
from core.game.ending.sheet import awaited_seats
from core.game.play.turns import records_turns
from core.game.state.duel import DuelPhase
from core.game.state.game import GameState, Phase
from kiosk import scenes
from kiosk.scenes import pages
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


_PAGES: Final[Mapping[type[Page], str]] = {
    pages.Menu: "kiosk.scenes.settings:table_menu",
    pages.JudgeMenu: "kiosk.scenes.judge.judge_menu:judge_menu",
    pages.JudgeCallPage: "kiosk.scenes.judge.judge_called:judge_called",
    pages.Pin: "kiosk.scenes.judge.pin:PinScene",
    pages.RulePage: "kiosk.scenes.rule_card:rule_page",
    pages.Rules: "kiosk.scenes.rule_card:all_rules",
    pages.PlayerMenu: "kiosk.scenes.play.player_menu:player_menu",
    pages.EliminationPage: "kiosk.scenes.play.elimination:EliminationScene",
    pages.Story: "kiosk.scenes.play.story:game_story",
    pages.ConnectionPage: "kiosk.scenes.connection.connection:connection_page",
    pages.Enrol: "kiosk.scenes.connection.enrol:enrol_terminal",
    pages.OfflineTransfer: "kiosk.scenes.connection.offline_transfer:offline_transfer",
    pages.Language: "kiosk.scenes.settings:languages",
    pages.SoundPage: "kiosk.scenes.settings:sound_settings",
    pages.DisplaySettings: "kiosk.scenes.settings:display_settings",
}
"""The scene of each page, as ``module:name``; it takes the page's fields as arguments."""


def open_scene(page: Scene | Page) -> Scene:
    """Return a scene as it is, or make the scene of a page."""
    if not isinstance(page, Page):
        return page
    fields = msgspec.structs.asdict(page)
    if isinstance(page, pages.EliminationPage):
        # About a further victim of the same card, the table has already said whose turn it is.
        fields["is_turn_told"] = page.is_out_too
    return _make_scene(_PAGES[type(page)], **fields)


def _make_scene(place: str, **fields: object) -> Scene:
    module, _, name = place.partition(":")
    scene: Scene = getattr(importlib.import_module(module), name)(**fields)
    return scene


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
    _Special.DISAGREEMENT: "kiosk.scenes.ending.closed:journals_disagree",
    _Special.ENROL: "kiosk.scenes.connection.enrol:enrol_terminal",
    _Special.WAITING: "kiosk.scenes.terminal.waiting:waiting",
    _Special.RELIEVED: "kiosk.scenes.ending.closed:relieved",
    _Special.TAKING_OVER: "kiosk.scenes.ending.closed:taking_over",
    _Special.LOCKED: "kiosk.scenes.terminal.waiting:locked_table",
    _Special.LAST_LIFE: "kiosk.scenes.play.questions:last_life",
    _Special.REVOLUTION: "kiosk.scenes.play.questions:revolution",
    _Special.STILL_IN_PLAY: "kiosk.scenes.play.questions:still_in_play",
    _Special.WHOSE_TURN: "kiosk.scenes.play.questions:whose_turn",
    Phase.SEATING: "kiosk.scenes.seating:seating",
    Phase.ROLES: "kiosk.scenes.seating:roles",
    Phase.AUCTION: "kiosk.scenes.auction:auction_table",
    Phase.CHARACTERS: "kiosk.scenes.characters:characters",
    Phase.PLAYING: "kiosk.scenes.play.play:play_table",
    Phase.ENDED: "kiosk.scenes.ending.ending:ending_table",
    Phase.SHEET: "kiosk.scenes.ending.record_sheet:game_sheet",
    Phase.CONFIRMED: "kiosk.scenes.ending.closed:confirmed",
    Phase.VOIDED: "kiosk.scenes.ending.closed:voided",
    DuelPhase.FACE_UP: "kiosk.scenes.duel_opening:duel_setup",
    DuelPhase.CHOICE: "kiosk.scenes.duel_opening:duel_setup",
    DuelPhase.LINES: "kiosk.scenes.duel_opening:duel_setup",
    DuelPhase.OPENING: "kiosk.scenes.duel_opening:duel_setup",
    DuelPhase.DRAFT: "kiosk.scenes.duel_opening:duel_draft",
    DuelPhase.PLAYING: "kiosk.scenes.duel:duel_table",
    DuelPhase.WON: "kiosk.scenes.ending.record_sheet:duel_sheet",
}
"""The scene of each moment, as ``module:name``."""


@cache
def _scene(moment: _Special | Phase | DuelPhase) -> Scene:
    return _make_scene(_SCENES[moment])

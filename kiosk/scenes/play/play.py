"""The game itself: the players' panels, and the middle with the turn, the deck and help."""

from typing import Final

from saloon.core.game.commands import EndTurn, Reshuffle
from saloon.core.rule_set import OptionKey
from saloon.kiosk.scenes.locked import lock_offer, lock_reply
from saloon.kiosk.scenes.play.life_panel import life_panel, life_reply
from saloon.kiosk.scenes.scene import Reply, RootScene, SceneContext, command_reply
from saloon.kiosk.scenes.settings.menu import MenuScene
from saloon.kiosk.scenes.story.guide import turn_head
from saloon.kiosk.scenes.widgets.page_parts import (
    NOWHERE,
    Offer,
    common,
    judge_offer,
    menu_offer,
    middle,
    strip,
    undo_offer,
)
from saloon.kiosk.ui.geometry import Rect
from saloon.kiosk.ui.parts import Block, Box, Button, ButtonStyle, Part
from saloon.kiosk.view import theme

_TALL_MM: Final = 1.2
_TICKS: Final = 4


def turn_bar(stage: SceneContext, middle: Rect) -> tuple[Block, ...]:
    """Return the bar along the upper edge of the middle; nothing without a timer."""
    time = stage.table.turn_time
    if time is None:
        return ()
    mm = stage.mm
    # In the gap above the middle, so that no text is covered.
    rect = Rect(middle.x, middle.y - mm(_TALL_MM), middle.w, mm(_TALL_MM))
    room = Rect(0, 0, rect.w, rect.h)
    filled = room.w * time.spent_s // time.limit_s
    parts: list[Part] = [Box(room, theme.PLANK_EDGE)]
    if filled:
        parts.append(Box(Rect(0, 0, filled, room.h), theme.NOON if time.is_over else theme.CREAM_SOFT))
    # Quarter marks, so that the share can be read without its colour.
    parts += [
        Box(Rect(room.w * tick // _TICKS, 0, max(1, mm(0.3)), room.h), theme.WOOD)
        for tick in range(1, _TICKS)
    ]
    return (Block("turn-bar", rect, tuple(parts)),)


class PlayScene(RootScene):
    """The main scene of a game: life points, turns and reshuffles."""

    name: Final = "play"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show the panels around the edge and the buttons of the table in the middle."""
        panels = (life_panel(stage, seat) for seat in stage.game.seats)
        offers = (
            Offer(self._end_turn(stage), 2.0),
            Offer(self._reshuffle(stage), 2.0),
            undo_offer(stage),
            judge_offer(stage),
            menu_offer(stage),
            *lock_offer(stage),
        )
        return (
            *panels,
            middle(stage, stage.ring.middle, turn_head(stage), offers),
            *turn_bar(stage, stage.ring.middle),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Send a command to the game, or open a menu."""
        del stage
        match target:
            case "end-turn":
                return command_reply(EndTurn())
            case "reshuffle":
                return command_reply(Reshuffle())
            case "menu":
                return Reply(opens=MenuScene())
            case _:
                return life_reply(target) or lock_reply(target) or common(target) or Reply()

    def _end_turn(self, stage: SceneContext) -> Button:
        _ = stage.words.gettext
        return Button(
            NOWHERE,
            "end-turn",
            _("End turn"),
            ButtonStyle.MAIN,
            "arrow",
            self._ruthless(stage),
            size_px=stage.mm(5),
            enabled=stage.allows(EndTurn()),
        )

    def _ruthless(self, stage: SceneContext) -> str:
        """Return the Ruthless Law's reminder for the Sheriff; empty without it or in other turns.

        Source: Official Score System 2003, "The Ruthless Law".
        """
        sheriffs = stage.game.turn == stage.game.sheriff
        if OptionKey.RUTHLESS_LAW not in stage.edition.chosen or not sheriffs:
            return ""
        return stage.words.gettext("don't discard BANG!")

    def _reshuffle(self, stage: SceneContext) -> Button:
        _ = stage.words.gettext
        return Button(
            NOWHERE,
            "reshuffle",
            _("Reshuffle"),
            icon="shuffle",
            small=_("Deck {number}").format(number=stage.game.reshuffles + 1),
            size_px=stage.mm(5),
            enabled=stage.allows(Reshuffle()),
        )

"""The main scene of a game: players' panels, and the turn, the deck and help in the middle."""

from typing import Final, assert_never

from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, records_turns
from core.rule_set import OptionKey
from kiosk.scenes.heads.guide import turn_head
from kiosk.scenes.play.life_panel import life_panel
from kiosk.scenes.play.reshuffles import late_reshuffle
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.page_parts import Offer, lock_offer, offer, table_offers, table_page
from kiosk.ui.blocks import Block, Box, ButtonStyle, Part
from kiosk.ui.geometry import Rect
from kiosk.view import theme
from kiosk.view.intents import LetRest
from kiosk.view.table_view import TableQuestion

_TALL_MM: Final = 1.2
_TICKS: Final = 4


def turn_bar(stage: SceneContext, middle: Rect) -> tuple[Block, ...]:
    """Return the turn timer's bar along the upper edge of the middle, or nothing without a timer."""
    time = stage.table.turn_time
    if time is None:
        return ()
    mm = stage.mm
    # Draw it in the gap above the middle, so that it covers no text.
    rect = Rect(middle.x, middle.y - mm(_TALL_MM), middle.w, mm(_TALL_MM))
    room = Rect(0, 0, rect.w, rect.h)
    filled = room.w * time.spent_s // time.limit_s
    parts: list[Part] = [Box(room, theme.PLANK_EDGE)]
    if filled:
        parts.append(Box(Rect(0, 0, filled, room.h), theme.NOON if time.is_over else theme.CREAM_SOFT))
    # Quarter marks make it readable without colours.
    parts += [
        Box(Rect(room.w * tick // _TICKS, 0, max(1, mm(0.3)), room.h), theme.WOOD)
        for tick in range(1, _TICKS)
    ]
    return (Block("turn-bar", rect, tuple(parts)),)


class PlayScene(PersistentScene):
    """The main scene of a game: life points, turns and reshuffles."""

    name: Final = "play"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw panels around the edge and shared buttons in the middle, turned towards the player in turn."""
        stage = stage.for_turn_player()
        panels = (life_panel(stage, seat) for seat in stage.game.seats)
        turn = (self._end_turn(stage),) if records_turns(stage.game, stage.edition) else ()
        offers = (
            *self._answers(stage),
            *turn,
            *(() if stage.table.question is TableQuestion.RESHUFFLED else (self._reshuffle(stage),)),
            *table_offers(stage),
            *(() if stage.table.may_redo else (lock_offer(stage),)),
        )
        bar = turn_bar(stage, stage.ring.middle)
        return table_page(stage, (*panels, *bar), turn_head(stage), offers)

    def _end_turn(self, stage: SceneContext) -> Offer:
        words = stage.words.gettext("End turn")
        return offer(
            stage, "end-turn", words, command_reply(EndTurn()), 2, size_mm=5, look=ButtonStyle.MAIN,
            icon="arrow", small=self._ruthless(stage), enabled=stage.allows(EndTurn()),
        )  # fmt: skip

    def _answers(self, stage: SceneContext) -> tuple[Offer, ...]:
        """Return the answers to a question about something that may have been forgotten."""
        _, question = stage.words.gettext, stage.table.question
        if question is None:
            return ()
        rests = Reply(intents=(LetRest(question),))
        card = ButtonStyle.CARD
        match question:
            case TableQuestion.STILL_TURN:
                return (offer(stage, "still-turn", _("Yes, still"), rests, 1.8, look=card),)
            case TableQuestion.RESHUFFLED:
                known = records_turns(stage.game, stage.edition)
                yes = Reply(opens=late_reshuffle()) if known else command_reply(Reshuffle())
                return (
                    offer(stage, "reshuffled", _("Yes"), yes, 1.4, look=card, icon="shuffle"),
                    offer(stage, "not-reshuffled", _("Not yet"), rests, 1.6, look=card),
                )
            case _:
                assert_never(question)

    def _ruthless(self, stage: SceneContext) -> str:
        """Return the Ruthless Law's reminder for the Sheriff; empty in other turns, or without that law.

        Source: Official Score System 2003, "The Ruthless Law".
        """
        sheriffs = stage.game.turn == stage.game.sheriff
        if OptionKey.RUTHLESS_LAW not in stage.edition.chosen or not sheriffs:
            return ""
        return stage.words.gettext("don't discard BANG!")

    def _reshuffle(self, stage: SceneContext) -> Offer:
        _, command = stage.words.gettext, Reshuffle()
        small = _("Deck {number}").format(number=stage.game.reshuffles + 1)
        return offer(
            stage, "reshuffle", _("Reshuffle"), command_reply(command), 2.3, size_mm=5, icon="shuffle",
            small=small, small_share=1, enabled=stage.allows(command),
        )  # fmt: skip

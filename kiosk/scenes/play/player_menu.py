"""A player's menu, opened by holding the panel: leave, Jail, the Rebel!, special cases and language."""

from functools import partial

from core.game.ending.rebel import RevealRebel
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.turns import MarkJailed, SkipTurn
from core.game.state.game import Cause, Phase, Seat
from core.terms import Role, SeatNo
from kiosk.scenes.pages import EliminationPage, Rules
from kiosk.scenes.play.rebel_news import rebel_revealed
from kiosk.scenes.play.reminders import RemindersScene
from kiosk.scenes.scene import Reply, SceneContext, command_reply
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    Heading,
    Offer,
    ask_judge,
    back_offer,
    language_button,
    offer,
)
from kiosk.ui.blocks import ButtonStyle


def _may_leave(stage: SceneContext, seat: SeatNo) -> bool:
    return stage.allows(Abandon(seat))


@dialog("leaving", holds=_may_leave)
def leaving(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain what leaving means, and ask the judge to confirm it."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "If you leave, your hand is discarded and your character stays in play, passive: it "
        "skips its turns, plays nothing and can be hit. You can't come back in this "
        "tournament."
    )
    if stage.game.duel is not None:
        text = _("If you leave, your opponent wins the duel.")
    name = stage.seat(seat).name
    leave = offer(
        stage, f"seat-{seat}-abandon", _("Judge, hold: {name} leaves").format(name=name),
        partial(_leave, stage, seat), 4, look=ButtonStyle.GRAVE, icon="away", hold_ms=HOLD_MS,
        enabled=stage.allows(Abandon(seat)),
    )  # fmt: skip
    head = Heading(_("{name} leaves?").format(name=name), text, "away")
    return Dialog(stage, head, (back_offer(stage, 1.4), leave))


def _leave(stage: SceneContext, seat: SeatNo) -> Reply:
    done = stage.shared_words.gettext("{name} has left.").format(name=stage.seat(seat).name)
    return ask_judge(stage, Abandon(seat), done, leaves=True)


def _has_menu(stage: SceneContext, seat: SeatNo) -> bool:
    game = stage.table.game
    if game is None or game.phase is Phase.ENDED:
        return False
    return stage.allows(Abandon(seat)) or (
        stage.seat(seat).passive and stage.seat(seat).in_play and game.phase is Phase.PLAYING
    )


@dialog("player-menu", holds=_has_menu)
def player_menu(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Offer actions and information for one player, turned towards that player."""
    stage = stage.in_language_of(seat)
    _, player = stage.words.gettext, stage.seat(seat)
    cases, rules = Reply(opens=RemindersScene(seat)), Reply(opens=Rules(seat))
    leaves = Reply(opens=leaving(seat))
    offers = [
        back_offer(stage, 1.4),
        offer(stage, "reminders", _("Special cases"), cases, 2.6, icon="story"),
        offer(stage, "rules", _("Rules"), rules, 2.2, icon="question"),
        Offer(language_button(stage, stage.mm(4.6), seat), 2.2),
        offer(
            stage, f"seat-{seat}-leaves", _("Leave"), leaves, 2, icon="away",
            enabled=stage.allows(Abandon(seat)),
        ),
    ]  # fmt: skip
    if may_eliminate(stage, seat):
        out = Reply(becomes=elimination_of(seat, stage))
        offers.append(
            offer(stage, "eliminated", _("Eliminated"), out, 2.6, look=ButtonStyle.MAIN, icon="tombstone")
        )
    # Everybody in turn gets this button, as otherwise it would reveal who is the Rebel!.
    reveal = RevealRebel(seat)
    if stage.allows(reveal):
        shows = Reply(command_reply(reveal).intents, becomes=rebel_revealed(seat))
        words = _("Hold: show the Rebel!")
        offers.append(offer(stage, "reveal-rebel", words, shows, 3, icon="star", hold_ms=HOLD_MS))
    if stage.game.turn == seat and stage.allows(SkipTurn()):
        skip = command_reply(SkipTurn(), closes=True)
        offers.append(offer(stage, "skip-turn", _("In Jail: skip turn"), skip, 2.6, icon="lock"))
    jailed = MarkJailed(seat)
    if stage.allows(jailed):
        was = command_reply(jailed, closes=True)
        offers.append(offer(stage, f"jailed-{seat}", _("Was in Jail"), was, 2.6, icon="lock"))
    return Dialog(stage, Heading(player.name, _character_words(player), "menu"), offers)


def elimination_of(seat: SeatNo, stage: SceneContext) -> EliminationPage:
    """Return the page of an elimination with its first question, which High Noon may have answered."""
    game = stage.game
    by_noon = seat in game.doubtful or (game.high_noon_question and seat in game.pending)
    was_asked = seat in game.pending or seat in game.doubtful
    return EliminationPage(seat, Cause.HIGH_NOON if by_noon else None, was_asked=was_asked)


def may_eliminate(stage: SceneContext, seat: SeatNo) -> bool:
    """Return whether a player may be eliminated now, whatever their life points."""
    return stage.is_in(Phase.PLAYING) and any(
        stage.allows(Eliminate(seat, None, role, Cause.DYNAMITE)) for role in Role
    )


def _character_words(seat: Seat) -> str:
    return "" if seat.character is None else seat.character.value

"""Questions about a reshuffle: soon after another one, entered late, or in an uncertain turn."""

from typing import Final

from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import SetTurn
from core.game.state.game import Seat
from core.game.state.seats import seats_after
from core.game.timeline import steps_back_to_turn
from kiosk.scenes.play.turn_again import TurnAgainScene
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, dialog, in_play
from kiosk.scenes.widgets.page_parts import Heading, Tone, back_offer, offer
from kiosk.ui.blocks import ButtonStyle
from kiosk.view.intents import AskGame

_SHARE: Final = 2.4


@dialog("reshuffle-again", when=in_play)
def reshuffle_again(stage: SceneContext) -> Dialog:
    """Ask after a second press whether the deck was reshuffled once or twice."""
    stage = stage.for_turn_player()
    _, ngettext, count = stage.words.gettext, stage.words.ngettext, stage.game.reshuffles
    text = ngettext(
        "{count} reshuffle has been counted so far.",
        "{count} reshuffles have been counted so far.",
        count,
    ).format(count=count)
    again = Reply((AskGame(Reshuffle(), is_certain=True, in_any_turn=True),), closes=True)
    title, yes, no = _("Reshuffled again?"), _("Yes, count another"), _("No, it was counted")
    if not count:
        title, yes, no = _("Has the deck been reshuffled?"), _("Yes"), _("Not yet")
    offers = (
        offer(stage, "reshuffled-again", yes, again, 2.6, icon="shuffle"),
        back_offer(stage, label=no, share=2.6),
    )
    return Dialog(stage, Heading(title, text, "shuffle", Tone.LOUD), offers)


@dialog("late-reshuffle", when=in_play)
def late_reshuffle(stage: SceneContext) -> Dialog:
    """Ask in whose turn a late reshuffle happened."""
    stage = stage.for_turn_player()
    _ = stage.words.gettext
    offers = []
    for seat in _last_round(stage):
        now = seat.seat == stage.game.turn
        command = Reshuffle() if now else Reshuffle(during=seat.seat)
        enter = Reply(intents=(AskGame(command, is_certain=True),), closes=True)
        words = _("Now, on {name}'s turn") if now else _("{name}'s turn")
        look = ButtonStyle.MAIN if now else ButtonStyle.CARD
        offers.append(
            offer(stage, f"during-{seat.seat}", words.format(name=seat.name), enter, _SHARE, look=look)
        )
    text = _("When High Noon begins depends on whose turn it was.")
    head = Heading(_("Whose turn was it?"), text, "shuffle")
    return Dialog(stage, head, (*offers, back_offer(stage, 1.6)))


@dialog("reshuffled-in-turn", when=in_play)
def reshuffled_in_turn(stage: SceneContext) -> Dialog:
    """Ask whose turn it is when a reshuffle arms High Noon; the answer corrects the turn first."""
    stage = stage.for_turn_player()
    _, game = stage.words.gettext, stage.game
    turn = stage.seat(game.turn or game.sheriff)
    reshuffle = AskGame(Reshuffle(), is_certain=True)
    words = _("Yes, {name}'s turn").format(name=turn.name)
    yes = Reply(intents=(reshuffle,), closes=True)
    offers = [offer(stage, f"in-turn-{turn.seat}", words, yes, _SHARE, look=ButtonStyle.MAIN)]
    for seat in seats_after(game, turn.seat):
        command = SetTurn(seat.seat)
        if seat.seat != turn.seat and stage.allows(command):
            words = _("{name}'s turn").format(name=seat.name)
            other = Reply(intents=(AskGame(command), reshuffle), closes=True)
            if steps_back_to_turn(stage.table.timeline, seat.seat) is not None:
                other = Reply(becomes=TurnAgainScene(seat.seat, then=(reshuffle,)))
            offers.append(offer(stage, f"in-turn-{seat.seat}", words, other, _SHARE, look=ButtonStyle.CARD))
    text = _("When High Noon begins depends on whose turn it was.")
    head = Heading(_("Is it {name}'s turn?").format(name=turn.name), text, "shuffle")
    return Dialog(stage, head, (*offers, back_offer(stage, 1.6)))


def _last_round(stage: SceneContext) -> tuple[Seat, ...]:
    """Return the players of the last round of turns, the current one first."""
    game = stage.game
    turn = game.turn or game.sheriff
    earlier = [seat for seat in seats_after(game, turn) if seat.in_play and seat.seat != turn]
    return (stage.seat(turn), *reversed(earlier))

"""A reshuffle that is entered late: in whose turn it was, because High Noon begins by it."""

from typing import ClassVar, Final

from saloon.core.game.commands import Reshuffle
from saloon.core.game.seats import seats_after
from saloon.core.game.state import Phase, Seat
from saloon.kiosk.intents import AskGame
from saloon.kiosk.scenes.scene import Reply, SceneContext
from saloon.kiosk.scenes.widgets.page_parts import Heading, back_offer, dialog, offer
from saloon.kiosk.ui.parts import Block, ButtonStyle

_SHARE: Final = 2.4


class LateReshuffleScene:
    """The players of the last round of turns, the current one first."""

    name: ClassVar[str] = "late-reshuffle"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show a button for each turn in which it may have been."""
        _ = stage.words.gettext
        offers = []
        for seat in _last_round(stage):
            now = seat.seat == stage.game.turn
            command = Reshuffle() if now else Reshuffle(during=seat.seat)
            enter = Reply(intents=(AskGame(command, is_certain=True),), closes=True)
            words = _("Now, in {name}'s turn") if now else _("{name}'s turn")
            look = ButtonStyle.MAIN if now else ButtonStyle.CARD
            offers.append(
                offer(stage, f"during-{seat.seat}", words.format(name=seat.name), enter, _SHARE, look=look)
            )
        text = _("High Noon begins by the turn in which the deck ran out.")
        head = Heading(_("In whose turn was it?"), text, "shuffle")
        return dialog(stage, head, (*offers, back_offer(stage, 1.6)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the game is being played."""
        return stage.is_in(Phase.PLAYING)


def _last_round(stage: SceneContext) -> tuple[Seat, ...]:
    """Return the players of the last turns, the current one first."""
    game = stage.game
    turn = game.turn or game.sheriff
    earlier = [seat for seat in seats_after(game, turn) if seat.in_play and seat.seat != turn]
    return (stage.seat(turn), *reversed(earlier))

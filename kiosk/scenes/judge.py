"""What only the judge may do at a terminal."""

from collections.abc import Iterator
from typing import Final

from saloon.core.editions.readings import TimeLimit
from saloon.core.game.commands import Abandon, EndByTimeLimit, GameCommand, VoidGame
from saloon.kiosk.intents import BeginAnew, GoOnHere
from saloon.kiosk.scenes.carry import CarryScene, carry_offer
from saloon.kiosk.scenes.connection import ConnectionScene
from saloon.kiosk.scenes.dialog import dialog
from saloon.kiosk.scenes.duel.ruling import ruling_offers, ruling_reply
from saloon.kiosk.scenes.furniture import HOLD_MS, NOWHERE, Head, Offer, back_offer, common
from saloon.kiosk.scenes.scene import Reply, Stage, asks, seat_in
from saloon.kiosk.scenes.time_limit import TimeLimitScene
from saloon.kiosk.table_view import CardDoubt
from saloon.kiosk.ui.parts import Block, Button, Look


class JudgeScene:
    """Ends by time, ejection, and a game taken back; each by a hold."""

    name: Final = "judge"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """What the rules allow at this moment of the game."""
        _ = stage.words.gettext
        link = Button(NOWHERE, "connection", _("Connection"), icon="link", size_px=stage.mm(4.2))
        offers = [back_offer(stage, 2), Offer(link, 2)]
        text = _("No game is seated here.")
        if stage.table.doubt is not None:
            head = Head(_("For the judge"), _decision_text(stage), "key")
            return dialog(stage, head, (*offers, *_decisions(stage)))
        if stage.table.game is not None:
            text = _("Hold a button. What is done here the story tells, and the station sees.")
            if stage.game.duel is None:
                offers.append(_time_offer(stage))
            else:
                offers += ruling_offers(stage)
            offers.append(carry_offer(stage, 2.6))
            offers.append(self._grave(stage, "void-game", _("Void the game"), VoidGame("")))
            offers += [
                self._grave(
                    stage,
                    f"seat-{seat.seat}-eject",
                    _("Eject {name}").format(name=seat.name),
                    Abandon(seat.seat, ejected=True),
                )
                for seat in stage.game.seats
                if seat.in_play and not seat.passive
            ]
        return dialog(stage, Head(_("For the judge"), text, "key"), offers)

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Asks the game in the judge's name."""
        match target:
            case "connection":
                return Reply(opens=ConnectionScene())
            case "begin-anew":
                return Reply(intents=(BeginAnew(),), closes=True)
            case "go-on-here":
                return Reply(intents=(GoOnHere(),), closes=True)
            case "end-by-time-limit":
                return Reply(becomes=TimeLimitScene())
            case "carry":
                return Reply(opens=CarryScene(by_judge=True))
            case "void-game":
                reason = stage.words.gettext("voided at the table")
                return Reply(asks(VoidGame(reason)).intents, closes=True)
            case _ if target.endswith("-eject"):
                return Reply(asks(Abandon(seat_in(target), ejected=True)).intents, closes=True)
            case _:
                return ruling_reply(target, stage) or common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """Until the judge leaves it."""
        del stage
        return True

    def _grave(self, stage: Stage, name: str, label: str, command: GameCommand) -> Offer:
        button = Button(
            NOWHERE,
            name,
            label,
            Look.GRAVE,
            size_px=stage.mm(4.2),
            hold_ms=HOLD_MS,
            enabled=stage.allows(command),
        )
        return Offer(button, 2.6)


def _decision_text(stage: Stage) -> str:
    _ = stage.words.gettext
    if stage.table.doubt is CardDoubt.FOREIGN:
        return _(
            "Moved here and used nowhere else: go on. The copy of a card: begin anew; "
            "its journal is set aside, then enrol it."
        )
    return _("On the copy of a card: begin anew. The old journal is set aside; then enrol it.")


def _decisions(stage: Stage) -> Iterator[Offer]:
    _ = stage.words.gettext
    size = stage.mm(4.2)
    if stage.table.doubt is CardDoubt.FOREIGN:
        go_on = Button(NOWHERE, "go-on-here", _("Go on here"), Look.MAIN, size_px=size, hold_ms=HOLD_MS)
        yield Offer(go_on, 2.6)
    yield Offer(
        Button(NOWHERE, "begin-anew", _("Begin anew"), Look.GRAVE, size_px=size, hold_ms=HOLD_MS), 2.6
    )


def _time_offer(stage: Stage) -> Offer:
    allowed = stage.allows(EndByTimeLimit(TimeLimit.NO_WINNER))
    words = stage.words.gettext("Time is over …")
    return Offer(
        Button(NOWHERE, "end-by-time-limit", words, icon="clock", size_px=stage.mm(4.2), enabled=allowed), 2.6
    )

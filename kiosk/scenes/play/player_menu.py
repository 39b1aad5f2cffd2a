"""A player's own menu, opened by holding the panel: leaving, Jail, the Rebel!, special cases, language."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import Abandon, RevealRebel, SkipTurn
from saloon.core.game.state import Phase
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.play.rebel_news import RebelRevealedScene
from saloon.kiosk.scenes.play.reminders import RemindersScene
from saloon.kiosk.scenes.scene import Reply, SceneContext, command_reply, parse_seat
from saloon.kiosk.scenes.settings.language import LanguageScene, language_button
from saloon.kiosk.scenes.story.rule_card import RulesScene
from saloon.kiosk.scenes.widgets.dialog import dialog
from saloon.kiosk.scenes.widgets.page_parts import HOLD_MS, NOWHERE, Heading, Offer, back_offer, common
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class PlayerMenuScene(msgspec.Struct, frozen=True):
    """Menu of a single player, turned to that player."""

    seat: SeatNo

    name: ClassVar[str] = "abandon"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw what leaving means, and the button to hold."""
        stage = stage.spoken_by(self.seat)
        _ = stage.words.gettext
        seat = stage.seat(self.seat)
        text = _(
            "If you leave, your hand is discarded and your character stays in play, passive: it "
            "skips its turns, plays nothing and can be hit. You can't come back in this "
            "tournament."
        )
        if stage.game.duel is not None:
            text = _("If you leave, your opponent wins the duel.")
        leave = Button(
            NOWHERE,
            f"seat-{self.seat}-abandon",
            _("Hold: {name} leaves").format(name=seat.name),
            ButtonStyle.GRAVE,
            "away",
            size_px=stage.mm(4.6),
            hold_ms=HOLD_MS,
            enabled=stage.allows(Abandon(self.seat)),
        )
        size = stage.mm(4.6)
        cases = Button(NOWHERE, "reminders", _("Special cases"), icon="story", size_px=size)
        rules = Button(NOWHERE, "rules", _("Rules"), icon="question", size_px=size)
        offers = [
            back_offer(stage, 1.4),
            Offer(cases, 2.6),
            Offer(rules, 2.2),
            Offer(language_button(stage, size), 2.2),
            Offer(leave, 3),
        ]
        # Offered to everybody in turn: that nobody else has the button would tell who may use it.
        if stage.allows(RevealRebel(self.seat)):
            reveal = Button(
                NOWHERE, "reveal-rebel", _("Hold: show the Rebel!"), icon="star", size_px=size,
                hold_ms=HOLD_MS,
            )  # fmt: skip
            offers.append(Offer(reveal, 3))
        if stage.game.turn == self.seat and stage.allows(SkipTurn()):
            skip = Button(NOWHERE, "skip-turn", _("In Jail: skip turn"), icon="lock", size_px=size)
            offers.append(Offer(skip, 2.6))
        turns = stage.ring.places[self.seat - 1].quarter_turns
        return dialog(stage, Heading(seat.name, text, "away"), offers, quarter_turns=turns)

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Leave, skip a turn, show the Rebel!, open the special cases or the languages, or close."""
        del stage
        match target:
            case "language":
                return Reply(opens=LanguageScene(self.seat))
            case "rules":
                return Reply(opens=RulesScene(self.seat))
            case "reminders":
                return Reply(opens=RemindersScene(self.seat))
            case "reveal-rebel":
                return Reply(
                    command_reply(RevealRebel(self.seat)).intents, becomes=RebelRevealedScene(self.seat)
                )
            case "skip-turn":
                return Reply(command_reply(SkipTurn()).intents, closes=True)
            case _:
                pass
        if target.endswith("-abandon"):
            reply = command_reply(Abandon(parse_seat(target)))
            return msgspec.structs.replace(reply, closes=True)
        return common(target) or Reply()

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the player may leave, or a passive seat is in play."""
        game = stage.table.game
        if game is None or game.phase is Phase.ENDED:
            return False
        return stage.allows(Abandon(self.seat)) or (
            stage.seat(self.seat).passive and stage.seat(self.seat).in_play and game.phase is Phase.PLAYING
        )

"""The game itself: the panels of the players, and the middle with the turn, the deck and help."""

from typing import Final

from saloon.core.editions.edition import HighNoonStarter
from saloon.core.game.commands import EndTurn, Reshuffle
from saloon.core.game.high_noon import reshuffles_to_high_noon
from saloon.core.game.state import HighNoon
from saloon.core.rule_set import OptionKey
from saloon.kiosk.scenes.furniture import (
    NOWHERE,
    Head,
    Offer,
    Tone,
    common,
    judge_offer,
    menu_offer,
    middle,
    strip,
    undo_offer,
)
from saloon.kiosk.scenes.life_panel import life_panel, life_reply
from saloon.kiosk.scenes.menu import MenuScene
from saloon.kiosk.scenes.rebel_news import is_new_sheriffs_first_turn
from saloon.kiosk.scenes.scene import Reply, Stage, asks
from saloon.kiosk.ui.parts import Block, Button, Look


class PlayScene:
    """Life points, turns and reshuffles."""

    name: Final = "play"

    def view(self, stage: Stage) -> tuple[Block, ...]:
        """Panels around the edge, the table's business in the middle."""
        panels = (life_panel(stage, seat) for seat in stage.game.seats)
        offers = (
            Offer(self._end_turn(stage), 2.0),
            Offer(self._reshuffle(stage), 2.0),
            undo_offer(stage),
            judge_offer(stage),
            menu_offer(stage),
        )
        return (
            *panels,
            middle(stage, stage.ring.middle, self._head(stage), offers),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: Stage) -> Reply:
        """Asks the game, or opens a menu."""
        del stage
        match target:
            case "end-turn":
                return asks(EndTurn())
            case "reshuffle":
                return asks(Reshuffle())
            case "menu":
                return Reply(opens=MenuScene())
            case _:
                return life_reply(target) or common(target) or Reply()

    def still_holds(self, stage: Stage) -> bool:
        """It is chosen anew for every moment."""
        del stage
        return True

    def _head(self, stage: Stage) -> Head:
        _ = stage.words.gettext
        game = stage.game
        name = stage.seat(game.turn).name if game.turn is not None else ""
        turn = _("{name}'s turn").format(name=name)
        number = _("Turn {number}").format(number=game.turns)
        if is_new_sheriffs_first_turn(game):
            text = _("Revolution! A new turn with all cards; a Jail is discarded.")
            title = _("{name} is the Sheriff now").format(name=name)
            brief = _("A new turn, with all cards.")
            return Head(title, text, "star", Tone.LOUD, brief=brief, brief_title=name)
        match game.high_noon:
            case HighNoon.ON:
                text = _("Each turn starts with a life point less.")
                brief = _("High Noon!")
                return Head(turn, f"{number} · {text}", "sun", Tone.LOUD, badge=brief, brief=brief)
            case HighNoon.WAITING:
                return Head(turn, f"{number} · {self._announced(stage)}", "sun", brief=number)
            case HighNoon.CALLED:
                text = _("The judge calls time: High Noon begins with the next turn.")
                return Head(turn, f"{number} · {text}", "sun", brief=_("High Noon!"))
            case HighNoon.OFF:
                return Head(turn, f"{number} · {self._deck(stage)}", brief=number)

    def _announced(self, stage: Stage) -> str:
        _ = stage.words.gettext
        rule = stage.edition.high_noon
        if rule is not None and rule.starter is HighNoonStarter.SHERIFF:
            return _("High Noon begins with the Sheriff's next turn.")
        return _("High Noon begins with the turn after the Sheriff's.")

    def _deck(self, stage: Stage) -> str:
        _, ngettext = stage.words.gettext, stage.words.ngettext
        game = stage.game
        deck = _("Deck {number}").format(number=game.reshuffles + 1)
        threshold = reshuffles_to_high_noon(len(game.seats), stage.edition)
        if threshold is None:
            return deck
        left = threshold - game.reshuffles
        text = ngettext(
            "High Noon after {count} more reshuffle", "High Noon after {count} more reshuffles", left
        )
        return f"{deck} · {text.format(count=left)}"

    def _end_turn(self, stage: Stage) -> Button:
        _ = stage.words.gettext
        return Button(
            NOWHERE,
            "end-turn",
            _("End turn"),
            Look.MAIN,
            "arrow",
            self._ruthless(stage),
            size_px=stage.mm(5),
            enabled=stage.allows(EndTurn()),
        )

    def _ruthless(self, stage: Stage) -> str:
        """What the Sheriff must not do at the end of the turn.

        Source: Official Score System 2003, "The Ruthless Law".
        """
        sheriffs = stage.game.turn == stage.game.sheriff
        if OptionKey.RUTHLESS_LAW not in stage.edition.chosen or not sheriffs:
            return ""
        return stage.words.gettext("no BANG! discarded")

    def _reshuffle(self, stage: Stage) -> Button:
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

"""The question after the last life point: saved or eliminated."""

from typing import Final

from saloon.core.game.commands import SaveLastLife
from saloon.core.game.events import Rescue
from saloon.core.game.play.wounds import beer_has_effect
from saloon.core.game.seats import in_play
from saloon.core.game.state import Seat
from saloon.core.terms import SeatNo
from saloon.kiosk.scenes.play.elimination import EliminationScene
from saloon.kiosk.scenes.play.life_panel import life_panel, life_reply
from saloon.kiosk.scenes.scene import Reply, RootScene, SceneContext, command_reply
from saloon.kiosk.scenes.story.guide import guided
from saloon.kiosk.scenes.widgets.page_parts import (
    NOWHERE,
    Heading,
    Offer,
    Tone,
    common,
    judge_offer,
    middle,
    strip,
    undo_offer,
)
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle


class LastLifeScene(RootScene):
    """One last-life question at a time, turned to the player who lost their last life point first."""

    name: Final = "last-life"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Show all panels around the edge and the question in the middle."""
        seat = pending_seat(stage)
        stage = stage.spoken_by(seat.seat)
        turns = stage.ring.places[seat.seat - 1].quarter_turns
        title, text = self._title(stage, seat), self._text(stage, seat)
        head = guided(stage, Heading(title, text, "warning", Tone.LOUD, brief_title=seat.name))
        return (
            *(life_panel(stage, other) for other in stage.game.seats),
            middle(stage, stage.ring.middle, head, self._offers(stage, seat), quarter_turns=turns),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Save with a Beer or Sid Ketchum's ability, eliminate, or change life points by the same effect."""
        seat = pending_seat(stage).seat
        touched = life_reply(target)
        if touched is not None:
            return touched
        match target:
            case "rescue-beer":
                return command_reply(SaveLastLife(seat, Rescue.BEER))
            case "rescue-sid-ketchum":
                return command_reply(SaveLastLife(seat, Rescue.SID_KETCHUM))
            case "eliminated":
                return Reply(opens=EliminationScene.of(seat, stage))
            case _:
                return common(target) or Reply()

    def _title(self, stage: SceneContext, seat: Seat) -> str:
        return stage.words.gettext("{name}: no life points left").format(name=seat.name)

    def _text(self, stage: SceneContext, seat: Seat) -> str:
        _ = stage.words.gettext
        if seat.passive:
            return _("The player has left: nobody can play a Beer for a passive character.")
        players = len(in_play(stage.game))
        if not beer_has_effect(life=seat.life, max_life=seat.max_life, players_left=players):
            return _("Only two players are left: a Beer has no effect.")
        missing = 1 - seat.life
        return stage.words.ngettext(
            "{count} Beer would save the player.", "{count} Beers would save the player.", missing
        ).format(count=missing)

    def _offers(self, stage: SceneContext, seat: Seat) -> tuple[Offer, ...]:
        _ = stage.words.gettext
        size = stage.mm(4.6)
        beer = SaveLastLife(seat.seat, Rescue.BEER)
        sid = SaveLastLife(seat.seat, Rescue.SID_KETCHUM)
        offers = [
            Offer(
                Button(
                    NOWHERE,
                    "rescue-beer",
                    _("Beer"),
                    ButtonStyle.MAIN,
                    "beer",
                    size_px=size,
                    enabled=stage.allows(beer),
                ),
                1.6,
            )
        ]
        if stage.allows(sid):
            name = "Sid Ketchum"
            offers.append(
                Offer(Button(NOWHERE, "rescue-sid-ketchum", name, ButtonStyle.MAIN, "cards", size_px=size), 2)
            )
        out = Button(NOWHERE, "eliminated", _("Eliminated"), ButtonStyle.GRAVE, "tombstone", size_px=size)
        return (*offers, Offer(out, 2.2), undo_offer(stage), judge_offer(stage))


def pending_seat(stage: SceneContext) -> Seat:
    """Return the seat whose last-life question is open: the first of those pending."""
    return stage.seat(SeatNo(stage.game.pending[0]))

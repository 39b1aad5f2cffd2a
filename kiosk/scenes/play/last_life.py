"""The questions that interrupt a game: after a last life point, and about a Revolution."""

from collections.abc import Iterator
from typing import Final

import msgspec

from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import last_card
from core.game.play.wounds import Rescue, SaveLastLife, beer_has_effect
from core.game.state.game import Seat
from core.game.state.seats import players_hit_from
from core.rule_set import RecordMode
from core.terms import SeatNo
from kiosk.scenes.heads.guide import add_rule
from kiosk.scenes.heads.high_noon_head import high_noon_sign
from kiosk.scenes.play.life_panel import beer_of, life_panel
from kiosk.scenes.play.player_menu import elimination_of
from kiosk.scenes.play.rebel_news import new_sheriff, out_too_offers
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.dialogs import question_page
from kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    Heading,
    Offer,
    Tone,
    judge_offer,
    offer,
    redo_offers,
    table_page,
    undo_offer,
)
from kiosk.scenes.widgets.ring_centre import fits_in_the_middle
from kiosk.ui.blocks import Block, ButtonStyle


class RevolutionScene(PersistentScene):
    """The Revolution question, turned to the player asked; not secret, as the role is shown now anyway."""

    name: Final = "revolution"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the question in the middle of the panels, or alone if there is no room for both."""
        seat = stage.seat(_questioned_seat(stage))
        stage = stage.in_language_of(seat.seat)
        _ = stage.words.gettext
        head = Heading(
            _("Is {name} the Rebel!?").format(name=seat.name),
            _("You eliminated the Sheriff. If you're the Rebel!, show your card now."),
            "star",
            Tone.LOUD,
            brief=_("Show your card."),
            badge=high_noon_sign(stage),
        )
        yes, no = (AnswerRevolution(seat.seat, is_rebel=is_it) for is_it in (True, False))
        revolution = Reply(command_reply(yes).intents, opens=new_sheriff(seat.seat))
        offers = (
            offer(
                stage, "revolution-yes", _("Hold: Yes"), revolution, 2, look=ButtonStyle.MAIN, icon="star",
                hold_ms=HOLD_MS, said=_("Yes: Revolution"),
            ),
            offer(
                stage, "revolution-no", _("Hold: No"), command_reply(no), 2, look=ButtonStyle.GRAVE,
                icon="cards", hold_ms=HOLD_MS, said=_("No: the game is over"),
            ),
            *out_too_offers(stage),
            undo_offer(stage, 1.2),
        )  # fmt: skip
        head = add_rule(stage, head)
        panels = (life_panel(stage, other, touchable=False) for other in stage.game.seats)
        return question_page(stage, panels, head, offers)


def _questioned_seat(stage: SceneContext) -> SeatNo:
    seat = stage.game.revolution_question
    assert seat is not None  # this scene is shown only while there is a question
    return seat


class LastLifeScene(PersistentScene):
    """The last-life question for one player; the player who lost theirs first is asked first."""

    name: Final = "last-life"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the question in the middle of the panels, or alone if there is no room for both."""
        seat = pending_seat(stage)
        stage = stage.in_language_of(seat.seat)
        title, text = self._title(stage, seat), self._text(stage, seat)
        sign = high_noon_sign(stage)
        # Without room for the sentence, the button shows how many Beers are needed.
        warning = Heading(
            title, text, "warning", Tone.LOUD, badge=sign, is_optional=stage.allows(_beer(seat))
        )
        head = add_rule(stage, warning)
        offers, middle = self._offers(stage, seat), stage.ring.middle
        if stage.game.mode is RecordMode.LIGHT or not fits_in_the_middle(
            stage, middle, head, offers, upright=True
        ):
            return question_page(stage, self._panels(stage), head, (self._beer_offer(stage, seat), *offers))
        return table_page(stage, self._panels(stage, seat), head, offers)

    def _panels(self, stage: SceneContext, dying: Seat | None = None) -> Iterator[Block]:
        return (life_panel(stage, other, is_dying=other is dying) for other in stage.game.seats)

    def _title(self, stage: SceneContext, seat: Seat) -> str:
        return stage.words.gettext("{name}: no life points left").format(name=seat.name)

    def _text(self, stage: SceneContext, seat: Seat) -> str:
        _ = stage.words.gettext
        if seat.passive:
            return _("The player has left: nobody can play a Beer for a passive character.")
        players = players_hit_from(stage.game)
        if beer_of(stage, seat).same_card:
            names = ", ".join(stage.seat(out.seat).name for out in last_card(stage.game))
            text = _("A Beer only has an effect if the card that took {names} hit this player too.")
            return text.format(names=names)
        if not beer_has_effect(life=seat.life, max_life=seat.max_life, players_left=players):
            return _("Only two players are left: a Beer has no effect.")
        missing = 1 - seat.life
        return stage.words.ngettext(
            "{count} Beer would save the player.", "{count} Beers would save the player.", missing
        ).format(count=missing)

    def _beer_offer(self, stage: SceneContext, seat: Seat) -> Offer:
        """Return the Beer button, if the player's panel has no room for it."""
        beer, count = beer_of(stage, seat), 1 - seat.life
        words = stage.words.ngettext("{count} Beer", "{count} Beers", count).format(count=count)
        return offer(
            stage, "rescue-beer", words, command_reply(beer), 1.6, look=ButtonStyle.MAIN, icon="beer",
            enabled=stage.allows(beer),
        )  # fmt: skip

    def _offers(self, stage: SceneContext, seat: Seat) -> tuple[Offer, ...]:
        _, sid = stage.words.gettext, SaveLastLife(seat.seat, Rescue.SID_KETCHUM)
        opens = Reply(opens=elimination_of(seat.seat, stage))
        out = offer(
            stage, "eliminated", _("Eliminated"), opens, 2.2, look=ButtonStyle.GRAVE, icon="tombstone"
        )
        sids = offer(
            stage, "rescue-sid-ketchum", "Sid Ketchum", command_reply(sid), 2, look=ButtonStyle.MAIN,
            icon="cards",
        )  # fmt: skip
        # This page has no menu with a redo button.
        redo = (msgspec.structs.replace(each, is_optional=False) for each in redo_offers(stage))
        more = (*redo, *((sids,) if stage.allows(sid) else ()))
        # The smallest screens have no room for all.
        judge = msgspec.structs.replace(judge_offer(stage), is_optional=bool(more))
        return (*reversed(more), out, undo_offer(stage), judge)


def _beer(seat: Seat) -> SaveLastLife:
    return SaveLastLife(seat.seat, Rescue.BEER)


def pending_seat(stage: SceneContext) -> Seat:
    """Return the seat whose last-life question is asked first."""
    return stage.seat(SeatNo(stage.game.pending[0]))

"""The questions about an elimination: by whom, and with which role."""

from itertools import takewhile
from typing import ClassVar

import msgspec

from core.game.decide import why_not
from core.game.ending.rebel import plays_with_rebel
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate, last_card
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.play.one_card import may_be_out_too, same_card_matters
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import SetTurn, records_turns
from core.game.state.game import Cause, HighNoon, Phase, Seat
from core.terms import SHERIFF_SEAT, Role, SeatNo
from kiosk.i18n import role_name
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.guide import add_rule
from kiosk.scenes.play.play import plain_panel
from kiosk.scenes.play.player_menu import leaving, new_sheriff
from kiosk.scenes.play.reshuffles import late_reshuffle
from kiosk.scenes.scene import CLOSE, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import answer_panel, short_names
from kiosk.scenes.widgets.dialogs import question_page
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import HOLD_MS, back_offer, offer, table_page
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Block, ButtonStyle
from kiosk.view.guidance import takers_of_cards
from kiosk.view.intents import AskGame


class EliminationScene(msgspec.Struct, frozen=True):
    """The questions about one elimination, one after another.

    cause, by: answers so far.
    asks_why: nobody killed the player, and the cause is still to be chosen.
    is_turn_certain: the table has said whose turn it is, after an answer that didn't fit the turn.
    was_asked: the player was asked about their last life point, and the scene closes with that question.
    role: the role shown, while it is open whether the card of the last elimination hit this player too.
    is_out_too: it did hit this player, after having ended the game or overthrown the Sheriff.
    """

    seat: SeatNo
    cause: Cause | None = None
    by: SeatNo | None = None
    asks_why: bool = False
    is_turn_certain: bool = False
    was_asked: bool = False
    role: Role | None = None
    is_out_too: bool = False

    name: ClassVar[str] = "eliminate"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the next question, turned towards the eliminated player."""
        stage = stage.in_language_of(self.seat)
        head, offers = self._question(stage)
        head = add_rule(stage, head, Rule.ELIMINATION)
        if self.by is None and (self.cause is Cause.OWN_DUEL or (self.cause is None and not self.asks_why)):
            return table_page(stage, self._by_panel, head, offers)
        return question_page(stage, plain_panel, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the player is in play and, if asked about a last life point, still has to answer."""
        if self.is_out_too:
            return stage.table.game is not None and self.seat in may_be_out_too(stage.game, stage.edition)
        if not stage.is_in(Phase.PLAYING) or not stage.seat(self.seat).in_play:
            return False
        return not self.was_asked or self.seat in stage.game.pending or self.seat in stage.game.doubtful

    def _back(self) -> Reply:
        if self.is_out_too or (self.cause is None and not self.asks_why):
            return CLOSE
        # A correction of the turn is a separate step, and stays.
        return Reply(becomes=EliminationScene(self.seat, was_asked=self.was_asked))

    def _question(self, stage: SceneContext) -> tuple[Heading, tuple[Offer, ...]]:
        _, name = stage.words.gettext, stage.seat(self.seat).name
        back = back_offer(stage, 1.4, self._back())
        if self.cause is None and self.asks_why:
            return self._cause_question(stage, back)
        if self.cause is Cause.OWN_DUEL and self.by is None:
            title = _("Who was the other duellist?")
            text = _("Tap the panel of the player who won {name}'s Duel.").format(name=name)
            return Heading(title, text, "cards", Tone.LOUD, brief=_("Tap that player's panel.")), (back,)
        if self.cause is None:
            opens = Reply(becomes=msgspec.structs.replace(self, asks_why=True))
            nobody = offer(stage, "by-nobody", _("No other player"), opens, 2.6, look=ButtonStyle.CARD)
            head = Heading(
                _("Who eliminated {name}?").format(name=name),
                _("Tap the panel of the player whose card it was."),
                "tombstone",
                Tone.LOUD,
                brief=_("Tap that player's panel."),
                brief_title=_("{name}: by whom?").format(name=name),
            )
            return head, (nobody, back)
        if self._is_turn_doubtful(stage):
            return self._turn_question(stage)
        if self.role is not None:
            return self._card_question(stage, self.role, back)
        roles = tuple(role for role in Role if stage.allows(self._command(role)))
        text = self._by_words(stage)
        takers, note = takers_of_cards(stage.game, self.seat), "" if roles else self._refusal(stage)
        if roles and takers:
            note = _("Vulture Sam ({name}) takes all cards.").format(name=stage.seat(takers[0]).name)
        text = " ".join(filter(None, (text, note)))
        head = Heading(_("{name}'s role").format(name=name), text, "tombstone", Tone.LOUD, brief_title=name)
        names = tuple(_("Hold: {role}").format(role=role_name(stage.words, role)) for role in roles)
        offers = (
            offer(
                stage, f"role-{role.value}", name, self._eliminate(stage, role), 2.4,
                look=ButtonStyle.GRAVE, kin=names, hold_ms=HOLD_MS,
            )
            for role, name in zip(roles, names, strict=True)
        )  # fmt: skip
        return head, (*offers, back)

    def _command(self, role: Role, *, same_card: bool | None = None) -> Eliminate:
        same = True if self.is_out_too else same_card
        return Eliminate(self.seat, self.by, role, self.cause or Cause.PLAYER, same)

    def _eliminate(self, stage: SceneContext, role: Role) -> Reply:
        command, game = self._command(role), stage.game
        if not self.is_out_too and same_card_matters(game, command, stage.edition):
            return Reply(becomes=msgspec.structs.replace(self, role=role))
        reply = command_reply(command, closes=True)
        if self.by is not None and self.seat == game.sheriff and self.by == game.turn == game.rebel:
            # This Revolution needs no question, but the card may have hit other players too.
            return Reply(reply.intents, becomes=new_sheriff(self.by))
        return reply

    def _card_question(
        self, stage: SceneContext, role: Role, back: Offer
    ) -> tuple[Heading, tuple[Offer, ...]]:
        _, name = stage.words.gettext, stage.seat(self.seat).name
        others = ", ".join(stage.seat(out.seat).name for out in last_card(stage.game))
        answers = (("same-card", _("Yes"), True), ("other-card", _("No, another card"), False))
        offers = tuple(
            offer(
                stage, target, words, command_reply(self._command(role, same_card=same), closes=True), 2.4,
                look=ButtonStyle.CARD,
            )
            for target, words, same in answers
        )  # fmt: skip
        title = _("{name}: by the same card as {names}?").format(name=name, names=others)
        text = _("Players eliminated by one card are eliminated at the same time.")
        return Heading(title, text, "cards", Tone.LOUD, is_optional=True), (*offers, back)

    def _cause_question(self, stage: SceneContext, back: Offer) -> tuple[Heading, tuple[Offer, ...]]:
        _, name = stage.words.gettext, stage.seat(self.seat).name
        causes = (
            (Cause.DYNAMITE, "by-dynamite", _("Dynamite"), "dynamite"),
            (Cause.OWN_DUEL, "by-own-duel", _("Own Duel"), "cards"),
            (Cause.HIGH_NOON, "by-high-noon", _("High Noon"), "sun"),
        )
        offers = tuple(
            offer(stage, target, words, self._by_cause(stage, cause), 2.2, look=ButtonStyle.CARD, icon=icon)
            for cause, target, words, icon in causes
            if any(stage.allows(Eliminate(self.seat, None, role, cause)) for role in Role)
        )
        left = Reply(becomes=leaving(self.seat))
        gone = offer(stage, "by-leaving", _("Left the table"), left, 2.2, look=ButtonStyle.CARD, icon="away")
        may_leave = (gone,) if stage.allows(Abandon(self.seat)) else ()
        why = _("What eliminated {name}?").format(name=name) if offers else self._refusal(stage)
        offers = (*offers, *self._missed_noon(stage)) if offers else ()
        return Heading(name, why, "tombstone", Tone.LOUD), (*offers, *may_leave, back)

    def _by_cause(self, stage: SceneContext, cause: Cause) -> Reply:
        caused, turn = Reply(becomes=msgspec.structs.replace(self, cause=cause)), SetTurn(self.seat)
        if cause is not Cause.HIGH_NOON or not stage.allows(turn):
            return caused
        # High Noon only eliminates the player whose turn begins.
        return Reply(command_reply(turn).intents, becomes=caused.becomes)

    def _missed_noon(self, stage: SceneContext) -> tuple[Offer, ...]:
        """Return a High Noon button for a table that forgot to enter the reshuffle before High Noon."""
        _, game = stage.words.gettext, stage.game
        threshold = reshuffles_to_high_noon(len(game.seats), stage.edition)
        if game.high_noon is not HighNoon.OFF or threshold is None:
            return ()
        now = Reply(intents=(AskGame(Reshuffle(), is_certain=True),))
        late = late_reshuffle() if records_turns(game, stage.edition) else now
        words, small, card = _("High Noon"), _("should have begun"), ButtonStyle.CARD
        return (offer(stage, "missed-high-noon", words, late, 2.4, look=card, small=small),)

    def _whose_turn(self) -> SeatNo | None:
        """Return the seat whose turn it almost certainly is, or None if it could be anybody's.

        Killers are in turn, and so are players who fall in their own Duel. Dynamite explodes at the start of
        its victim's turn.
        """
        match self.cause:
            case Cause.PLAYER:
                return self.by
            case Cause.DYNAMITE | Cause.OWN_DUEL:
                return self.seat
            case Cause.HIGH_NOON | None:
                return None

    def _is_turn_doubtful(self, stage: SceneContext) -> bool:
        """Return whether the turn shown is probably wrong because nobody entered the end of the last one.

        Where turns aren't recorded, the turn only matters for a Revolution.
        """
        seat = self._whose_turn()
        if self.is_turn_certain or self.is_out_too or seat is None or not stage.allows(SetTurn(seat)):
            return False
        if stage.game.is_turn_unknown:
            is_killed = self.by is not None and self.seat == stage.game.sheriff
            return is_killed and plays_with_rebel(stage.game, stage.edition)
        return stage.game.turn != seat

    def _turn_question(self, stage: SceneContext) -> tuple[Heading, tuple[Offer, ...]]:
        _, game, seat = stage.words.gettext, stage.game, self._whose_turn()
        assert seat is not None  # the turn is only doubtful if it should be somebody's
        name, yes, no = stage.seat(seat).name, _("Yes, it's {name}'s turn"), _("No, it's {name}'s turn")
        after = msgspec.structs.replace(self, is_turn_certain=True)
        current = None if game.is_turn_unknown else game.turn

        def answer(target: str, words: str, turn: SeatNo) -> Offer:
            intents = () if turn == current else command_reply(SetTurn(turn)).intents
            reply, label = Reply(intents, becomes=after), words.format(name=stage.seat(turn).name)
            return offer(stage, target, label, reply, 2.4 if current else 2.2, look=ButtonStyle.CARD)

        if current is None:
            text, back = _("The Rebel! can only revolt on their own turn."), CLOSE
            others = [
                answer(f"turn-of-{other.seat}", no, other.seat)
                for other in game.seats
                if other.seat != seat and stage.allows(SetTurn(other.seat))
            ]
        else:
            text, back = _("The screen shows {name}'s turn."), self._back()
            text = text.format(name=stage.seat(current).name)
            others = [answer("same-turn", no, current)]
        title = _("Is it {name}'s turn?").format(name=name)
        head = Heading(title, text, "arrow", Tone.LOUD, brief_title=name)
        return head, (answer("other-turn", yes, seat), *others, back_offer(stage, 1.4, back))

    def _by_words(self, stage: SceneContext) -> str:
        _ = stage.words.gettext
        by = "" if self.by is None else stage.seat(self.by).name
        match self.cause:
            case Cause.DYNAMITE:
                return _("Eliminated by Dynamite.")
            case Cause.HIGH_NOON:
                return _("Eliminated at High Noon.")
            case Cause.OWN_DUEL:
                return _("Eliminated by {name} in their own Duel.").format(name=by)
            case _:
                return _("Eliminated by {name}.").format(name=by)

    def _refusal(self, stage: SceneContext) -> str:
        cause = self.cause or Cause.DYNAMITE
        role = Role.SHERIFF if self.seat == SHERIFF_SEAT else Role.OUTLAW
        refused = why_not(stage.game, Eliminate(self.seat, self.by, role, cause), stage.edition)
        return "" if refused is None else stage.words.refusal(refused, short_names(stage.game.seats))

    def _by_panel(self, stage: SceneContext, seat: Seat) -> Block:
        cause = self.cause or Cause.PLAYER
        if not any(stage.allows(Eliminate(self.seat, seat.seat, role, cause)) for role in Role):
            return plain_panel(stage, seat)
        words = stage.words.gettext("by {name}").format(name=seat.name)
        named = Reply(becomes=msgspec.structs.replace(self, cause=cause, by=seat.seat))
        target, small = f"by-seat-{seat.seat}", _out_since(stage, seat)
        return answer_panel(stage, seat, target, words, named, small=small)


def _out_since(stage: SceneContext, seat: Seat) -> str:
    """Say in which turn a player was eliminated, whose cards may still kill; empty for players in play."""
    moments = reversed(stage.moments)
    out = tuple(takewhile(lambda moment: not moment.state.seats[seat.seat - 1].in_play, moments))
    return stage.words.gettext("out since turn {number}").format(number=out[-1].state.turns) if out else ""

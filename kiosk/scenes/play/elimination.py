"""Questions about an elimination: by whom, and with which role."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import Eliminate, SetTurn
from saloon.core.game.events import Cause
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import Seat
from saloon.core.terms import SeatNo
from saloon.kiosk.i18n import role_name
from saloon.kiosk.rules.which import Rule
from saloon.kiosk.scenes.play.life_panel import life_panel
from saloon.kiosk.scenes.play.rewards import is_sheriff_penalised, sheriff_penalty_words
from saloon.kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from saloon.kiosk.scenes.story.guide import add_rule, elimination_note
from saloon.kiosk.scenes.widgets.card import SeatCardState, card, on_ring
from saloon.kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    Heading,
    Offer,
    Tone,
    back_offer,
    offer,
    question_page,
    table_page,
)
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_FEW_ROLES = 3


class EliminationScene(msgspec.Struct, frozen=True):
    """The questions about one elimination.

    cause, by: the answers so far. role: the one shown, if more than one is possible. is_turn_told: somebody
    has said whose turn it is, after naming a killer out of turn.
    """

    seat: SeatNo
    cause: Cause | None = None
    by: SeatNo | None = None
    role: Role | None = None
    is_turn_told: bool = False

    @staticmethod
    def of(seat: SeatNo, stage: SceneContext) -> "EliminationScene":
        """Make the scene with the first question; High Noon has answered it already."""
        return EliminationScene(seat, Cause.HIGH_NOON if stage.game.high_noon_question else None)

    name: ClassVar[str] = "eliminate"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw one question after the other, turned to the eliminated player."""
        stage = stage.in_language_of(self.seat)
        head, offers = self._question(stage)
        head = add_rule(stage, head, Rule.ELIMINATION)
        asks_by = self.cause is None
        panels = (self._by_panel(stage, s) if asks_by else self._plain(stage, s) for s in stage.game.seats)
        draw = table_page if asks_by else question_page
        return draw(stage, panels, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the question about the seat is open."""
        return stage.table.game is not None and self.seat in stage.game.pending

    def _back(self) -> Reply:
        if self.role is not None:
            return Reply(becomes=msgspec.structs.replace(self, role=None))
        if self.cause is Cause.PLAYER or self.cause is Cause.DYNAMITE:
            # A turn that was set stays set: it is a step of its own.
            return Reply(becomes=EliminationScene(self.seat))
        return Reply(closes=True)

    def _question(self, stage: SceneContext) -> tuple[Heading, tuple[Offer, ...]]:
        _, name = stage.words.gettext, stage.seat(self.seat).name
        back = back_offer(stage, 1.4, self._back())
        if self.cause is None:
            answer = Reply(becomes=msgspec.structs.replace(self, cause=Cause.DYNAMITE, by=None))
            dynamite = offer(
                stage, "by-dynamite", _("Dynamite"), answer, 2.2, look=ButtonStyle.CARD, icon="dynamite"
            )
            head = Heading(
                _("Who eliminated {name}?").format(name=name),
                _("Tap the panel of the player whose card it was."),
                "tombstone",
                Tone.LOUD,
                brief=_("Tap that player's panel."),
                brief_title=_("By whom?"),
            )
            return head, (dynamite, back)
        if self._may_have_the_turn(stage):
            return self._turn_question(stage)
        role = self._role(stage)
        if role is None:
            head = Heading(
                _("{name} shows their role").format(name=name),
                self._by_words(stage),
                "tombstone",
                Tone.LOUD,
                brief_title=name,
            )
            roles = self._possible(stage)
            share = 2 if len(roles) <= _FEW_ROLES else 1.4
            names = tuple(role_name(stage.words, r) for r in roles)
            shown = (
                offer(
                    stage, f"role-{r.value}", name, Reply(becomes=msgspec.structs.replace(self, role=r)),
                    share, look=ButtonStyle.CARD, kin=names,
                )
                for r, name in zip(roles, names, strict=True)
            )  # fmt: skip
            return head, (*shown, back)
        head = Heading(
            _("{name} is out: {role}").format(name=name, role=role_name(stage.words, role)),
            self._consequence(stage, role), "tombstone", Tone.LOUD, brief=self._by_words(stage),
            brief_title=role_name(stage.words, role),
        )  # fmt: skip
        command = Eliminate(self.seat, self.by, role, self.cause)
        confirm = offer(
            stage, "confirm-elimination", _("Hold to confirm"),
            command_reply(command, closes=True), 2.6, look=ButtonStyle.GRAVE,
            icon="tombstone", hold_ms=HOLD_MS,
        )  # fmt: skip
        return head, (confirm, back)

    def _may_have_the_turn(self, stage: SceneContext) -> bool:
        """Return whether the killer kills out of turn: nearly always nobody has entered the turn's end."""
        if self.is_turn_told or self.by is None:
            return False
        return stage.game.turn != self.by and stage.allows(SetTurn(self.by))

    def _turn_question(self, stage: SceneContext) -> tuple[Heading, tuple[Offer, ...]]:
        _ = stage.words.gettext
        assert self.by is not None  # asked of a killer only
        assert stage.game.turn is not None  # turns begin with the game
        killer, other = stage.seat(self.by).name, stage.seat(stage.game.turn).name
        title = _("Is it {name}'s turn?").format(name=killer)
        head = Heading(
            title,
            _("The screen shows {name}'s turn.").format(name=other),
            "arrow",
            Tone.LOUD,
            brief_title=killer,
        )
        yes = _("Yes, {name}'s turn").format(name=killer)
        no = _("No, {name}'s turn").format(name=other)
        asked = msgspec.structs.replace(self, is_turn_told=True)
        turn = Reply(command_reply(SetTurn(self.by)).intents, becomes=asked)
        offers = (
            offer(stage, "other-turn", yes, turn, 2.4, look=ButtonStyle.CARD),
            offer(stage, "same-turn", no, Reply(becomes=asked), 2.4, look=ButtonStyle.CARD),
            back_offer(stage, 1.4, self._back()),
        )
        return head, offers

    def _consequence(self, stage: SceneContext, role: Role) -> str:
        """Say what a Deputy's end costs the Sheriff who did it; or by whom, and who takes the cards."""
        if is_sheriff_penalised(stage, self.by, role, self.cause):
            return sheriff_penalty_words(stage)
        return " ".join(filter(None, (self._by_words(stage), elimination_note(stage, self.seat))))

    def _by_words(self, stage: SceneContext) -> str:
        _ = stage.words.gettext
        match self.cause:
            case Cause.DYNAMITE:
                return _("Eliminated by Dynamite.")
            case Cause.HIGH_NOON:
                return _("Eliminated at High Noon.")
            case _:
                by = "" if self.by is None else stage.seat(self.by).name
                return _("Eliminated by {name}.").format(name=by)

    def _role(self, stage: SceneContext) -> Role | None:
        """Return the role that was shown, or the only possible one."""
        possible = self._possible(stage)
        return possible[0] if len(possible) == 1 else self.role

    def _possible(self, stage: SceneContext) -> tuple[Role, ...]:
        if self.cause is None:
            return ()
        return tuple(role for role in Role if stage.allows(Eliminate(self.seat, self.by, role, self.cause)))

    def _plain(self, stage: SceneContext, seat: Seat) -> Block:
        return life_panel(stage, seat, touchable=False)

    def _by_panel(self, stage: SceneContext, seat: Seat) -> Block:
        """Draw the panel of a seat that may have done it as one large button."""
        stage = stage.in_language_of(seat.seat)
        able = any(stage.allows(Eliminate(self.seat, seat.seat, role, Cause.PLAYER)) for role in Role)
        if not able:
            return self._plain(stage, seat)
        parts, body = card(stage, seat, SeatCardState.PLAIN)
        words = stage.words.gettext("by {name}").format(name=seat.name)
        button = Button(
            body.inset(stage.mm(0.4), stage.mm(0.6)),
            f"by-seat-{seat.seat}",
            words,
            ButtonStyle.QUIET,
            size_px=stage.type_mm(5),
            action=OnTouch(Reply(becomes=msgspec.structs.replace(self, cause=Cause.PLAYER, by=seat.seat))),
        )
        return on_ring(stage, seat, (*parts, button))

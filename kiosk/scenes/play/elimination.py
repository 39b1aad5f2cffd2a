"""Questions about an elimination: by whom, and with which role."""

from typing import ClassVar

import msgspec

from saloon.core.game.commands import Eliminate, SetTurn
from saloon.core.game.events import Cause
from saloon.core.game.setup.roles import Role
from saloon.core.game.state import Seat
from saloon.core.terms import SeatNo
from saloon.kiosk.role_words import role_name
from saloon.kiosk.rules.which import Rule
from saloon.kiosk.scenes.play.life_panel import life_panel
from saloon.kiosk.scenes.play.rewards import is_sheriff_penalised, sheriff_penalty_words
from saloon.kiosk.scenes.scene import Reply, SceneContext, command_reply, parse_seat
from saloon.kiosk.scenes.story.guide import elimination_note, guided
from saloon.kiosk.scenes.widgets.card import Mood, card, on_ring
from saloon.kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    NOWHERE,
    Heading,
    Offer,
    Tone,
    back_offer,
    common,
    middle,
    strip,
)
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_FEW_ROLES = 3


class EliminationScene(msgspec.Struct, frozen=True):
    """cause, by: what was answered so far. role: that was shown; asked for where more than one can be.

    is_turn_told: somebody said whose turn it is, after a killer was named who does not have it.
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
        stage = stage.spoken_by(self.seat)
        turns = stage.ring.places[self.seat - 1].quarter_turns
        head, offers = self._question(stage)
        head = guided(stage, head, Rule.ELIMINATION)
        asks_by = self.cause is None
        return (
            *(self._by_panel(stage, s) if asks_by else self._plain(stage, s) for s in stage.game.seats),
            middle(stage, stage.ring.middle, head, offers, quarter_turns=turns),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Take an answer, or go back to the question before."""
        if target == "by-dynamite":
            return Reply(becomes=msgspec.structs.replace(self, cause=Cause.DYNAMITE, by=None))
        if target.startswith("by-seat-"):
            return Reply(becomes=msgspec.structs.replace(self, cause=Cause.PLAYER, by=parse_seat(target)))
        if target == "other-turn" and self.by is not None:
            told = msgspec.structs.replace(self, is_turn_told=True)
            return Reply(command_reply(SetTurn(self.by)).intents, becomes=told)
        if target == "same-turn":
            return Reply(becomes=msgspec.structs.replace(self, is_turn_told=True))
        if target.startswith("role-"):
            return Reply(becomes=msgspec.structs.replace(self, role=Role(target.removeprefix("role-"))))
        if target == "confirm-elimination":
            role = self._role(stage)
            if role is not None and self.cause is not None:
                return Reply(
                    command_reply(Eliminate(self.seat, self.by, role, self.cause)).intents, closes=True
                )
        if target == "back":
            return self._back()
        return common(target) or Reply()

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
        _, size = stage.words.gettext, stage.mm(4.6)
        name = stage.seat(self.seat).name
        back = back_offer(stage, 1.4)
        if self.cause is None:
            dynamite = Button(
                NOWHERE, "by-dynamite", _("Dynamite"), ButtonStyle.CARD, "dynamite", size_px=size
            )
            head = Heading(
                _("Who eliminated {name}?").format(name=name),
                _("Tap the panel of the player whose card it was."),
                "tombstone",
                Tone.LOUD,
                brief=_("Tap that player's panel."),
                brief_title=_("By whom?"),
            )
            return head, (Offer(dynamite, 2.2), back)
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
            share, size = (2, size) if len(roles) <= _FEW_ROLES else (1.4, stage.mm(3.4))
            names = tuple(role_name(stage.words, r) for r in roles)
            buttons = (
                Button(NOWHERE, f"role-{r.value}", name, ButtonStyle.CARD, size_px=size, kin=names)
                for r, name in zip(roles, names, strict=True)
            )
            return head, (*(Offer(button, share) for button in buttons), back)
        head = Heading(
            _("{name} is out: {role}").format(name=name, role=role_name(stage.words, role)),
            self._consequence(stage, role), "tombstone", Tone.LOUD, brief=self._by_words(stage),
            brief_title=role_name(stage.words, role),
        )  # fmt: skip
        confirm = Button(
            NOWHERE,
            "confirm-elimination",
            _("Hold to confirm"),
            ButtonStyle.GRAVE,
            "tombstone",
            size_px=size,
            hold_ms=HOLD_MS,
        )
        return head, (Offer(confirm, 2.6), back)

    def _may_have_the_turn(self, stage: SceneContext) -> bool:
        """Return whether the killer kills out of turn: nearly always nobody has entered the turn's end."""
        if self.is_turn_told or self.by is None:
            return False
        return stage.game.turn != self.by and stage.allows(SetTurn(self.by))

    def _turn_question(self, stage: SceneContext) -> tuple[Heading, tuple[Offer, ...]]:
        _, size = stage.words.gettext, stage.mm(4.6)
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
        offers = (
            Offer(Button(NOWHERE, "other-turn", yes, ButtonStyle.CARD, size_px=size), 2.4),
            Offer(Button(NOWHERE, "same-turn", no, ButtonStyle.CARD, size_px=size), 2.4),
            back_offer(stage, 1.4),
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
        stage = stage.spoken_by(seat.seat)
        able = any(stage.allows(Eliminate(self.seat, seat.seat, role, Cause.PLAYER)) for role in Role)
        if not able:
            return self._plain(stage, seat)
        parts, body = card(stage, seat, Mood.PLAIN)
        words = stage.words.gettext("by {name}").format(name=seat.name)
        button = Button(
            body.inset(stage.mm(1), stage.mm(0.6)),
            f"by-seat-{seat.seat}",
            words,
            ButtonStyle.QUIET,
            size_px=stage.mm(5),
        )
        return on_ring(stage, seat, (*parts, button))

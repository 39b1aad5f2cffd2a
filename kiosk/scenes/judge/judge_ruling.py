"""The page for a judge's decision that needs a reason: explain it, choose the reason, and hold the button."""

from functools import partial
from typing import ClassVar

import msgspec

from base.errors import Refused
from core.game.commands import CorrectionCommand
from core.game.ending.sheet import VoidGame
from core.game.judge.calls import WarnPlayer
from core.game.play.abandonment import Abandon
from core.game.setup.seating import RestartGame
from core.game.state.offences import OFFENCE_NAMES, Offence, is_ejected_by, offence_rule
from core.terms import SeatNo
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, draw_dialog, scene
from kiosk.scenes.widgets.keyboard import WORD_KEYS, typing_page
from kiosk.scenes.widgets.page_parts import HOLD_MS, NOWHERE, Heading, back_offer, offer, page_room
from kiosk.ui.blocks import Block, Button, ButtonStyle
from kiosk.view.intents import AskGame

Reasoned = VoidGame | RestartGame | CorrectionCommand | WarnPlayer | Abandon


class Purpose(msgspec.Struct, frozen=True):
    """The texts for a decision: title, effect, button, and message afterwards.

    ``usual`` lists common reasons to choose from.
    """

    title: str
    text: str
    hold: str
    done: str
    usual: tuple[str, ...]
    icon: str = "key"


class ReasonScene(msgspec.Struct, frozen=True):
    """The page to choose or type a reason. Its button is enabled once there is one.

    ``also`` contains further commands with the same reason, such as the ejection after a second warning.
    """

    command: Reasoned
    purpose: Purpose
    reason: str = ""
    also: tuple[Reasoned, ...] = ()

    name: ClassVar[str] = "reason"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the effect, the reasons, and the button to hold."""
        _ = stage.words.gettext
        other = self.reason and self.reason not in self.purpose.usual
        offers = [
            offer(
                stage, f"reason-{number}", words,
                Reply(becomes=msgspec.structs.replace(self, reason=words)), 3.4,
                look=ButtonStyle.CHOSEN if words == self.reason else ButtonStyle.QUIET,
                icon="check" if words == self.reason else "",
            )
            for number, words in enumerate(self.purpose.usual, 1)
        ]  # fmt: skip
        typed = offer(
            stage, "reason-typed", self.reason if other else _("Other reason"),
            Reply(becomes=TypedReasonScene(self)), 3.4,
            look=ButtonStyle.CHOSEN if other else ButtonStyle.QUIET, icon="pencil",
        )  # fmt: skip
        done = self._done()
        hold = offer(
            stage, "do-it", self.purpose.hold, done, 3.6, look=ButtonStyle.GRAVE, icon=self.purpose.icon,
            hold_ms=HOLD_MS, enabled=bool(self.reason) and self.still_holds(stage),
        )  # fmt: skip
        why = "" if self.reason else _("Why?")
        head = Heading(self.purpose.title, self.purpose.text, self.purpose.icon, badge=why)
        return draw_dialog(stage, head, (*offers, typed, back_offer(stage, 1.6), hold))

    def still_holds(self, stage: SceneContext) -> bool:
        return stage.table.game is not None and self.why_not(stage) is None

    def why_not(self, stage: SceneContext) -> Refused | None:
        """Return why the decision is impossible, or None."""
        return stage.why_not(self._command("…"))

    def _done(self) -> Reply:
        """Return the reply that sends all commands; the message appears once, after the last one."""
        commands = (self.command, *self.also)
        intents = [AskGame(msgspec.structs.replace(command, reason=self.reason)) for command in commands]
        last = msgspec.structs.replace(intents[-1], done=self.purpose.done)
        return Reply(intents=(*intents[:-1], last), leaves=True)

    def _command(self, reason: str) -> Reasoned:
        return msgspec.structs.replace(self.command, reason=reason)


class TypedReasonScene(msgspec.Struct, frozen=True):
    """The page to type a reason. ``over`` is the scene to return to."""

    over: ReasonScene
    typed: str = ""

    name: ClassVar[str] = "reason-typed"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the text so far and the keyboard."""
        _ = stage.words.gettext
        reason = self.typed.strip()
        chosen = OnTouch(Reply(becomes=msgspec.structs.replace(self.over, reason=reason)))
        done = Button(
            NOWHERE, "reason-done", _("Done"), ButtonStyle.MAIN, "check", enabled=bool(reason), action=chosen
        )
        again = partial(TypedReasonScene, self.over)
        back = Reply(becomes=self.over)
        return typing_page(stage, WORD_KEYS, self.typed, done, hint=_("Why?"), after=again, back=back)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the decision that needs this reason is possible."""
        return self.over.still_holds(stage)


_ANY = "…"
"""A placeholder for the reason, used to check whether a command is possible."""


def _may_any_be_warned(stage: SceneContext) -> bool:
    return stage.table.game is not None and any(may_be_warned(stage, seat.seat) for seat in stage.game.seats)


@scene("warn", when=_may_any_be_warned)
def warn_player(stage: SceneContext) -> Dialog:
    """Choose the player to warn."""
    _ = stage.words.gettext
    offers = [
        offer(
            stage, f"warn-seat-{seat.seat}", seat.name, Reply(opens=OffenceScene(seat.seat)), 2.6,
            look=ButtonStyle.CARD,
        )
        for seat in stage.game.seats
        if may_be_warned(stage, seat.seat)
    ]  # fmt: skip
    head = Heading(_("Warn a player"), _("A second warning in the tournament means ejection."), "warning")
    return Dialog(stage, head, (*offers, back_offer(stage, 1.6)))


def may_be_warned(stage: SceneContext, seat: SeatNo) -> bool:
    return stage.allows(WarnPlayer(seat, Offence.OTHER, _ANY))


class OffenceScene(msgspec.Struct, frozen=True):
    """The list of offences for a warning or an ejection, from the edition's rules of conduct.

    With ``is_turned``, an upright screen shows the second half of the list.
    """

    seat: SeatNo
    ejects: bool = False
    is_turned: bool = False

    name: ClassVar[str] = "offence"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a button for each offence, which opens the page for the reason."""
        _, name = stage.words.gettext, stage.seat(self.seat).name
        offers = [
            offer(
                stage, f"offence-{offence.value}", _(OFFENCE_NAMES[offence]),
                Reply(opens=self._reason_scene(stage, offence)), 3.4,
            )
            for offence in self._offences(stage)
        ]  # fmt: skip
        if _is_upright(stage):
            turned = Reply(becomes=msgspec.structs.replace(self, is_turned=not self.is_turned))
            offers.append(offer(stage, "offence-others", _("Other categories"), turned, 3.4, icon="arrow"))
        title = (_("Eject {name}") if self.ejects else _("Warn {name}")).format(name=name)
        return draw_dialog(
            stage, Heading(title, _("What for?"), "warning"), (*offers, back_offer(stage, 1.6))
        )

    def _offences(self, stage: SceneContext) -> tuple[Offence, ...]:
        every = tuple(Offence)
        if not _is_upright(stage):
            return every
        half = len(every) // 2
        return every[half:] if self.is_turned else every[:half]

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether the player may still be warned, or ejected."""
        if stage.table.game is None:
            return False
        if self.ejects:
            return stage.allows(Abandon(self.seat, ejected=True))
        return may_be_warned(stage, self.seat)

    def _reason_scene(self, stage: SceneContext, offence: Offence) -> ReasonScene:
        """Return the page for the reason, which also announces an ejection after a second warning."""
        ejection = Abandon(self.seat, ejected=True, offence=offence)
        if self.ejects:
            return ReasonScene(ejection, self._purpose(stage, offence, is_last=False))
        is_last = is_ejected_by(_warnings(stage, self.seat) + 1)
        also = (ejection,) if is_last and stage.allows(ejection) else ()
        purpose = self._purpose(stage, offence, is_last=is_last)
        return ReasonScene(WarnPlayer(self.seat, offence, ""), purpose, also=also)

    def _purpose(self, stage: SceneContext, offence: Offence, *, is_last: bool) -> Purpose:
        _, name = stage.words.gettext, stage.seat(self.seat).name
        usual = (_("Seen by the judge"), _("Reported by the table"))
        about = _(OFFENCE_NAMES[offence])
        rule = offence_rule(offence, stage.edition)
        title = _("{name}: {what}").format(name=name, what=f"{about} ({rule})" if rule else about)
        if self.ejects:
            text = _("{name} can't come back in this tournament.").format(name=name)
            done = _("{name} was ejected.").format(name=name)
            return Purpose(title, text, _("Hold: eject"), done, usual, "cross")
        if is_last:
            text = _("This is the second warning: {name} will be ejected.").format(name=name)
            done = _("{name} was ejected.").format(name=name)
            return Purpose(title, text, _("Hold: warn and eject"), done, usual, "cross")
        text = _("A second warning in the tournament means ejection.")
        done = _("{name} has been warned.").format(name=name)
        return Purpose(title, text, _("Hold: warn"), done, usual, "warning")


def _is_upright(stage: SceneContext) -> bool:
    room = page_room(stage)
    return room.w < room.h


def _warnings(stage: SceneContext, seat: SeatNo) -> int:
    """Return a player's warnings: earlier ones known to the station, and those at this table."""
    return stage.seat(seat).warnings + sum(warning.seat == seat for warning in stage.game.warnings)

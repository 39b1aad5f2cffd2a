"""Judges' decisions that need a reason, among them warnings and ejections, which also need an offence."""

from functools import partial
from typing import ClassVar

import msgspec

from base.errors import Refused
from core.game.correction import CorrectionCommand
from core.game.ending.judge_calls import WarnPlayer
from core.game.ending.sheet import VoidGame
from core.game.play.abandonment import Abandon
from core.game.setup import RestartGame
from core.game.state.offences import OFFENCE_NAMES, Offence, is_ejected_by, offence_rule
from core.terms import SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.scene import OnTouch, Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, draw_dialog, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.keyboard import WORD_KEYS, typing_page
from kiosk.scenes.widgets.page_parts import HOLD_MS, back_offer, offer, page_room
from kiosk.scenes.widgets.ring_centre import NOWHERE
from kiosk.ui.blocks import Block, Button, ButtonStyle
from kiosk.view.intents import AskGame

_ANY = "…"
"""A placeholder for the reason, to check whether a command is possible before there is one."""
Reasoned = VoidGame | RestartGame | CorrectionCommand | WarnPlayer | Abandon


class Purpose(msgspec.Struct, frozen=True):
    """The texts of a decision's page.

    text: the effect of the decision.
    hold: the label of the button.
    done: the message afterwards.
    usual: common reasons to choose from.
    """

    title: str
    text: str
    hold: str
    done: str
    usual: tuple[str, ...]
    icon: str = "key"


class ReasonScene(msgspec.Struct, frozen=True):
    """A page to choose or type the reason for a decision.

    also: further commands with the same reason, such as the ejection after a second warning.
    """

    command: Reasoned
    purpose: Purpose
    reason: str = ""
    also: tuple[Reasoned, ...] = ()

    name: ClassVar[str] = "reason"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the effect, the reasons, and a button to hold, which needs a reason."""
        _ = stage.words.gettext
        other = self.reason and self.reason not in self.purpose.usual
        offers = [
            offer(
                stage, f"reason-{number}", words,
                Reply(becomes=msgspec.structs.replace(self, reason=words)), 3.4,
                chosen=words == self.reason, icon="check" if words == self.reason else "",
            )
            for number, words in enumerate(self.purpose.usual, 1)
        ]  # fmt: skip
        typed = offer(
            stage, "reason-typed", self.reason if other else _("Other reason"),
            Reply(becomes=_type_reason(self)), 3.4,
            chosen=bool(other), icon="pencil",
        )  # fmt: skip
        *before, last = (
            msgspec.structs.replace(command, reason=self.reason) for command in (self.command, *self.also)
        )
        decide = Reply((*map(AskGame, before), AskGame(last, self.purpose.done)), leaves=True)
        hold = offer(
            stage, "do-it", self.purpose.hold, decide, 3.6, look=ButtonStyle.GRAVE,
            icon=self.purpose.icon, hold_ms=HOLD_MS, enabled=bool(self.reason) and self.still_holds(stage),
        )  # fmt: skip
        why = "" if self.reason else _("Why?")
        head = Heading(self.purpose.title, self.purpose.text, self.purpose.icon, badge=why)
        return draw_dialog(stage, head, (*offers, typed, back_offer(stage, 1.6), hold))

    def still_holds(self, stage: SceneContext) -> bool:
        return stage.table.game is not None and self.why_not(stage) is None

    def why_not(self, stage: SceneContext) -> Refused | None:
        return stage.why_not(msgspec.structs.replace(self.command, reason=_ANY))


@scene("reason-typed", holds=lambda stage, over, *_: over.still_holds(stage))
def _type_reason(stage: SceneContext, over: ReasonScene, typed: str = "") -> tuple[Block, ...]:
    _, reason = stage.words.gettext, typed.strip()
    chosen = OnTouch(Reply(becomes=msgspec.structs.replace(over, reason=reason)))
    done = Button(
        NOWHERE, "reason-done", _("Done"), ButtonStyle.MAIN, "check", enabled=bool(reason), action=chosen
    )
    again, back = partial(_type_reason, over), Reply(becomes=over)
    return typing_page(stage, WORD_KEYS, typed, done, hint=_("Why?"), after=again, back=back)


def _any_warning(seat: SeatNo) -> WarnPlayer:
    return WarnPlayer(seat, Offence.OTHER, _ANY)


@scene("warn", when=lambda stage: bool(stage.seats_for(_any_warning)))
def warn_player(stage: SceneContext) -> Dialog:
    """Choose the player to warn."""
    _ = stage.words.gettext
    offers = [
        offer(
            stage, f"warn-seat-{seat.seat}", seat.name, choose_offence(seat.seat), 2.6, look=ButtonStyle.CARD
        )
        for seat in stage.seats_for(_any_warning)
    ]
    head = Heading(
        _("Warn a player"),
        _("A second warning in the tournament means ejection."),
        "warning",
        rule=Rule.WARNINGS.value,
    )
    return Dialog(stage, head, offers)


def _may_be_punished(stage: SceneContext, seat: SeatNo, *, ejects: bool = False, **_turned: object) -> bool:
    return stage.allows(Abandon(seat, ejected=True) if ejects else _any_warning(seat))


@scene("offence", holds=_may_be_punished)
def choose_offence(
    stage: SceneContext, seat: SeatNo, *, ejects: bool = False, is_turned: bool = False
) -> Dialog:
    """Choose the offence for a warning or an ejection.

    is_turned: show the second half of the list, which has two halves on an upright screen.
    """
    _, room, offences = stage.words.gettext, page_room(stage), tuple(Offence)
    half, is_upright = len(offences) // 2, room.w < room.h
    if is_upright:
        offences = offences[half:] if is_turned else offences[:half]
    offers = [
        offer(
            stage, f"offence-{offence.value}", _(OFFENCE_NAMES[offence]),
            _offence_reason(stage, seat, offence, ejects=ejects), 3.4,
        )
        for offence in offences
    ]  # fmt: skip
    if is_upright:
        turned = Reply(becomes=choose_offence(seat, ejects=ejects, is_turned=not is_turned))
        offers.append(offer(stage, "offence-others", _("Other categories"), turned, 3.4, icon="arrow"))
    title = (_("Eject {name}") if ejects else _("Warn {name}")).format(name=stage.seat(seat).name)
    return Dialog(stage, Heading(title, _("What for?"), "warning"), offers)


def _offence_reason(stage: SceneContext, seat: SeatNo, offence: Offence, *, ejects: bool) -> ReasonScene:
    """Return the page for the reason, with the ejection that a second warning entails."""
    _, name = stage.words.gettext, stage.seat(seat).name
    about, rule = _(OFFENCE_NAMES[offence]), offence_rule(offence, stage.edition)
    title = _("{name}: {what}").format(name=name, what=f"{about} ({rule})" if rule else about)
    usual = (_("Seen by the judge"), _("Reported by the table"))
    ejection = Abandon(seat, ejected=True, offence=offence)
    ejected = _("{name} was ejected.").format(name=name)
    if ejects:
        text = _("{name} can't come back in this tournament.").format(name=name)
        return ReasonScene(ejection, Purpose(title, text, _("Hold: eject"), ejected, usual, "cross"))
    # The seat knows warnings from earlier games.
    warnings = stage.seat(seat).warnings + sum(warning.seat == seat for warning in stage.game.warnings)
    warning = WarnPlayer(seat, offence, "")
    if not is_ejected_by(warnings + 1):
        text = _("A second warning in the tournament means ejection.")
        done = _("{name} has been warned.").format(name=name)
        return ReasonScene(warning, Purpose(title, text, _("Hold: warn"), done, usual, "warning"))
    text = _("This is the second warning: {name} will be ejected.").format(name=name)
    purpose = Purpose(title, text, _("Hold: warn and eject"), ejected, usual, "cross")
    return ReasonScene(warning, purpose, also=(ejection,) if stage.allows(ejection) else ())

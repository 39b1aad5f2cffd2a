"""The judge's warnings and ejections: choose a player, an offence, and a reason."""

from typing import ClassVar

import msgspec

from core.game.ending.judge_calls import WarnPlayer
from core.game.play.abandonment import Abandon
from core.game.state.offences import OFFENCE_NAMES, Offence, is_ejected_by, offence_rule
from core.terms import SeatNo
from kiosk.scenes.judge.judge_ruling import Purpose, ReasonScene
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, dialog, draw_dialog
from kiosk.scenes.widgets.page_parts import Heading, back_offer, offer, page_room
from kiosk.ui.blocks import Block, ButtonStyle

_ANY = "…"
"""A placeholder for the reason, used to check whether a command is possible."""


def _may_any_be_warned(stage: SceneContext) -> bool:
    return stage.table.game is not None and any(may_be_warned(stage, seat.seat) for seat in stage.game.seats)


@dialog("warn", when=_may_any_be_warned)
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

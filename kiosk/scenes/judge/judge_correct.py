"""The judge's corrections of entries: life points of players in play, and the facts of an elimination."""

from collections.abc import Iterator
from typing import ClassVar, Final, assert_never

import msgspec

from core.game.correction import CorrectElimination, CorrectLife, RestorePlayer, mixed_up_with
from core.game.state.game import BY_PLAYERS, Cause, Elimination, HighNoon, Phase, Seat
from core.game.state.seats import role_counts
from core.terms import Role, SeatNo
from kiosk.i18n import role_name
from kiosk.scenes.judge.correct_course import continue_offer, correction, course_offers, explained
from kiosk.scenes.judge.judge_ruling import ReasonScene
from kiosk.scenes.scene import Reply, Scene, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, dialog, draw_dialog
from kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, offer
from kiosk.ui.blocks import Block, ButtonStyle

_OPEN: Final = frozenset({Phase.PLAYING, Phase.ENDED, Phase.SHEET})


def may_correct(stage: SceneContext) -> bool:
    """Return whether anything can be corrected now."""
    game = stage.table.game
    return game is not None and game.duel is None and game.phase in _OPEN


@dialog("correct", when=may_correct)
def correct_game(stage: SceneContext) -> Dialog:
    """Choose the player whose life points or elimination to correct."""
    _ = stage.words.gettext
    offers = [_of_seat(stage, seat) for seat in stage.game.seats]
    text = _("For mistakes too far back to undo. The original entries stay in the story.")
    head = Heading(_("Correct the game"), text, "pencil", is_optional=True)
    return Dialog(stage, head, (*offers, *course_offers(stage), back_offer(stage, 1.6)))


class CorrectLifeScene(msgspec.Struct, frozen=True):
    """The correction of a seat's life points. ``life`` is the new value."""

    seat: SeatNo
    life: int

    name: ClassVar[str] = "correct-life"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw buttons for one less and one more, with the value in the heading."""
        _, seat = stage.words.gettext, stage.seat(self.seat)
        words = stage.words.ngettext("{name}: {count} life point", "{name}: {count} life points", self.life)
        text = _("Currently: {count}.").format(count=seat.life)
        head = Heading(words.format(name=seat.name, count=self.life), text, "bullet")
        offers = (
            self._step(stage, "less", _("Less"), -1, enabled=self.life > 1),
            self._step(stage, "more", _("More"), +1, enabled=self.life < seat.max_life),
            back_offer(stage, 1.6),
            continue_offer(stage, self._reason(stage)),
        )
        return draw_dialog(stage, head, offers)

    def still_holds(self, stage: SceneContext) -> bool:
        return may_correct(stage) and stage.seat(self.seat).in_play

    def _step(self, stage: SceneContext, id_: str, said: str, by: int, *, enabled: bool) -> Offer:
        reply = Reply(becomes=CorrectLifeScene(self.seat, self.life + by))
        icon = "plus" if by > 0 else "minus"
        return offer(
            stage, f"life-{id_}", "", reply, 1.6, size_mm=5, icon=icon, said=said, enabled=enabled,
            may_repeat=True,
        )  # fmt: skip

    def _reason(self, stage: SceneContext) -> ReasonScene:
        _, seat = stage.words.gettext, stage.seat(self.seat)
        words = stage.words.ngettext(
            "New total for {name}: {count} life point.",
            "New total for {name}: {count} life points.",
            self.life,
        ).format(name=seat.name, count=self.life)
        before = _("Currently: {count}.").format(count=seat.life)
        return ReasonScene(
            CorrectLife(self.seat, self.life, ""), correction(stage, f"{before} {words}", words)
        )


class CorrectEliminationScene(msgspec.Struct, frozen=True):
    """The correction of an elimination: the killer, and the role that was shown."""

    seat: SeatNo
    by: SeatNo | None
    cause: Cause
    role: Role

    name: ClassVar[str] = "correct-elimination"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the possible killers and roles, with the chosen ones marked."""
        _ = stage.words.gettext
        offers = [*(self._by(stage, seat) for seat in stage.game.seats if seat.seat != self.seat)]
        offers += self._nobody(stage)
        roles = [self._role(stage, role) for role in _roles_at(stage)]
        reason, never = self._reason(stage), self._restored(stage)
        words, may = _("It never happened"), never.still_holds(stage)
        strike = offer(stage, "never-happened", words, Reply(opens=never), 2.8, icon="undo", enabled=may)
        last = (strike, back_offer(stage, 1.6), continue_offer(stage, reason))
        title = _("{name}'s elimination").format(name=stage.seat(self.seat).name)
        head = Heading(title, _("By whom? What was their role?"), "tombstone", is_optional=True)
        return draw_dialog(stage, explained(stage, head, reason, never), offers, roles, last)

    def still_holds(self, stage: SceneContext) -> bool:
        return may_correct(stage) and _elimination(stage, self.seat) is not None

    def _by(self, stage: SceneContext, seat: Seat) -> Offer:
        look = ButtonStyle.CHOSEN if self.by == seat.seat else ButtonStyle.CARD
        cause = self.cause if self.cause in BY_PLAYERS else Cause.PLAYER
        chosen = Reply(becomes=msgspec.structs.replace(self, by=seat.seat, cause=cause))
        return offer(stage, f"by-seat-{seat.seat}", seat.name, chosen, 2.4, look=look)

    def _nobody(self, stage: SceneContext) -> Iterator[Offer]:
        _ = stage.words.gettext
        causes = [
            (Cause.DYNAMITE, "by-dynamite", _("Dynamite"), "dynamite"),
            (Cause.OWN_DUEL, "by-own-duel", _("Own Duel"), "cards"),
        ]
        if stage.game.high_noon is HighNoon.ON:
            causes.append((Cause.HIGH_NOON, "by-high-noon", _("High Noon"), "sun"))
        for cause, target, words, icon in causes:
            look = ButtonStyle.CHOSEN if self.cause is cause else ButtonStyle.CARD
            # If players fall in their own Duel, the other duellist is the killer (reading D35).
            by = self.by if cause in BY_PLAYERS else None
            chosen = Reply(becomes=msgspec.structs.replace(self, by=by, cause=cause))
            yield offer(stage, target, words, chosen, 2.4, look=look, icon=icon)

    def _restored(self, stage: SceneContext) -> ReasonScene:
        """Return the scene to confirm that this elimination never happened."""
        _, name = stage.words.gettext, stage.seat(self.seat).name
        text = _("{name} is in play again, with one life point: correct it afterwards.").format(name=name)
        return ReasonScene(RestorePlayer(self.seat, 1, ""), correction(stage, text, text))

    def _role(self, stage: SceneContext, role: Role) -> Offer:
        look = ButtonStyle.CHOSEN if role is self.role else ButtonStyle.QUIET
        chosen = Reply(becomes=msgspec.structs.replace(self, role=role))
        return offer(stage, f"role-{role.value}", role_name(stage.words, role), chosen, 2.2, look=look)

    def _reason(self, stage: SceneContext) -> ReasonScene:
        _ = stage.words.gettext
        words, elimination = _elimination_words(stage, self), _elimination(stage, self.seat)
        before = "" if elimination is None else _elimination_words(stage, elimination)
        other = mixed_up_with(stage.game, self.seat, self.role, stage.edition)
        if other is not None and elimination is not None:
            before = f"{before} {_elimination_words(stage, other)}"
            swapped = msgspec.structs.replace(other, role=elimination.role)
            words = f"{words} {_elimination_words(stage, swapped)}"
        text = _("Before: {before} After: {after} If this changes the ending, the table will see it at once.")
        command = CorrectElimination(self.seat, self.by, self.cause, self.role, "")
        return ReasonScene(command, correction(stage, text.format(before=before, after=words), words))


def _elimination_words(stage: SceneContext, elimination: Elimination | CorrectEliminationScene) -> str:
    _ = stage.words.gettext
    fields = {"name": stage.seat(elimination.seat).name, "role": role_name(stage.words, elimination.role)}
    match elimination.cause:
        case Cause.PLAYER:
            assert elimination.by is not None  # the core sets a killer if the cause is a player
            killer = stage.seat(elimination.by).name
            return _("{name} ({role}) was eliminated by {killer}.").format(killer=killer, **fields)
        case Cause.DYNAMITE:
            return _("{name} ({role}) was eliminated by Dynamite.").format(**fields)
        case Cause.HIGH_NOON:
            return _("{name} ({role}) was eliminated at High Noon.").format(**fields)
        case Cause.OWN_DUEL if elimination.by is None:
            return _("{name} ({role}) was eliminated in their own Duel.").format(**fields)
        case Cause.OWN_DUEL:
            killer = stage.seat(elimination.by).name
            text = _("{name} ({role}) was eliminated by {killer} in their own Duel.")
            return text.format(killer=killer, **fields)
        case _:
            assert_never(elimination.cause)


def _of_seat(stage: SceneContext, seat: Seat) -> Offer:
    _ = stage.words.gettext
    words = stage.words.ngettext("{count} life point", "{count} life points", seat.life)
    small = words.format(count=seat.life) if seat.in_play else _("eliminated")
    may = not seat.in_play or stage.game.phase is Phase.PLAYING
    opens: Scene = CorrectLifeScene(seat.seat, max(1, seat.life))
    elimination = _elimination(stage, seat.seat)
    if elimination is not None and not seat.in_play:
        opens = CorrectEliminationScene(seat.seat, elimination.by, elimination.cause, elimination.role)
    return offer(
        stage, f"correct-seat-{seat.seat}", seat.name, Reply(opens=opens), 3, look=ButtonStyle.CARD,
        small=small, enabled=may,
    )  # fmt: skip


def _elimination(stage: SceneContext, seat: SeatNo) -> Elimination | None:
    return next((elimination for elimination in stage.game.eliminations if elimination.seat == seat), None)


def _roles_at(stage: SceneContext) -> tuple[Role, ...]:
    row = role_counts(len(stage.game.seats), stage.edition)
    return tuple(role for role in Role if role is not Role.SHERIFF and row.count(role))

"""The judge's corrections of entries: life points of players in play, and the facts of an elimination."""

from collections.abc import Iterator
from typing import ClassVar, Final, assert_never

import msgspec

from core.game.correction.corrected_eliminations import (
    CorrectElimination,
    CorrectOrder,
    RestorePlayer,
    mixed_up_with,
)
from core.game.correction.correction import (
    CorrectLife,
    CorrectReshuffles,
    CorrectTurn,
    high_noon_with_reshuffles,
)
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.state.causes import BY_PLAYERS, Cause
from core.game.state.game import Elimination, HighNoon, Phase, Seat
from core.game.state.reasons import GameReason
from core.game.state.role_counts import role_counts
from core.terms import Role, SeatNo
from kiosk.i18n import role_name
from kiosk.scenes.judge.judge_ruling import Purpose, ReasonScene
from kiosk.scenes.scene import PlayingScene, Reply, Scene, SceneContext
from kiosk.scenes.widgets.card import short_names
from kiosk.scenes.widgets.dialogs import Dialog, draw_dialog, scene
from kiosk.scenes.widgets.page_parts import Heading, Offer, back_offer, offer
from kiosk.ui.blocks import Block, ButtonStyle

_NOONS: Final = (HighNoon.OFF, HighNoon.WAITING, HighNoon.ON)


def correction(stage: SceneContext, text: str, done: str) -> Purpose:
    """Return the texts of a correction.

    text: what it changes.
    done: shown afterwards.
    """
    _ = stage.words.gettext
    usual = (_("Wrong button tapped"), _("The whole table saw it"), _("A card was misread"))
    return Purpose(_("Correct the game"), text, _("Hold: correct it"), done, usual, "pencil")


def explained(stage: SceneContext, head: Heading, *changes: ReasonScene) -> Heading:
    """Return the heading, with the reason why a correction is impossible if it is."""
    refusals = (change.why_not(stage) for change in changes)
    no = next((no for no in refusals if no is None or no.reason is not GameReason.NOTHING_CORRECTED), None)
    if no is None:
        return head
    text = stage.words.refusal(no, short_names(stage.game.seats))
    return msgspec.structs.replace(head, text=text, is_optional=False)


def continue_offer(stage: SceneContext, opens: ReasonScene) -> Offer:
    """Return the button that leads from a new value to the page for its reason."""
    words, look, enabled = stage.words.gettext("Continue"), ButtonStyle.MAIN, opens.still_holds(stage)
    return offer(stage, "to-reason", words, Reply(opens=opens), 2.6, look=look, icon="arrow", enabled=enabled)


def course_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the buttons for corrections that don't concern a single player."""
    _, game, look = stage.words.gettext, stage.game, ButtonStyle.QUIET
    plays = game.phase is Phase.PLAYING
    turn = CorrectTurnScene(game.turn or game.sheriff, game.high_noon)
    order = CorrectOrderScene(tuple(e.seat for e in game.eliminations))
    count = CorrectReshufflesScene(game.reshuffles)
    return (
        offer(
            stage, "correct-reshuffles", _("Reshuffles"), Reply(opens=count), 2.6, look=look, icon="shuffle",
            enabled=plays,
        ),
        offer(
            stage, "correct-turn", _("Turn"), Reply(opens=turn), 2.2, look=look, icon="arrow", enabled=plays
        ),
        offer(
            stage, "correct-order", _("Eliminations"), Reply(opens=order), 2.2, look=look, icon="tombstone",
            enabled=len(game.eliminations) > 1,
        ),
    )  # fmt: skip


def _deck_patience(stage: SceneContext) -> str:
    """Describe when the table is reminded of a reshuffle, or an empty string if never."""
    ngettext, patience = stage.words.ngettext, stage.table.patience
    if patience.deck_turns is not None:
        return ngettext(
            "A reminder appears after {count} turn without one.",
            "A reminder appears after {count} turns without one.",
            patience.deck_turns,
        ).format(count=patience.deck_turns)
    if patience.deck_s is None:
        return ""
    minutes = round(patience.deck_s / 60)
    return ngettext(
        "A reminder appears after {count} minute without one.",
        "A reminder appears after {count} minutes without one.",
        minutes,
    ).format(count=minutes)


def _turn_patience(stage: SceneContext) -> str:
    """Describe when the table is reminded of its turn, or an empty string if turns aren't recorded."""
    if stage.table.patience.turn_s is None:
        return ""
    minutes = round(stage.table.patience.turn_s / 60)
    return stage.words.ngettext(
        "A reminder appears after {count} minute on the same turn.",
        "A reminder appears after {count} minutes on the same turn.",
        minutes,
    ).format(count=minutes)


def _noon_change(stage: SceneContext, after: HighNoon) -> str:
    """Describe what a different state of High Noon changes, or an empty string if it stays the same."""
    _, before = stage.words.gettext, stage.game.high_noon
    if after is before:
        return ""
    if after is HighNoon.ON:
        return _("High Noon is on: from the next turn on, each turn takes a life point.")
    given_back = (
        "" if before is not HighNoon.ON else _("High Noon ends. Give back the life points that it took.")
    )
    if after is HighNoon.OFF:
        return given_back or _("High Noon isn't near any more.")
    return f"{given_back} {_begins_by_turns(stage)}".lstrip()


def _begins_by_turns(stage: SceneContext) -> str:
    return stage.words.gettext("From here on, turns decide when High Noon begins.")


class CorrectReshufflesScene(PlayingScene, msgspec.Struct, frozen=True):
    """The correction of the number of reshuffles. ``count`` is the new number."""

    count: int

    name: ClassVar[str] = "correct-reshuffles"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw buttons for one less and one more, and the effect on High Noon."""
        _, ngettext = stage.words.gettext, stage.words.ngettext
        words = ngettext("{count} reshuffle", "{count} reshuffles", self.count).format(count=self.count)
        now = _("Currently: {count}.").format(count=stage.game.reshuffles)
        new, follows = _("New number: {count}.").format(count=self.count), self._consequence(stage)
        text = " ".join(filter(None, (now, follows, _deck_patience(stage))))
        change = " ".join(filter(None, (now, new, follows)))
        reason = ReasonScene(CorrectReshuffles(self.count, ""), correction(stage, change, words))
        offers = (
            self._step(stage, "less", _("Less"), -1, enabled=self.count > 0),
            self._step(stage, "more", _("More"), +1, enabled=self.count < stage.game.reshuffles + 5),
            back_offer(stage, 1.6),
            continue_offer(stage, reason),
        )
        return draw_dialog(stage, Heading(words, text, "shuffle"), offers)

    def _consequence(self, stage: SceneContext) -> str:
        _, ngettext, game = stage.words.gettext, stage.words.ngettext, stage.game
        after = high_noon_with_reshuffles(game, self.count, stage.edition)
        if after is not game.high_noon:
            return _noon_change(stage, after)
        threshold = reshuffles_to_high_noon(len(game.seats), stage.edition)
        if threshold is None:
            return _("No High Noon here.")
        if after is HighNoon.OFF:
            left = threshold - self.count
            text = ngettext(
                "High Noon after {count} more reshuffle", "High Noon after {count} more reshuffles", left
            )
            return f"{text.format(count=left)}."
        return _("High Noon doesn't change.")

    def _step(self, stage: SceneContext, id_: str, said: str, by: int, *, enabled: bool) -> Offer:
        reply, icon = Reply(becomes=CorrectReshufflesScene(self.count + by)), "plus" if by > 0 else "minus"
        return offer(
            stage, f"reshuffles-{id_}", "", reply, 1.6, size_mm=5, icon=icon, said=said, enabled=enabled,
            may_repeat=True,
        )  # fmt: skip


class CorrectTurnScene(PlayingScene, msgspec.Struct, frozen=True):
    """The correction of the current turn and of its state of High Noon."""

    seat: SeatNo
    high_noon: HighNoon

    name: ClassVar[str] = "correct-turn"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the players in play and the states of High Noon, with the chosen ones marked."""
        _ = stage.words.gettext
        offers = [
            offer(
                stage, f"turn-of-{seat.seat}", seat.name,
                Reply(becomes=msgspec.structs.replace(self, seat=seat.seat)), 2.2,
                look=ButtonStyle.CHOSEN if seat.seat == self.seat else ButtonStyle.CARD,
            )
            for seat in stage.game.seats
            if seat.in_play
        ]  # fmt: skip
        if stage.edition.high_noon is not None:
            offers += [self._noon(stage, noon) for noon in _NOONS]
        name = stage.seat(self.seat).name
        words = _("{name}'s turn").format(name=name)
        text = _("{name}'s turn from now on. Nobody gains or loses a life point.").format(name=name)
        text = f"{text} {_noon_change(stage, self.high_noon)}".rstrip()
        reason = ReasonScene(CorrectTurn(self.seat, self.high_noon, ""), correction(stage, text, words))
        last = (back_offer(stage, 1.6), continue_offer(stage, reason))
        head = Heading(_("Whose turn is it?"), _turn_patience(stage), "arrow", is_optional=True)
        return draw_dialog(stage, explained(stage, head, reason), (*offers, *last))

    def _noon(self, stage: SceneContext, noon: HighNoon) -> Offer:
        _ = stage.words.gettext
        names = {
            HighNoon.OFF: _("No High Noon"),
            HighNoon.WAITING: _("High Noon is near"),
            HighNoon.ON: _("High Noon!"),
        }
        chosen = Reply(becomes=msgspec.structs.replace(self, high_noon=noon))
        look = ButtonStyle.CHOSEN if noon is self.high_noon else ButtonStyle.QUIET
        return offer(stage, f"noon-{noon.value}", names[noon], chosen, 2.4, look=look, icon="sun")


class CorrectOrderScene(msgspec.Struct, frozen=True):
    """The correction of the order of eliminations. ``order`` is the new order."""

    order: tuple[SeatNo, ...]

    name: ClassVar[str] = "correct-order"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the eliminated players in order; a tap moves one forward."""
        _ = stage.words.gettext
        offers = tuple(
            offer(
                stage, f"earlier-{seat}", f"{number}. {stage.seat(seat).name}",
                Reply(becomes=CorrectOrderScene(self._moved(number - 1))), 2.6, look=ButtonStyle.CARD,
                enabled=number > 1, may_repeat=True,
            )
            for number, seat in enumerate(self.order, 1)
        )  # fmt: skip
        names = ", ".join(stage.seat(seat).name for seat in self.order)
        before = ", ".join(stage.seat(e.seat).name for e in stage.game.eliminations)
        text = _("Before: {before} After: {after} If this changes the ending, the table will see it at once.")
        text = text.format(before=f"{before}.", after=f"{names}.")
        reason = ReasonScene(CorrectOrder(self.order, ""), correction(stage, text, names))
        head = Heading(_("Who was eliminated first?"), _("Tap a player to move them forward."), "tombstone")
        last = (back_offer(stage, 1.6), continue_offer(stage, reason))
        return draw_dialog(stage, explained(stage, head, reason), (*offers, *last))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether exactly these players are eliminated."""
        game = stage.table.game
        return game is not None and {e.seat for e in game.eliminations} == set(self.order)

    def _moved(self, index: int) -> tuple[SeatNo, ...]:
        """Return the order with one player moved one place forward."""
        before = max(0, index - 1)
        rest = (*self.order[:index], *self.order[index + 1 :])
        return (*rest[:before], self.order[index], *rest[before:])


_OPEN: Final = frozenset({Phase.PLAYING, Phase.ENDED, Phase.SHEET})


def may_correct(stage: SceneContext) -> bool:
    """Return whether anything can be corrected now."""
    game = stage.table.game
    return game is not None and game.duel is None and game.phase in _OPEN


@scene("correct", when=may_correct)
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

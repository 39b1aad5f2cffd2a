"""The judge's corrections of life points, eliminations and their order, reshuffles and the turn."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, assert_never

import msgspec

from core.game.correction import (
    CorrectElimination,
    CorrectionCommand,
    CorrectLife,
    CorrectOrder,
    CorrectReshuffles,
    CorrectTurn,
    RestorePlayer,
    high_noon_with_reshuffles,
    mixed_up_with,
)
from core.game.play.high_noon import reshuffles_to_high_noon
from core.game.state.game import BY_PLAYERS, Cause, Elimination, HighNoon, Phase, Seat
from core.game.state.reasons import GameReason
from core.game.state.seats import role_counts
from core.terms import Role, SeatNo
from kiosk.i18n import role_name
from kiosk.scenes.judge.judge_ruling import Purpose, ReasonScene
from kiosk.scenes.scene import Reply, Scene, SceneContext
from kiosk.scenes.widgets.card import short_names
from kiosk.scenes.widgets.dialogs import Dialog, has_game, in_play, scene
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import offer
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import ButtonStyle


def _reason_for(stage: SceneContext, command: CorrectionCommand, text: str, done: str) -> ReasonScene:
    _ = stage.words.gettext
    usual = (_("Wrong button tapped"), _("The whole table saw it"), _("A card was misread"))
    purpose = Purpose(_("Correct the game"), text, _("Hold: correct it"), done, usual, "pencil")
    return ReasonScene(command, purpose)


def _explained(stage: SceneContext, head: Heading, *changes: ReasonScene) -> Heading:
    """Add to a heading why one of the changes is impossible, unless nothing has been changed yet."""
    refusals = (change.why_not(stage) for change in changes)
    no = next((no for no in refusals if no is None or no.reason is not GameReason.NOTHING_CORRECTED), None)
    if no is None:
        return head
    text = stage.words.refusal(no, short_names(stage.game.seats))
    return msgspec.structs.replace(head, text=text, is_optional=False)


def _continue_offer(stage: SceneContext, opens: ReasonScene) -> Offer:
    words, look, enabled = stage.words.gettext("Continue"), ButtonStyle.MAIN, opens.still_holds(stage)
    return offer(stage, "to-reason", words, opens, 2.6, look=look, icon="arrow", enabled=enabled)


_OPEN: Final = frozenset({Phase.PLAYING, Phase.ENDED, Phase.SHEET})


def _may_correct(stage: SceneContext) -> bool:
    game = stage.table.game
    return game is not None and game.duel is None and game.phase in _OPEN


@scene("correct", when=_may_correct)
def correct_game(stage: SceneContext) -> Dialog:
    """Choose a player, or a fact about the whole game, to correct."""
    _ = stage.words.gettext
    offers = [_of_seat(stage, seat) for seat in stage.game.seats]
    text = _("For mistakes too far back to undo. The original entries stay in the story.")
    head = Heading(_("Correct the game"), text, "pencil", is_optional=True)
    return Dialog(stage, head, (*offers, *_of_game(stage)))


def _of_seat(stage: SceneContext, seat: Seat) -> Offer:
    words = stage.words.ngettext("{count} life point", "{count} life points", seat.life)
    small = words.format(count=seat.life) if seat.in_play else stage.words.gettext("eliminated")
    may = not seat.in_play or stage.game.phase is Phase.PLAYING
    opens: Scene = correct_life(seat.seat, max(1, seat.life))
    out = _elimination(stage, seat.seat)
    if out is not None and not seat.in_play:
        opens = correct_elimination(CorrectElimination(seat.seat, out.by, out.cause, out.role, ""))
    target, card = f"correct-seat-{seat.seat}", ButtonStyle.CARD
    return offer(stage, target, seat.name, opens, 3, look=card, small=small, enabled=may)


def _of_game(stage: SceneContext) -> tuple[Offer, ...]:
    _, game = stage.words.gettext, stage.game
    plays, many = game.phase is Phase.PLAYING, len(game.eliminations) > 1
    turn = correct_turn(game.turn or game.sheriff, game.high_noon)
    order = correct_order(tuple(e.seat for e in game.eliminations))
    count = correct_reshuffles(game.reshuffles)
    return (
        offer(stage, "correct-reshuffles", _("Reshuffles"), count, 2.6, icon="shuffle", enabled=plays),
        offer(stage, "correct-turn", _("Turn"), turn, 2.2, icon="arrow", enabled=plays),
        offer(stage, "correct-order", _("Eliminations"), order, 2.2, icon="tombstone", enabled=many),
    )


def _less_and_more(
    stage: SceneContext, target: str, value: int, limits: tuple[int, int], after: Callable[[int], Scene]
) -> Iterator[Offer]:
    _, put = stage.words.gettext, partial(offer, stage, label="", share=1.6, may_repeat=True)
    less, more = (Reply(becomes=after(value + step)) for step in (-1, 1))
    yield put(f"{target}-less", effect=less, icon="minus", said=_("Less"), enabled=value > limits[0])
    yield put(f"{target}-more", effect=more, icon="plus", said=_("More"), enabled=value < limits[1])


@scene("correct-life", holds=lambda stage, seat, _life: _may_correct(stage) and stage.seat(seat).in_play)
def correct_life(stage: SceneContext, seat: SeatNo, life: int) -> Dialog:
    """Correct a seat's life points. ``life`` is the new value."""
    ngettext, player = stage.words.ngettext, stage.seat(seat)
    title = ngettext("{name}: {count} life point", "{name}: {count} life points", life)
    now = stage.words.gettext("Currently: {count}.").format(count=player.life)
    words = ngettext(
        "New total for {name}: {count} life point.", "New total for {name}: {count} life points.", life
    ).format(name=player.name, count=life)
    reason = _reason_for(stage, CorrectLife(seat, life, ""), f"{now} {words}", words)
    offers = (
        *_less_and_more(stage, "life", life, (1, player.max_life), lambda other: correct_life(seat, other)),
        _continue_offer(stage, reason),
    )
    return Dialog(stage, Heading(title.format(name=player.name, count=life), now, "bullet"), offers)


@scene("correct-reshuffles", when=in_play)
def correct_reshuffles(stage: SceneContext, count: int) -> Dialog:
    """Correct the number of reshuffles, and show how that changes High Noon. ``count`` is the new number."""
    _, ngettext, limits = stage.words.gettext, stage.words.ngettext, (0, stage.game.reshuffles + 5)
    words = ngettext("{count} reshuffle", "{count} reshuffles", count).format(count=count)
    now = _("Currently: {count}.").format(count=stage.game.reshuffles)
    new, follows = _("New number: {count}.").format(count=count), _noon_consequence(stage, count)
    text = " ".join(filter(None, (now, follows, _deck_patience(stage))))
    change = " ".join(filter(None, (now, new, follows)))
    offers = (
        *_less_and_more(stage, "reshuffles", count, limits, correct_reshuffles),
        _continue_offer(stage, _reason_for(stage, CorrectReshuffles(count, ""), change, words)),
    )
    return Dialog(stage, Heading(words, text, "shuffle"), offers)


def _noon_consequence(stage: SceneContext, count: int) -> str:
    _, ngettext, game = stage.words.gettext, stage.words.ngettext, stage.game
    after = high_noon_with_reshuffles(game, count, stage.edition)
    if after is not game.high_noon:
        return _noon_change(stage, after)
    threshold = reshuffles_to_high_noon(len(game.seats), stage.edition)
    if threshold is None:
        return _("No High Noon here.")
    if after is HighNoon.OFF:
        left = threshold - count
        text = ngettext(
            "High Noon after {count} more reshuffle", "High Noon after {count} more reshuffles", left
        )
        return f"{text.format(count=left)}."
    return _("High Noon doesn't change.")


def _deck_patience(stage: SceneContext) -> str:
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
    if stage.table.patience.turn_s is None:
        return ""
    minutes = round(stage.table.patience.turn_s / 60)
    return stage.words.ngettext(
        "A reminder appears after {count} minute on the same turn.",
        "A reminder appears after {count} minutes on the same turn.",
        minutes,
    ).format(count=minutes)


def _noon_change(stage: SceneContext, after: HighNoon) -> str:
    _, before = stage.words.gettext, stage.game.high_noon
    if after is before:
        return ""
    if after is HighNoon.ON:
        return _("High Noon is on: from the next turn on, each turn takes a life point.")
    ends = _("High Noon ends. Give back the life points that it took.")
    given_back = ends if before is HighNoon.ON else ""
    if after is HighNoon.OFF:
        return given_back or _("High Noon isn't near any more.")
    begins = _("From here on, turns decide when High Noon begins.")
    return f"{given_back} {begins}".lstrip()


@scene("correct-turn", when=in_play)
def correct_turn(stage: SceneContext, turn: SeatNo, high_noon: HighNoon) -> Dialog:
    """Correct whose turn it is, and the state of High Noon in that turn."""
    _, name = stage.words.gettext, stage.seat(turn).name
    offers = [
        offer(
            stage, f"turn-of-{seat.seat}", seat.name, Reply(becomes=correct_turn(seat.seat, high_noon)), 2.2,
            look=ButtonStyle.CARD, chosen=seat.seat == turn,
        )
        for seat in stage.game.seats
        if seat.in_play
    ]  # fmt: skip
    noons = (
        (HighNoon.OFF, _("No High Noon")),
        (HighNoon.WAITING, _("High Noon is near")),
        (HighNoon.ON, _("High Noon!")),
    )
    if stage.edition.high_noon is not None:
        offers += [
            offer(
                stage, f"noon-{noon.value}", label, Reply(becomes=correct_turn(turn, noon)), 2.4,
                chosen=noon is high_noon, icon="sun",
            )
            for noon, label in noons
        ]  # fmt: skip
    words = _("{name}'s turn").format(name=name)
    text = _("{name}'s turn from now on. Nobody gains or loses a life point.").format(name=name)
    text = f"{text} {_noon_change(stage, high_noon)}".rstrip()
    reason = _reason_for(stage, CorrectTurn(turn, high_noon, ""), text, words)
    change = _continue_offer(stage, reason)
    head = Heading(_("Whose turn is it?"), _turn_patience(stage), "arrow", is_optional=True)
    return Dialog(stage, _explained(stage, head, reason), (*offers, change))


@scene(
    "correct-order",
    holds=lambda stage, order: has_game(stage) and {e.seat for e in stage.game.eliminations} == set(order),
)
def correct_order(stage: SceneContext, order: tuple[SeatNo, ...]) -> Dialog:
    """Correct the order of eliminations. A tap on a player moves them forward; ``order`` is the new order."""
    _ = stage.words.gettext
    offers = tuple(
        offer(
            stage, f"earlier-{seat}", f"{number}. {stage.seat(seat).name}",
            Reply(becomes=correct_order(_moved_forward(order, number - 1))), 2.6, look=ButtonStyle.CARD,
            enabled=number > 1, may_repeat=True,
        )
        for number, seat in enumerate(order, 1)
    )  # fmt: skip
    names = ", ".join(stage.seat(seat).name for seat in order)
    before = ", ".join(stage.seat(e.seat).name for e in stage.game.eliminations)
    text = _("Before: {before} After: {after} If this changes the ending, the table will see it at once.")
    text = text.format(before=f"{before}.", after=f"{names}.")
    reason = _reason_for(stage, CorrectOrder(order, ""), text, names)
    head = Heading(_("Who was eliminated first?"), _("Tap a player to move them forward."), "tombstone")
    change = _continue_offer(stage, reason)
    return Dialog(stage, _explained(stage, head, reason), (*offers, change))


def _moved_forward(order: tuple[SeatNo, ...], index: int) -> tuple[SeatNo, ...]:
    before = max(0, index - 1)
    rest = (*order[:index], *order[index + 1 :])
    return (*rest[:before], order[index], *rest[before:])


@scene(
    "correct-elimination",
    holds=lambda stage, new: _may_correct(stage) and _elimination(stage, new.seat) is not None,
)
def correct_elimination(stage: SceneContext, new: CorrectElimination) -> Dialog:
    """Correct by whom or what a player was eliminated, and the role that was shown."""
    _, name = stage.words.gettext, stage.seat(new.seat).name
    row = role_counts(len(stage.game.seats), stage.edition)
    roles = [
        offer(
            stage, f"role-{role.value}", role_name(stage.words, role), _becomes(new, role=role), 2.2,
            chosen=role is new.role,
        )
        for role in Role
        if role is not Role.SHERIFF and row.count(role)
    ]  # fmt: skip
    reason = _elimination_reason(stage, new)
    text = _("{name} is in play again, with one life point: correct it afterwards.").format(name=name)
    never = _reason_for(stage, RestorePlayer(new.seat, 1, ""), text, text)
    words, may = _("It never happened"), never.still_holds(stage)
    strike = offer(stage, "never-happened", words, never, 2.8, icon="undo", enabled=may)
    last = (strike, _continue_offer(stage, reason))
    title = _("{name}'s elimination").format(name=name)
    head = Heading(title, _("By whom? What was their role?"), "tombstone", is_optional=True)
    return Dialog(stage, _explained(stage, head, reason, never), tuple(_killers(stage, new)), (roles, last))


def _becomes(new: CorrectElimination, **changes: object) -> Reply:
    return Reply(becomes=correct_elimination(msgspec.structs.replace(new, **changes)))


def _killers(stage: SceneContext, new: CorrectElimination) -> Iterator[Offer]:
    _ = stage.words.gettext
    for seat in stage.game.seats:
        if seat.seat != new.seat:
            look = ButtonStyle.CHOSEN if new.by == seat.seat else ButtonStyle.CARD
            cause = new.cause if new.cause in BY_PLAYERS else Cause.PLAYER
            chosen = _becomes(new, by=seat.seat, cause=cause)
            yield offer(stage, f"by-seat-{seat.seat}", seat.name, chosen, 2.4, look=look)
    causes = [
        (Cause.DYNAMITE, "by-dynamite", _("Dynamite"), "dynamite"),
        (Cause.OWN_DUEL, "by-own-duel", _("Own Duel"), "cards"),
    ]
    if stage.game.high_noon is HighNoon.ON:
        causes.append((Cause.HIGH_NOON, "by-high-noon", _("High Noon"), "sun"))
    for cause, target, words, icon in causes:
        look = ButtonStyle.CHOSEN if new.cause is cause else ButtonStyle.CARD
        # If players fall in their own Duel, the other duellist is the killer (reading D35).
        by = new.by if cause in BY_PLAYERS else None
        yield offer(stage, target, words, _becomes(new, by=by, cause=cause), 2.4, look=look, icon=icon)


def _elimination_reason(stage: SceneContext, new: CorrectElimination) -> ReasonScene:
    words, old = _elimination_words(stage, new), _elimination(stage, new.seat)
    before = "" if old is None else _elimination_words(stage, old)
    other = mixed_up_with(stage.game, new.seat, new.role, stage.edition)
    if other is not None and old is not None:
        before = f"{before} {_elimination_words(stage, other)}"
        words = f"{words} {_elimination_words(stage, msgspec.structs.replace(other, role=old.role))}"
    text = stage.words.gettext(
        "Before: {before} After: {after} If this changes the ending, the table will see it at once."
    )
    return _reason_for(stage, new, text.format(before=before, after=words), words)


def _elimination_words(stage: SceneContext, elimination: Elimination | CorrectElimination) -> str:
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


def _elimination(stage: SceneContext, seat: SeatNo) -> Elimination | None:
    return next((elimination for elimination in stage.game.eliminations if elimination.seat == seat), None)

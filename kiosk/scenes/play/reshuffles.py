"""Questions about a reshuffle or turn that may have been entered twice, too late, or not at all."""

from collections.abc import Collection
from typing import Final

import msgspec

from base.errors import Refused
from core.editions.edition import Edition
from core.game.decide import GameCommand, decide
from core.game.events import evolve
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import SetTurn, TurnStarted
from core.game.state.decisions import Undo
from core.game.state.game import GameState, Phase
from core.game.state.seats import seats_after
from core.game.timeline import entries_of, steps_back_to_turn
from core.terms import SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.scene import Reply, SceneContext
from kiosk.scenes.widgets.dialogs import Dialog, in_play, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import HOLD_MS, ask_judge, back_offer, offer
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import ButtonStyle
from kiosk.view.intents import AskGame


def _may_turn_again(stage: SceneContext, seat: SeatNo, **_then: object) -> bool:
    steps = steps_back_to_turn(stage.table.timeline, seat)
    return stage.is_in(Phase.PLAYING) and bool(steps) and stage.allows(SetTurn(seat))


@scene("turn-again", holds=_may_turn_again)
def turn_again(stage: SceneContext, seat: SeatNo, then: tuple[AskGame, ...] = ()) -> Dialog:
    """Ask a player who takes the turn a second time whether a whole round has passed.

    ``then`` are requests to the game that follow the answer.
    """
    stage = stage.in_language_of(seat)
    _, game = stage.words.gettext, stage.game
    name, other = (stage.seat(each).name for each in (seat, game.turn or game.sheriff))
    entries = _entries_since(stage, seat, steps_back_to_turn(stage.table.timeline, seat) or 0)
    forward = Reply(intents=(AskGame(SetTurn(seat), is_certain=True), *then), closes=True)
    offers = (
        *_back(stage, name, entries, then),
        offer(
            stage, "round-on", _("A whole round has passed"), forward, 2.6, look=ButtonStyle.CARD,
            icon="arrow",
        ),
        back_offer(stage, 2.4, label=_("No, it's {name}'s turn").format(name=other)),
    )  # fmt: skip
    title = _("{name}'s turn again?").format(name=name)
    return Dialog(
        stage,
        Heading(title, _consequences(stage, seat, entries), "question", Tone.LOUD, rule=Rule.TURN.value),
        offers,
    )


class _Entries(msgspec.Struct, frozen=True):
    """The entries since a turn.

    steps: how many steps ago the turn began.
    kept: commands that can be repeated as part of that turn.
    lost: moments whose commands can't.
    """

    steps: int
    kept: tuple[GameCommand, ...]
    lost: tuple[int, ...]


def _entries_since(stage: SceneContext, seat: SeatNo, steps: int) -> _Entries:
    """Replay what was entered since a seat's turn as if that turn were still going on."""
    moments = stage.moments
    state, kept, lost = moments[-1 - steps].state, list[GameCommand](), list[int]()
    if state.turn != seat:
        # That turn was passed without a touch, so it must be set after going back.
        kept.append(SetTurn(seat))
        state = _after(state, kept[0], stage.edition)
    for index in range(len(moments) - steps, len(moments)):
        entered = entries_of(moments[index].step, moments[index - 1].state)
        try:
            for command in entered or ():
                state = _after(state, command, stage.edition)
                kept.append(command)
        except Refused:
            entered = None
        if entered is None:
            lost.append(index)
    return _Entries(steps, tuple(kept), tuple(lost))


def _after(state: GameState, command: GameCommand, edition: Edition) -> GameState:
    for event in decide(state, command, edition):
        state = evolve(state, event)
    return state


def _back(stage: SceneContext, name: str, entries: _Entries, then: tuple[AskGame, ...]) -> tuple[Offer, ...]:
    """Return the button to go back and repeat later entries, which before this turn needs a judge."""
    _, steps = stage.words.gettext, entries.steps
    if not 0 < steps <= stage.table.may_undo:
        return ()
    undo, style = Undo(steps), ButtonStyle.MAIN
    if steps > stage.table.may_undo_freely:
        words = _("Judge: back to {name}'s turn").format(name=name)
        by_judge = msgspec.structs.replace(ask_judge(stage, undo, more=entries.kept), closes=True)
        return (offer(stage, "turn-back", words, by_judge, 3, icon="undo"),)
    intent = AskGame(undo, is_certain=True, more=entries.kept)
    back = Reply(intents=(intent, *then), closes=True)
    words = _("Back to {name}'s turn").format(name=name)
    if not entries.lost:
        return (offer(stage, "turn-back", words, back, 3, look=style, icon="undo"),)
    words, style = _("Hold: back to {name}'s turn").format(name=name), ButtonStyle.GRAVE
    return (offer(stage, "turn-back", words, back, 3, look=style, icon="undo", hold_ms=HOLD_MS),)


def _consequences(stage: SceneContext, seat: SeatNo, entries: _Entries) -> str:
    """Describe what going back undoes, and what a whole round would skip and cost."""
    ngettext = stage.words.ngettext
    started = [
        event for event in SetTurn(seat).decide(stage.game, stage.edition) if isinstance(event, TurnStarted)
    ]
    turns, points = len(started) - 1, sum(event.loses for event in started)
    undone = stage.game.turns - stage.moments[-1 - entries.steps].state.turns
    back = ngettext(
        "Going back undoes {count} turn. Everything else stays as entered.",
        "Going back undoes {count} turns. Everything else stays as entered.",
        undone,
    ).format(count=undone)
    on = ngettext(
        "If a whole round has passed, {count} turn is skipped.",
        "If a whole round has passed, {count} turns are skipped.",
        turns,
    )
    noon = ngettext("High Noon takes {count} life point.", "High Noon takes {count} life points.", points)
    if entries.lost:
        back = describe_lost_steps(stage, entries.lost)
    sentences = (back, on.format(count=turns), noon.format(count=points) if points else "")
    return " ".join(filter(None, sentences))


_LOST_LINES: Final = 3
"""The most lines of the story that are quoted as lost."""


def describe_lost_steps(stage: SceneContext, moments: Collection[int]) -> str:
    """Describe what undoing these moments loses: the last lines of the story, and how many earlier ones."""
    _, ngettext = stage.words.gettext, stage.words.ngettext
    lost = [line.text for line in stage.table.story if line.moment in moments]
    sentences = " ".join(f"{text.rstrip('.')}." for text in lost[-_LOST_LINES:])
    more = len(lost) - _LOST_LINES
    if more <= 0:
        return _("You'll lose: {told}").format(told=sentences)
    text = ngettext(
        "You'll lose: {told} Plus {count} earlier line of the story.",
        "You'll lose: {told} Plus {count} earlier lines of the story.",
        more,
    )
    return text.format(told=sentences, count=more)


_SHARE: Final = 2.4


@scene("reshuffle-again", when=in_play)
def reshuffle_again(stage: SceneContext) -> Dialog:
    """Ask after a second press of the button whether the deck was reshuffled twice."""
    stage = stage.for_turn_player()
    _, ngettext, count = stage.words.gettext, stage.words.ngettext, stage.game.reshuffles
    text = ngettext(
        "{count} reshuffle has been counted so far.",
        "{count} reshuffles have been counted so far.",
        count,
    ).format(count=count)
    again = Reply((AskGame(Reshuffle(), is_certain=True, in_any_turn=True),), closes=True)
    title, yes, no = _("Reshuffled again?"), _("Yes, count another"), _("No, it was counted")
    if not count:
        title, yes, no = _("Has the deck been reshuffled?"), _("Yes"), _("Not yet")
    offers = (
        offer(stage, "reshuffled-again", yes, again, 2.6, icon="shuffle"),
        back_offer(stage, label=no, share=2.6),
    )
    return Dialog(stage, Heading(title, text, "shuffle", Tone.LOUD, rule=Rule.RESHUFFLE.value), offers)


@scene("late-reshuffle", when=in_play)
def late_reshuffle(stage: SceneContext) -> Dialog:
    """Ask in whose turn a late reshuffle happened."""
    stage = stage.for_turn_player()
    _ = stage.words.gettext
    game, offers = stage.game, list[Offer]()
    turn = game.turn or game.sheriff
    earlier = [seat for seat in seats_after(game, turn) if seat.in_play and seat.seat != turn]
    for seat in (stage.seat(turn), *reversed(earlier)):
        now = seat.seat == game.turn
        command = Reshuffle() if now else Reshuffle(during=seat.seat)
        enter = Reply(intents=(AskGame(command, is_certain=True),), closes=True)
        words = _("Now, on {name}'s turn") if now else _("{name}'s turn")
        look = ButtonStyle.MAIN if now else ButtonStyle.CARD
        offers.append(
            offer(stage, f"during-{seat.seat}", words.format(name=seat.name), enter, _SHARE, look=look)
        )
    text = _("When High Noon begins depends on whose turn it was.")
    head = Heading(_("Whose turn was it?"), text, "shuffle", rule=Rule.HIGH_NOON.value)
    return Dialog(stage, head, offers)


@scene("reshuffled-in-turn", when=in_play)
def reshuffled_in_turn(stage: SceneContext) -> Dialog:
    """Ask whose turn it is before a reshuffle that decides when High Noon begins, and correct the turn."""
    stage = stage.for_turn_player()
    _, game = stage.words.gettext, stage.game
    turn = stage.seat(game.turn or game.sheriff)
    reshuffle = AskGame(Reshuffle(), is_certain=True)
    words = _("Yes, it's {name}'s turn").format(name=turn.name)
    yes = Reply(intents=(reshuffle,), closes=True)
    offers = [offer(stage, f"in-turn-{turn.seat}", words, yes, _SHARE, look=ButtonStyle.MAIN)]
    for seat in seats_after(game, turn.seat):
        command = SetTurn(seat.seat)
        if seat.seat != turn.seat and stage.allows(command):
            words = _("{name}'s turn").format(name=seat.name)
            other = Reply(intents=(AskGame(command), reshuffle), closes=True)
            if steps_back_to_turn(stage.table.timeline, seat.seat) is not None:
                other = Reply(becomes=turn_again(seat.seat, then=(reshuffle,)))
            offers.append(offer(stage, f"in-turn-{seat.seat}", words, other, _SHARE, look=ButtonStyle.CARD))
    text = _("When High Noon begins depends on whose turn it was.")
    head = Heading(
        _("Is it {name}'s turn?").format(name=turn.name), text, "shuffle", rule=Rule.HIGH_NOON.value
    )
    return Dialog(stage, head, offers)

"""The agreement on an ending: a panel for each player, and the page for a dispute."""

from functools import partial

from core.game.ending.judge_calls import AnswerJudgeCall, CallJudge
from core.game.ending.rebel import current_role
from core.game.ending.sheet import (
    AgreeEnding,
    DisputeEnding,
    WithdrawAgreement,
    awaited_seats,
    open_disputes,
    seats_to_agree,
)
from core.game.state.game import Seat
from core.terms import SeatNo
from kiosk.i18n import role_name
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, word_aside
from kiosk.scenes.widgets.dialogs import Dialog, dialog
from kiosk.scenes.widgets.page_parts import NOWHERE, Heading, back_offer, offer
from kiosk.ui.blocks import Block, Button, ButtonStyle, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import AskGame

_BROAD = 1.25
_ROW_MM = 5.5
_BUTTON_MM = 13.0


def agreement_panel(stage: SceneContext, seat: Seat) -> Block:
    """Draw a seat's panel at a proposed ending: agree, dispute, or why this player isn't asked."""
    stage = stage.in_language_of(seat.seat)
    _, mm = stage.words.gettext, stage.mm
    parts, body = card(
        stage, seat, SeatCardState.PLAIN if seat.in_play else SeatCardState.OUT, _aside(stage, seat)
    )
    room = body.inset(mm(0.8), mm(0.6))
    ink = theme.INK if seat.in_play else theme.CREAM
    if seat.seat not in seats_to_agree(stage.game):
        words = _("has left: not asked") if seat.passive else _("not asked: the judge ruled")
        return on_ring(stage, seat, (*parts, Paragraph(room.inset(mm(1)), words, stage.type_mm(5), ink)))
    message, room = _split_message(stage, seat, room)
    said = (Label(message, _word(stage, seat), stage.type_mm(5), ink, Typeface.TEXT),) if message.h else ()
    agree, dispute = _spots(stage, room)
    return on_ring(stage, seat, (*parts, *said, *_buttons(stage, seat, agree, dispute)))


def _may_dispute(stage: SceneContext, seat: SeatNo) -> bool:
    return stage.allows(DisputeEnding(seat))


@dialog("dispute", holds=_may_dispute)
def dispute_ending(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain what a dispute of the ending does, and let the player confirm it."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "The judge will be called and will see that you dispute it. The story of the game "
        "settles it; nothing is confirmed until then. Calmly say what was different."
    )
    dispute = DisputeEnding(seat)
    now = offer(
        stage, "dispute-now", _("I dispute it: call the judge"),
        command_reply(dispute, closes=True), 3.6, look=ButtonStyle.MAIN, icon="bell",
        enabled=stage.allows(dispute),
    )  # fmt: skip
    title = _("{name} disputes the ending").format(name=stage.seat(seat).name)
    offers = (back_offer(stage, 1.6), now)
    return Dialog(stage, Heading(title, text, "warning"), offers)


def _aside(stage: SceneContext, seat: Seat) -> Label | None:
    role = current_role(stage.game, seat.seat)
    if role is None or stage.game.duel is not None:
        return None
    return word_aside(stage, role_name(stage.words, role))


def _word(stage: SceneContext, seat: Seat) -> str:
    _, said = stage.words.gettext, stage.game.agreement
    if seat.seat in said.waived:
        return _("the judge continues without you")
    if seat.seat in said.disputed:
        return _("disputed: the judge is coming")
    if seat.seat in said.agreed:
        return _("you agree")
    return _("Is this right?")


def _split_message(stage: SceneContext, seat: Seat, room: Rect) -> tuple[Rect, Rect]:
    """Split a line off for the player's answer, if there is room above the buttons."""
    del seat
    mm = stage.mm
    if room.h < mm(_ROW_MM + _BUTTON_MM) or room.w < mm(26):
        return NOWHERE, room
    return room.split_top(mm(_ROW_MM), 0)


def _spots(stage: SceneContext, room: Rect) -> tuple[Rect, Rect]:
    gap = stage.mm(GAP_MM)
    if room.w >= room.h * _BROAD:
        agree, dispute = room.columns([1.5, 1], gap)
    else:
        agree, dispute = room.rows([1.3, 1], gap)
    return agree, dispute


def _buttons(stage: SceneContext, seat: Seat, agree: Rect, dispute: Rect) -> tuple[Part, ...]:
    return _yes(stage, seat, agree), _no(stage, seat, dispute)


def _settle(stage: SceneContext, answer: AgreeEnding | WithdrawAgreement) -> Reply:
    """Return the reply that gives an answer; it also cancels a judge call made by the last dispute."""
    reply, game = command_reply(answer), stage.game
    if not game.judge_called or open_disputes(game) != (answer.seat,) or not _has_called(stage):
        return reply
    return Reply(intents=(*reply.intents, AskGame(AnswerJudgeCall())))


def _has_called(stage: SceneContext) -> bool:
    """Return whether a dispute has called the judge, rather than the table before it."""
    moments = stage.moments
    kinds = ({type(event) for event in moment.step.events} for moment in reversed(moments))
    return any({DisputeEnding, CallJudge} <= events for events in kinds)


def _yes(stage: SceneContext, seat: Seat, spot: Rect) -> Button:
    _, size = stage.words.gettext, stage.type_mm(5)
    if seat.seat in stage.game.agreement.agreed:
        said = _("{name} withdraws their agreement").format(name=seat.name)
        return Button(
            spot, f"seat-{seat.seat}-withdraws", _("Agreed"), ButtonStyle.MORE, "check", said=said,
            size_px=size, action=OnTouch(command_reply(WithdrawAgreement(seat.seat))),
        )  # fmt: skip
    said = _("{name} agrees").format(name=seat.name)
    look = ButtonStyle.MAIN if seat.seat in awaited_seats(stage.game) else ButtonStyle.QUIET
    agree = OnTouch(partial(_settle, stage, AgreeEnding(seat.seat)))
    target = f"seat-{seat.seat}-agrees"
    return Button(spot, target, _("I agree"), look, said=said, size_px=size, action=agree)


def _no(stage: SceneContext, seat: Seat, spot: Rect) -> Button:
    _, size = stage.words.gettext, stage.type_mm(5)
    if seat.seat in stage.game.agreement.disputed:
        said = _("{name} withdraws their dispute").format(name=seat.name)
        return Button(
            spot, f"seat-{seat.seat}-settles", _("Disputed"), ButtonStyle.GRAVE, "warning", said=said,
            size_px=size, action=OnTouch(partial(_settle, stage, WithdrawAgreement(seat.seat))),
        )  # fmt: skip
    said, opens = (
        _("{name} disputes it").format(name=seat.name),
        OnTouch(Reply(opens=dispute_ending(seat.seat))),
    )
    return Button(spot, f"seat-{seat.seat}-disputes", _("No"), said=said, size_px=size, action=opens)

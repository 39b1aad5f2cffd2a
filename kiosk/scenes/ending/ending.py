"""The proposed ending of a game: winners, reason, and a panel for each player to agree or dispute."""

from typing import Final

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
from core.game.state.decisions import Undo
from core.game.state.game import Seat
from core.rule_set import AgreementForm
from core.terms import SeatNo
from kiosk.i18n import role_name
from kiosk.preferences import Layout
from kiosk.scenes.ending.declaration import DeclarationScene
from kiosk.scenes.ending.ending_reasons import because_words, ending_reasons, ending_words
from kiosk.scenes.ending.record_sheet import story_offer
from kiosk.scenes.guide import add_rule
from kiosk.scenes.play.player_menu import out_too_offers
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring, word_aside
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import command_offer, offer, table_offers, table_page, undo_offer
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Block, Button, ButtonStyle, Label, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme
from kiosk.view.intents import AskGame

_BROAD = 1.25
_ROW_MM = 5.5
_BUTTON_MM = 13.0


def agreement_panel(stage: SceneContext, seat: Seat) -> Block:
    """Draw a panel with buttons to agree and to dispute, or with the reason why this player isn't asked."""
    _, mm = stage.words.gettext, stage.mm
    state, ink = (SeatCardState.PLAIN, theme.INK) if seat.in_play else (SeatCardState.OUT, theme.CREAM)
    role, aside, gap = current_role(stage.game, seat.seat), None, mm(GAP_MM)
    if role is not None and stage.game.duel is None:
        aside = word_aside(stage, role_name(stage.words, role))
    parts, body = card(stage, seat, state, aside)
    room = body.inset(mm(0.8), mm(0.6))
    if seat.seat not in seats_to_agree(stage.game):
        words = _("has left: not asked") if seat.passive else _("not asked: the judge ruled")
        return on_ring(stage, seat, (*parts, Paragraph(room.inset(mm(1)), words, stage.type_mm(5), ink)))
    said: tuple[Part, ...] = ()
    if room.h >= mm(_ROW_MM + _BUTTON_MM) and room.w >= mm(26):
        line, room = room.split_top(mm(_ROW_MM), 0)
        said = (Label(line, _answer_words(stage, seat), stage.type_mm(5), ink, Typeface.TEXT),)
    is_broad = room.w >= room.h * _BROAD
    agree, dispute = room.columns([1.5, 1], gap) if is_broad else room.rows([1.3, 1], gap)
    return on_ring(stage, seat, (*parts, *said, _agree(stage, seat, agree), _dispute(stage, seat, dispute)))


@scene("dispute", holds=lambda stage, seat: stage.allows(DisputeEnding(seat)))
def dispute_ending(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain and confirm a player's dispute of the ending."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "The judge will be called and will see that you dispute it. The story of the game "
        "settles it; nothing is confirmed until then. Calmly say what was different."
    )
    now = command_offer(
        stage, "dispute-now", _("I disagree: call the judge"), DisputeEnding(seat), 3.6, closes=True,
        look=ButtonStyle.MAIN, icon="bell",
    )  # fmt: skip
    title = _("{name} disputes the ending").format(name=stage.seat(seat).name)
    return Dialog(stage, Heading(title, text, "warning"), (now,))


def _answer_words(stage: SceneContext, seat: Seat) -> str:
    _, said = stage.words.gettext, stage.game.agreement
    if seat.seat in said.waived:
        return _("the judge continues without you")
    if seat.seat in said.disputed:
        return _("disputed: the judge is coming")
    if seat.seat in said.agreed:
        return _("you agree")
    return _("Is this right?")


def _settle(stage: SceneContext, answer: AgreeEnding | WithdrawAgreement) -> Reply:
    """Return the reply that gives an answer, and cancels the judge call that the last dispute made."""
    reply, game = command_reply(answer), stage.game
    if not game.judge_called or open_disputes(game) != (answer.seat,):
        return reply
    steps = ({type(event) for event in moment.step.events} for moment in stage.moments)
    if not any({DisputeEnding, CallJudge} <= events for events in steps):
        return reply
    return Reply(intents=(*reply.intents, AskGame(AnswerJudgeCall())))


def _agree(stage: SceneContext, seat: Seat, spot: Rect) -> Button:
    _, size = stage.words.gettext, stage.type_mm(5)
    if seat.seat in stage.game.agreement.agreed:
        said = _("{name} withdraws their agreement").format(name=seat.name)
        return Button(
            spot, f"seat-{seat.seat}-withdraws", _("Agreed"), ButtonStyle.MORE, "check", said=said,
            size_px=size, action=OnTouch(command_reply(WithdrawAgreement(seat.seat))),
        )  # fmt: skip
    said = _("{name} agrees").format(name=seat.name)
    look = ButtonStyle.MAIN if seat.seat in awaited_seats(stage.game) else ButtonStyle.QUIET
    agree = OnTouch(_settle(stage, AgreeEnding(seat.seat)))
    target = f"seat-{seat.seat}-agrees"
    return Button(spot, target, _("I agree"), look, said=said, size_px=size, action=agree)


def _dispute(stage: SceneContext, seat: Seat, spot: Rect) -> Button:
    _, size = stage.words.gettext, stage.type_mm(5)
    if seat.seat in stage.game.agreement.disputed:
        said = _("{name} withdraws their dispute").format(name=seat.name)
        return Button(
            spot, f"seat-{seat.seat}-settles", _("Disputed"), ButtonStyle.GRAVE, "warning", said=said,
            size_px=size, action=OnTouch(_settle(stage, WithdrawAgreement(seat.seat))),
        )  # fmt: skip
    said, opens = _("{name} disputes it").format(name=seat.name), dispute_ending(seat.seat)
    return Button(spot, f"seat-{seat.seat}-disputes", _("No"), said=said, size_px=size, action=OnTouch(opens))


_ROOM_FOR_A_SIGN: Final = 8
_FEW: Final = 2
"""The most names that the middle lists; it counts more players than that."""


@scene("ending")
def ending_table(stage: SceneContext) -> tuple[Block, ...]:
    """Draw the proposed result in the middle, and each player's answer around it."""
    # An ending ordered by the station can't be undone, but the answers to it can.
    steps = min(stage.table.answers_on_ending + 1, stage.table.may_undo)
    undo = undo_offer(stage, reply=command_reply(Undo(steps)))
    offers = (*_next_offers(stage), *table_offers(stage, undo))
    is_game = stage.game.duel is None
    lies_flat = stage.table.preferences.layout is Layout.RING
    head = Heading(
        ending_words(stage), f"{because_words(stage)} {_progress(stage)}".strip(), "laurel", Tone.LOUD,
        sign=is_game and lies_flat and len(stage.game.seats) <= _ROOM_FOR_A_SIGN,
        brief=_brief(stage), is_optional=_asks_everybody(stage),
    )  # fmt: skip
    return table_page(stage, agreement_panel, add_rule(stage, head), offers)


def _next_offers(stage: SceneContext) -> tuple[Offer, ...]:
    _ = stage.words.gettext
    disputed = bool(stage.game.agreement.disputed)
    settles = (*out_too_offers(stage), *((story_offer(stage, 1.6),) if disputed else ()))
    if stage.game.duel is not None:
        return settles
    if awaited_seats(stage.game):
        why = offer(stage, "ending-why", _("Why?"), ending_reasons(), 1.6, icon="story")
        # The middle has room for two.
        return (why, *settles)[-2:]
    opens, said = DeclarationScene.of(stage), _("Show the roles")
    main = ButtonStyle.MAIN
    return (offer(stage, "to-roles", _("Roles"), opens, 2.6, look=main, icon="cards", said=said),)


def _brief(stage: SceneContext) -> str:
    _, waiting = stage.words.gettext, awaited_seats(stage.game)
    disputed = open_disputes(stage.game)
    if disputed:
        return _("Disputed by {names}").format(names=", ".join(stage.seat(seat).name for seat in disputed))
    if not waiting:
        return _("Call the judge.")
    if _asks_everybody(stage):
        return _("Missing: {count}").format(count=len(waiting))
    return _needed(stage, waiting)[1]


def _asks_everybody(stage: SceneContext) -> bool:
    return stage.game.rules.agreement is AgreementForm.EACH_PLAYER or stage.game.duel is not None


def _needed(stage: SceneContext, waiting: tuple[SeatNo, ...]) -> tuple[str, str]:
    """Say who must still agree, where not everybody has to, in a long and a short form."""
    _, game = stage.words.gettext, stage.game
    is_one_enough = game.sheriff not in {*waiting, *game.agreement.agreed}
    if game.rules.agreement is AgreementForm.ONE_FOR_ALL or is_one_enough:
        return _("Is this right? One of you taps for all; anybody may say no."), _("One of you agrees.")
    if game.sheriff not in waiting:
        text = _("The Sheriff agrees. One other player must agree too; anybody may say no.")
        return text, _("One more must agree.")
    if waiting == (game.sheriff,):
        return _("Waiting for the Sheriff."), _("Waiting for the Sheriff.")
    text = _("The Sheriff and one other player must agree; anybody may say no.")
    return text, _("Sheriff and one other agree.")


def _progress(stage: SceneContext) -> str:
    _, game = stage.words.gettext, stage.game
    waiting, disputed = awaited_seats(game), open_disputes(game)
    if disputed:
        names = ", ".join(stage.seat(seat).name for seat in disputed)
        return _("Disputed by {names}: the judge will decide.").format(names=names)
    if not waiting:
        return _("Keep your cards, call the judge and show your roles.")
    if not _asks_everybody(stage):
        return _needed(stage, waiting)[0]
    if len(waiting) > _FEW:
        count = len(seats_to_agree(game)) - len(waiting)
        text = _("Does everyone agree? {count} of {all} so far.")
        return text.format(count=count, all=len(seats_to_agree(game)))
    return _("Waiting for {names}.").format(names=", ".join(stage.seat(seat).name for seat in waiting))

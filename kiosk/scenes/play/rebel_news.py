"""Dialogs about the Rebel! and the Revolution, and the question who else an elimination's card hit."""

from core.game.play.one_card import may_be_out_too
from core.game.state.game import Cause, Phase, Seat
from core.terms import SeatNo
from kiosk.scenes import pages
from kiosk.scenes.guide import is_new_sheriffs_first_turn
from kiosk.scenes.scene import CLOSE, SceneContext
from kiosk.scenes.widgets.card import SeatCardState, answer_panel, card, on_ring
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import back_offer, offer, table_page
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Block, ButtonStyle


def out_too_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the button that asks who else the last card eliminated, or nothing if that doesn't matter."""
    if not may_be_out_too(stage.game, stage.edition):
        return ()
    _ = stage.words.gettext
    said = _("Did the same card eliminate anybody else?")
    return (offer(stage, "out-too", _("Out too?"), out_too(), 1.6, icon="tombstone", said=said),)


@scene(
    "out-too",
    when=lambda stage: stage.table.game is not None and bool(may_be_out_too(stage.game, stage.edition)),
)
def out_too(stage: SceneContext) -> tuple[Block, ...]:
    """Ask the table who else the card eliminated, with a button on the panel of each possible victim."""
    _ = stage.words.gettext
    head = Heading(
        _("Did the same card eliminate anybody else?"),
        _("Each player it eliminated taps “Out too”. If it eliminated nobody else, go back."),
        "tombstone",
        Tone.LOUD,
        brief=_("Tap “Out too”."),
    )
    return table_page(stage, _panel, head, (back_offer(stage, 1.6),))


def _panel(stage: SceneContext, seat: Seat) -> Block:
    _ = stage.words.gettext
    if seat.seat not in may_be_out_too(stage.game, stage.edition):
        state = SeatCardState.PLAIN if seat.in_play else SeatCardState.OUT
        return on_ring(stage, seat, card(stage, seat, state)[0])
    by, said = stage.game.eliminations[-1].by, _("{name} is out too").format(name=seat.name)
    opens = pages.elimination(seat.seat, Cause.PLAYER, by, is_out_too=True)
    return answer_panel(stage, seat, f"seat-{seat.seat}-out-too", _("Out too"), opens, said=said)


@scene(
    "new-sheriff",
    when=lambda stage: stage.table.game is not None and is_new_sheriffs_first_turn(stage.game),
)
def new_sheriff(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain what a Revolution changes, turned towards the new Sheriff.

    Source: The Rebel!, Revolution.
    """
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "The new Sheriff gains one life point, and their maximum goes up by one. Discard any "
        "Jail in front of them. All cards stay in hand, and a new turn begins with phase 1. From "
        "now on the Deputies are allies: eliminating one costs all cards. With an event deck, "
        "turn up its next card first."
    )
    title = _("{name} is now the Sheriff").format(name=stage.seat(seat).name)
    read = offer(stage, "back", _("New turn"), CLOSE, 2, look=ButtonStyle.MAIN, icon="arrow")
    return Dialog(stage, Heading(title, text, "star"), (*out_too_offers(stage), read))


def _is_rebels_turn(stage: SceneContext, seat: SeatNo) -> bool:
    game = stage.table.game
    return (
        game is not None
        and game.phase is Phase.PLAYING
        and (game.rebel, game.turn) == (seat, seat)
        and game.revolution is None
    )


@scene("rebel-shown", holds=_is_rebels_turn)
def rebel_revealed(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain what revealing the Rebel! changes, turned towards that player."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "From now on, the Sheriff loses no cards for eliminating a Deputy. The Rebel! must "
        "still eliminate the Sheriff personally, on their own turn."
    )
    head = Heading(_("{name} is the Rebel!").format(name=stage.seat(seat).name), text, "cards")
    read = offer(stage, "back", _("Continue"), CLOSE, 2.4, look=ButtonStyle.MAIN, icon="arrow")
    return Dialog(stage, head, (read,))

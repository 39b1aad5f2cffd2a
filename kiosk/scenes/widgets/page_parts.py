"""Pages with and without a ring, and the buttons that many scenes have."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypedDict, Unpack

import msgspec

from base.languages import LANGUAGES
from core.game.decide import GameCommand
from core.game.ending.judge_calls import CallJudge
from core.game.state.decisions import Redo, Undo
from core.game.state.game import GameState, Phase, Seat
from core.game.state.seats import has_question
from core.terms import SeatNo
from kiosk.scenes import pages
from kiosk.scenes.scene import CLOSE, Effect, OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.ring_centre import NOWHERE, fits_in_the_middle, middle
from kiosk.scenes.widgets.rows import Offer
from kiosk.scenes.widgets.strip import strip
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Label, Part, Typeface
from kiosk.ui.geometry import Rect, rotated_size
from kiosk.ui.table_layout import GAP_MM, PAGE_STRIP_MM
from kiosk.view import theme
from kiosk.view.intents import AskGame, LockTable

HOLD_MS: Final = 800
"""The hold time of buttons for actions that can't be undone."""
ROTATE_MM: Final = 12.0
"""The side of the button that turns a page."""
_HINT_MM: Final = 5.2


def page_room(stage: SceneContext) -> Rect:
    """Return the area of a page without a ring, as its reader sees it."""
    return Rect(0, 0, *rotated_size(_page_rects(stage)[0], stage.quarter_turns))


def page(stage: SceneContext, parts: Iterable[Part], name: str = "page") -> tuple[Block, ...]:
    """Draw a page without a ring, turned towards its reader, and the status strip."""
    rect, foot = _page_rects(stage)
    return (Block(name, rect, tuple(parts), stage.quarter_turns), *strip(stage, foot))


def _page_rects(stage: SceneContext) -> tuple[Rect, Rect]:
    foot, rest = stage.glass.rect.split_bottom(stage.mm(PAGE_STRIP_MM), stage.mm(0.8))
    return rest.inset(stage.mm(2), stage.mm(1.3)), foot


def rotate_button(stage: SceneContext, rect: Rect, reply: Reply) -> Button:
    """Return the placed button that turns a page towards the next side of the table."""
    said = stage.words.gettext("Rotate the page")
    return Button(rect, "turn-page", "", icon="turn", said=said, action=OnTouch(reply))


def beside_rotation(stage: SceneContext, head: Rect) -> tuple[Rect, tuple[Part, ...]]:
    """Return the room of a head beside the button that turns the page, and the button if the page has one."""
    if not stage.can_rotate:
        return head, ()
    spot, head = head.split_right(stage.mm(ROTATE_MM), stage.mm(GAP_MM))
    return head, (rotate_button(stage, spot.split_top(stage.mm(ROTATE_MM))[0], Reply(rotates=True)),)


def page_head(
    stage: SceneContext,
    words: str,
    done: Button | None = None,
    *,
    size_mm: float = 7.0,
    hints: Sequence[str] = (),
) -> tuple[Rect, tuple[Part, ...]]:
    """Draw a page's head: back button, title and done button. Return the area below it, and the head.

    hints: as for ``title_parts``.
    """
    mm = stage.mm
    top, rest = page_room(stage).split_top(mm(12), mm(GAP_MM))
    back, title = top.split_left(mm(24), mm(3))
    parts: tuple[Part, ...] = (back_button(stage, back),)
    if done is not None:
        spot, title = title.split_right(mm(34), mm(GAP_MM))
        parts = (*parts, msgspec.structs.replace(done, rect=spot))
    title, rotation = beside_rotation(stage, title)
    return rest, (*parts, *rotation, *title_parts(stage, title, words, hints, size_mm=size_mm))


def title_parts(
    stage: SceneContext, room: Rect, words: str, hints: Sequence[str] = (), *, size_mm: float
) -> tuple[Label, ...]:
    """Draw a page's title, and below it the first hint that is readable in one line, if there is one."""
    least = stage.legible_px
    hint = next((each for each in hints if stage.types.width(each, Typeface.TEXT, least) <= room.w), "")
    low: tuple[Label, ...] = ()
    if hint:
        below, room = room.split_bottom(stage.mm(_HINT_MM))
        low = (Label(below, hint, least, theme.CREAM_SOFT, align=Align.LEFT),)
    title = Label(room, words, stage.mm(size_mm), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False)
    return (title, *low)


Panel = Callable[[SceneContext, Seat], Block]
"""A function that draws a seat's panel, with a context in the language of the seat's player."""


def table_page(
    stage: SceneContext, panel: Panel, head: Heading, offers: Sequence[Offer], more: Iterable[Block] = ()
) -> tuple[Block, ...]:
    """Draw a page with a ring: a panel for each seat, the middle, and the status strip.

    The middle is turned towards its reader, unless only an unturned one is readable. ``more`` are blocks that
    the ring has room for.
    """
    turns, rect = stage.quarter_turns, stage.ring.middle
    if turns % 2 and not fits_in_the_middle(stage, rect, head, offers):
        turns = 0
    centre = middle(stage, rect, head, offers, quarter_turns=turns)
    panels = (panel(stage.in_language_of(seat.seat), seat) for seat in stage.game.seats)
    return (*panels, *more, centre, *strip(stage, stage.ring.strip, turns))


class ButtonOptions(TypedDict, total=False):
    """Properties of a button; see ``Button``."""

    look: ButtonStyle
    icon: str
    small: str
    small_share: float
    said: str
    enabled: bool
    hold_ms: int
    may_repeat: bool
    kin: tuple[str, ...]


def offer(
    stage: SceneContext,
    target: str,
    label: str,
    effect: Effect,
    share: float = 1.0,
    *,
    size_mm: float = 5.0,
    chosen: bool = False,
    **options: Unpack[ButtonOptions],
) -> Offer:
    """Return a button with its reply, or with the scene that it opens.

    size_mm: its label's type size, enlarged in dialogs if too small.
    chosen: mark it as the current one of several choices.
    """
    if chosen:
        options["look"] = ButtonStyle.CHOSEN
    size, action = stage.type_mm(size_mm), OnTouch(effect)
    return Offer(Button(NOWHERE, target, label, size_px=size, action=action, **options), share)


def command_offer(
    stage: SceneContext,
    target: str,
    label: str,
    command: GameCommand,
    share: float = 1.0,
    *,
    closes: bool = False,
    **options: Unpack[ButtonOptions],
) -> Offer:
    """Return a button that sends a command to the game, disabled while the rules refuse the command."""
    options["enabled"] = stage.allows(command)
    return offer(stage, target, label, command_reply(command, closes=closes), share, **options)


def ruling_offer(
    stage: SceneContext,
    target: str,
    label: str,
    command: GameCommand,
    done: str,
    *,
    share: float = 3,
    **options: Unpack[ButtonOptions],
) -> Offer:
    """Return a button to hold for a judge's command, which closes all pages and shows ``done``."""
    options.setdefault("look", ButtonStyle.GRAVE)
    options["hold_ms"], options["enabled"] = HOLD_MS, stage.allows(command)
    return offer(stage, target, label, Reply((AskGame(command, done),), leaves=True), share, **options)


def judge_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    """Return the button that calls the judge or, after a call, opens the page of that call."""
    _ = stage.words.gettext
    if not stage.game.judge_called:
        words, said = _("Judge"), _("Call the judge")
        return offer(stage, "call-judge", words, command_reply(CallJudge()), share, icon="bell", said=said)
    words = _("on the way") if stage.table.judge_coming else _("called")
    opens = pages.judge_call(stage.spoken_to)
    return offer(
        stage, "judge-called", words, opens, share, look=ButtonStyle.MAIN, icon="bell",
        said=_("Judge called"),
    )  # fmt: skip


def undo_offer(stage: SceneContext, share: float = 1.0, reply: Reply | None = None) -> Offer:
    """Return the undo button, which asks for a judge if the last step belongs to an earlier turn.

    ``reply`` replaces the undo of a single step.
    """
    words, may = stage.words.gettext("Undo"), stage.table.may_undo > 0
    if reply is None and may and not stage.table.may_undo_freely:
        said, ask = stage.words.gettext("Judge: undo"), ask_judge(stage, Undo(1))
        who = stage.words.gettext("Judge")
        return offer(stage, "undo-judge", words, ask, share, icon="undo", said=said, small=who)
    undo = reply or command_reply(Undo(1))
    return offer(stage, "undo", words, undo, share, icon="undo", enabled=may)


def redo_offers(stage: SceneContext) -> tuple[Offer, ...]:
    """Return the redo button, or nothing if there is nothing to redo."""
    if not stage.table.may_redo:
        return ()
    words = stage.words.gettext("Redo")
    redo = offer(stage, "redo", words, command_reply(Redo()), icon="redo")
    return (msgspec.structs.replace(redo, is_optional=True),)


def menu_offer(stage: SceneContext, share: float = 1.0) -> Offer:
    """Return the button that opens the table's menu."""
    return offer(stage, "menu", stage.words.gettext("Menu"), pages.MENU, share, icon="menu")


def ask_judge(
    stage: SceneContext,
    command: GameCommand,
    done: str = "",
    *,
    leaves: bool = False,
    more: tuple[GameCommand, ...] = (),
) -> Reply:
    """Return the reply that carries out a judge's command, or asks for the PIN first if no judge is present.

    done, more: as for ``AskGame``.
    leaves: close all opened pages afterwards.
    """
    if stage.table.judge_present:
        return Reply(intents=(AskGame(command, done, more=more),), leaves=leaves)
    accepted = stage.table.pins_accepted
    return Reply(opens=pages.pin(command, accepted, done, leaves=leaves, more=more))


def judge_menu_reply(stage: SceneContext) -> Reply:
    """Return the reply that opens the judge's menu, or the PIN pad if the judge's key isn't present."""
    return Reply(opens=pages.JUDGE_MENU if stage.table.judge_present else pages.pin())


def language_button(stage: SceneContext, size_px: int, seat: SeatNo | None = None) -> Button:
    """Return the button that opens the list of languages, labelled with the current one."""
    words = stage.words
    return Button(
        NOWHERE, "language", LANGUAGES.get(words.language, words.language), icon="speech",
        said=words.gettext("Language"), size_px=size_px, action=OnTouch(pages.language(seat)),
    )  # fmt: skip


def lock_offer(stage: SceneContext) -> Offer:
    """Return the button that locks the table. It is optional, as the menu has it too."""
    _, lock = stage.words.gettext, Reply(intents=(LockTable(is_locked=True),), closes=True)
    said = _("Lock the table")
    button = offer(stage, "lock", _("Lock"), lock, icon="lock", said=said)
    return msgspec.structs.replace(button, is_optional=True)


def shows_lock(game: GameState) -> bool:
    """Return whether a table can be locked now: a game is being played, and no question is open."""
    return game.phase in {Phase.PLAYING, Phase.DUEL} and not has_question(game)


def table_offers(stage: SceneContext, undo: Offer | None = None) -> tuple[Offer, ...]:
    """Return the last buttons of every scene with a ring: undo, redo, judge and menu.

    ``undo`` replaces the default undo button.
    """
    return (undo or undo_offer(stage), *redo_offers(stage), judge_offer(stage), menu_offer(stage))


def back_offer(stage: SceneContext, share: float = 1.0, reply: Reply = CLOSE, *, label: str = "") -> Offer:
    """Return the button that goes back one scene. ``label`` replaces "Back" where going back is an answer."""
    words = label or stage.words.gettext("Back")
    return offer(stage, "back", words, reply, share, icon="back")


def back_button(stage: SceneContext, rect: Rect, size_mm: float = 5.0, reply: Reply = CLOSE) -> Button:
    """Return a placed button that goes back one scene. ``size_mm`` is the type size of its label."""
    words, size = stage.words.gettext("Back"), stage.type_mm(size_mm)
    return Button(rect, "back", words, icon="back", size_px=size, action=OnTouch(reply))

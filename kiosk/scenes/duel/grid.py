"""Duel pages with a grid of character cards: reveal, draft, or choose the next one."""

from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec

from core.characters import Character, life_points
from core.game.duel.fight import EnterCharacter
from core.game.duel.opening import PickCharacter, TurnUpCharacters
from core.game.state.duel import TURNED_UP, DuelPhase
from core.terms import SeatNo
from kiosk.scenes.scene import OnTouch, PersistentScene, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import character_id
from kiosk.scenes.widgets.page_parts import (
    NOWHERE,
    Offer,
    back_offer,
    offer,
    page,
    page_room,
    place_offers,
    rows_of,
    table_offers,
)
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Label, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_ROW_MM = 12.4
_BACK_MM = 24.0
_FEW = 10


def cards_page(
    stage: SceneContext, title: str, offers: Sequence[Offer], cards: Sequence[Button]
) -> tuple[Block, ...]:
    """Draw a grid of cards below a title and buttons, and the status strip."""
    mm, gap = stage.mm, stage.mm(GAP_MM)
    room = page_room(stage)
    wide = room.w >= room.h
    if wide:
        top, below = room.split_top(mm(_ROW_MM), gap)
        ways = [offer for offer in offers if offer.button.id == "back"]
        others = [offer for offer in offers if offer not in ways]
        back, words = top.split_left(mm(_BACK_MM) if ways else 0, mm(3) if ways else 0)
        width = sum(mm(_ROW_MM * offer.share) + gap for offer in others)
        ends, words = words.split_right(width, mm(2) if others else 0)
        buttons = (*place_offers(stage, back, [ways]), *place_offers(stage, ends, [others]))
    else:
        words, rest = room.split_top(mm(9), mm(1))
        row, below = rest.split_top(mm(_ROW_MM), gap)
        buttons = place_offers(stage, row, rows_of(stage, row.w, offers))
    name = Label(words, title, mm(6.4), theme.CREAM, Typeface.BOLD, Align.LEFT, own_words=False)
    spots = _cells(below, len(cards), gap, wide=wide)
    placed = (msgspec.structs.replace(card, rect=spot) for card, spot in zip(cards, spots, strict=False))
    return page(stage, (name, *buttons, *placed), "cards")


def _cells(room: Rect, count: int, gap: int, *, wide: bool) -> tuple[Rect, ...]:
    """Divide a room into equal cells, in rows from the top. ``wide`` makes more columns."""
    columns = (5 if count <= _FEW else 4) if wide else (2 if count <= _FEW else 3)
    columns = min(columns, max(count, 1))
    return room.grid(count, columns, gap)


def character_card(
    stage: SceneContext, character: Character, reply: Reply, *, small: str = "", chosen: bool = False,
    enabled: bool = True,
) -> Button:  # fmt: skip
    """Return a button in the form of a character card, to be placed by the grid.

    ``small`` is the text below the name, by default the life points.
    """
    points = life_points(character)
    life = stage.words.ngettext("{count} life point", "{count} life points", points).format(count=points)
    return Button(
        NOWHERE,
        character_id(character),
        character.value,
        ButtonStyle.CHOSEN if chosen else ButtonStyle.CARD,
        small=small or life,
        size_px=stage.mm(4.6),
        enabled=enabled,
        action=OnTouch(reply),
    )


def enter_reply(seat: SeatNo, character: Character) -> Reply:
    """Return the reply that brings a character into play and closes the choice."""
    return command_reply(EnterCharacter(seat, character), closes=True)


class EnterScene(msgspec.Struct, frozen=True):
    """The page to choose the next character of a pile."""

    seat: SeatNo

    name: ClassVar[str] = "duel-enter"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a card for each unseen character."""
        stage = stage.in_language_of(self.seat)
        _ = stage.words.gettext
        title = _("{name}: which character enters?").format(name=stage.seat(self.seat).name)
        cards = tuple(
            character_card(stage, who, enter_reply(self.seat, who)) for who in self._candidates(stage)
        )
        return cards_page(stage, title, (back_offer(stage, 2),), cards)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether a character has to come into play."""
        return stage.has_duel and bool(stage.duel.entering(self.seat))

    def _candidates(self, stage: SceneContext) -> tuple[Character, ...]:
        deck = stage.edition.characters.deck
        return tuple(who for who in stage.duel.may_enter(self.seat) if who in deck)


class TurnUpScene(msgspec.Struct, frozen=True):
    """The page to enter the revealed characters. ``up`` are those touched so far."""

    up: tuple[Character, ...] = ()

    name: ClassVar[str] = "duel-turn-up"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw a card for each character of the deck, and how many are still missing."""
        _ = stage.words.gettext
        title = _("{count} of {all} face up").format(count=len(self.up), all=TURNED_UP)
        enter = TurnUpCharacters(self.up)
        done = offer(
            stage, "turned-up", _("Confirm"), command_reply(enter, closes=True), 2.2,
            size_mm=5, look=ButtonStyle.MAIN, icon="check", enabled=stage.allows(enter),
        )  # fmt: skip
        full = len(self.up) >= TURNED_UP
        cards = tuple(
            character_card(
                stage, who, self._turn(who), chosen=who in self.up, enabled=who in self.up or not full
            )
            for who in stage.edition.characters.deck
        )
        return cards_page(stage, title, (done, back_offer(stage, 2)), cards)

    def _turn(self, who: Character) -> Reply:
        """Return the reply that marks or unmarks a character as revealed."""
        others = tuple(other for other in self.up if other is not who)
        return Reply(becomes=TurnUpScene(others if who in self.up else (*self.up, who)))

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether characters are being revealed."""
        return stage.has_duel and stage.duel.phase is DuelPhase.FACE_UP


class DraftScene(PersistentScene):
    """The draft of ten characters, turned towards the player who picks next."""

    name: Final = "duel-draft"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the ten characters, with the owners of those already picked."""
        duel = stage.duel
        picker = duel.picker or stage.game.seats[0].seat
        stage = stage.in_language_of(picker)
        _ = stage.words.gettext
        owners = {who: side.seat for side in duel.sides for who in side.picks}
        cards = tuple(
            character_card(
                stage, who, command_reply(PickCharacter(picker, who)), enabled=who not in owners,
                small=stage.seat(owners[who]).name if who in owners else "",
            )
            for who in duel.face_up
        )  # fmt: skip
        title = _("{name} picks").format(name=stage.seat(picker).name)
        offers = table_offers(stage)
        return cards_page(stage, title, offers, cards)

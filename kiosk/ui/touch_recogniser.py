"""The recognition of touches: taps, immediate presses and holds. Palms are rejected.

- A target that acts when the finger lands waits for 30 ms, or until the finger is lifted, in case the finger
  is part of a palm.
- Any other tap acts when the finger is lifted where it landed.
- A hold acts when its time is over; it is cancelled if the finger leaves the target or is lost.
- Three contacts within 30 ms on one block, or four anywhere, are a palm or forearm. They are ignored, and so
  are other contacts on those blocks until 300 ms after the last of them was lifted.
- A contact of more than 1.5 s is an elbow or sleeve resting on its block: further contacts on the block are
  ignored. After 10 s the panel has probably failed to report that it was lifted, and the block works again.
- A second contact on the block of a hold cancels the hold.
- After a contact a target ignores others for 80 ms, so that a bouncing panel counts once. This applies per
  target, not per finger number, because panels immediately reuse the number of a lifted finger.
- After a target has acted it ignores contacts for a second, and so do targets within 15 mm that appeared
  since then: nobody can have read them, so a second tap was meant for the first target. Digits, keys, minus
  and plus, and buttons that turn pages may be repeated. Touches by a program that names its target are
  always accepted.
- A new target ignores all fingers for 0.7 s, as hands may be aiming at the previous picture. Only the panel
  of the player who changed the picture responds at once.
- A contact of less than 20 ms is a water drop and has no effect, unless its start and end were read together,
  because then it may have been longer.
- A short tap on a target that has to be held acts on the target below it.
- A minus that is held repeats, for as long as the finger can't be a sleeve.
- Around a lifted finger contacts are ignored for 40 ms: the finger may bounce as it leaves, when another
  target may already be there.
"""

import math
from collections.abc import Mapping
from typing import Final

import msgspec

from kiosk.touch import Pointer, PointerPhase
from kiosk.ui.blocks import Block, TouchedButton
from kiosk.ui.buttons import HOLD_SHARES
from kiosk.ui.geometry import Rect, place_on_screen

SETTLE_MS: Final = 30
LEAST_CONTACT_MS: Final = 20
DEAD_MS: Final = 80
BOUNCE_MS: Final = 40
GUARD_MS: Final = 1_000
"""A second tap within this time is a double tap, as nobody can have read anything new."""
GUARD_MM: Final = 15.0
"""The distance within which a second tap may have been meant for the first target."""
FRESH_MS: Final = 700
"""The time after which a hand that was aiming at the previous picture has landed."""
TAP_MS: Final = 400
"""The longest tap on a target that has to be held; a longer touch is an attempt to hold it."""
REPEAT_FROM_MS: Final = 600
REPEAT_MS: Final = 400
_PALM: Final = 3
_FOREARM: Final = 4
AFTER_PALM_MS: Final = 300
RESTING_MS: Final = 1_500
GHOST_MS: Final = 10_000
_FRAME_MS: Final = 40
"""The interval at which the progress of a hold is drawn."""


class TouchTarget(msgspec.Struct, frozen=True):
    """A touch target on the screen, perhaps on a player's panel.

    ``meaning`` distinguishes targets with the same name, such as the same button under different questions.
    """

    id: str
    rect: Rect
    block: str
    enabled: bool
    hold_ms: int
    on_down: bool
    may_repeat: bool = False
    repeats_while_held: bool = False
    is_on_panel: bool = False
    meaning: str = ""


class _Replaced(msgspec.Struct, frozen=True):
    """A picture that was replaced: its targets, and the blocks whose touch led to the next picture."""

    present: frozenset[tuple[str, str, Rect]]
    at_ms: int
    causes: frozenset[str]


class _Act(msgspec.Struct, frozen=True):
    """A target that acted, and the targets that were present then, by name and place."""

    id: str
    block: str
    x: int
    y: int
    at_ms: int
    present: frozenset[tuple[str, Rect]]


class _Contact(msgspec.Struct):
    place: TouchTarget | None
    block: str
    down_ms: int
    landed_ms: int
    x: int = 0
    y: int = 0
    below: TouchTarget | None = None
    """The target of a short tap, if ``place`` has to be held."""
    spent: bool = False
    """The contact has acted or was cancelled."""
    is_palm: bool = False
    repeats: int = 0


class TouchRecogniser:
    """A recogniser that turns finger movements into taps on targets.

    slop_px: how far a finger may slide off its target before it is lifted.
    guard_px: targets that appear within this distance of the last touch are briefly blocked.
    """

    def __init__(self, slop_px: int, guard_px: int) -> None:
        self._slop = slop_px
        self._guard = guard_px
        self._places: tuple[TouchTarget, ...] = ()
        self._contacts: dict[int, _Contact] = {}
        self._heard_ms: dict[str, int] = {}
        self._palm_ms: dict[str, int] = {}
        self._lifts: list[Pointer] = []
        self._acted: list[_Act] = []
        self._drift = (0, 0)
        self._causes: set[str] = set()
        self._replaced: list[_Replaced] = []

    def handle_event(
        self, pointer: Pointer, places: tuple[TouchTarget, ...], blocks: Mapping[str, Rect]
    ) -> tuple[str, ...]:
        """Return the targets that act on a touch event; of ``blocks``, the topmost is last."""
        match pointer.phase:
            case PointerPhase.DOWN:
                # If a finger comes down twice, the panel failed to report that it was lifted.
                self._contacts.pop(pointer.finger, None)
                self._down(pointer, places, blocks)
                return ()
            case PointerPhase.MOVE:
                self._move(pointer)
                return ()
            case PointerPhase.UP:
                return self._up(pointer)
            case PointerPhase.LOST:
                self._lift(pointer.finger, pointer.at_ms)
                return ()

    def advance(self, now_ms: int) -> tuple[str, ...]:
        """Return the targets that act because time has passed."""
        acting = []
        for contact in self._contacts.values():
            due = self._due_ms(contact)
            if due is not None and now_ms >= due and contact.place is not None:
                contact.repeats += contact.spent
                contact.spent = True
                acting.append(contact.place.id)
                self._remember(contact, contact.place, now_ms)
        return tuple(acting)

    def extend_holds(self, ms: int) -> None:
        """Extend holds by a recent period in which the panel wasn't read."""
        for contact in self._contacts.values():
            contact.down_ms += ms

    def next_deadline_ms(self, now_ms: int) -> int | None:
        """Return the next time to call ``advance`` or to draw a hold's progress, or None."""
        deadlines = []
        for contact in self._contacts.values():
            due = self._due_ms(contact)
            if due is not None and contact.place is not None:
                frame = now_ms + _FRAME_MS if contact.place.hold_ms else due
                deadlines.append(min(due, frame))
        return min(deadlines, default=None)

    def touched_buttons(self, now_ms: int) -> tuple[TouchedButton, ...]:
        """Return the targets under fingers, with the progress of their holds."""
        buttons = {}
        for contact in self._contacts.values():
            place = contact.place
            if place is None or (contact.spent and not place.on_down):
                continue
            share = 0
            if place.hold_ms:
                share = min(HOLD_SHARES, HOLD_SHARES * (now_ms - contact.down_ms) // place.hold_ms)
            buttons[place.id] = TouchedButton(place.id, share)
        return tuple(buttons[name] for name in sorted(buttons))

    def on_picture(
        self, places: tuple[TouchTarget, ...], now_ms: int, drift: tuple[int, int] = (0, 0)
    ) -> None:
        """Cancel touches of targets that are gone, have moved, or react differently now.

        For example, a tap must not become a hold under the finger. ``drift`` is the shift of the picture
        against burn-in, which makes no target new.
        """
        if places != self._places:
            self._replaced = [old for old in self._replaced if now_ms - old.at_ms < FRESH_MS]
            present = frozenset(_identity(place, self._drift) for place in self._places)
            self._replaced.append(_Replaced(present, now_ms, frozenset(self._causes)))
        self._drift = drift
        self._causes.clear()
        self._places = places
        now = {place.id: _reaction(place) for place in places}
        for contact in self._contacts.values():
            place = contact.place
            if place is not None and now.get(place.id) != _reaction(place):
                contact.place = None
                contact.spent = True

    def cancel_all(self) -> None:
        """Cancel all touches."""
        for contact in self._contacts.values():
            contact.place = None
            contact.spent = True

    def _down(self, pointer: Pointer, places: tuple[TouchTarget, ...], blocks: Mapping[str, Rect]) -> None:
        self._places = places
        hit = [p for p in reversed(places) if p.rect.contains(pointer.x, pointer.y)]
        place = hit[0] if hit else None
        below = hit[1] if len(hit) > 1 and hit[0].hold_ms and not hit[1].hold_ms else None
        block = next(
            (name for name, rect in reversed(tuple(blocks.items())) if rect.contains(pointer.x, pointer.y)),
            "",
        )
        if place is not None:
            # At the rim of the screen, targets extend beyond their block.
            block = place.block
            deaf = pointer.at_ms - self._heard_ms.get(place.id, pointer.at_ms - DEAD_MS) < DEAD_MS
            self._heard_ms = {name: at for name, at in self._heard_ms.items() if pointer.at_ms - at < DEAD_MS}
            deaf = deaf or self._bounces(pointer) or self._is_guarded(place, pointer)
            if below is not None and (not below.enabled or self._is_guarded(below, pointer)):
                below = None
            acted = (
                act for act in self._acted if act.block == block and pointer.at_ms - act.at_ms < GUARD_MS
            )
            if place.is_on_panel and any(acted):
                # The tap was probably meant for the minus beside it.
                below = None
            if deaf or not place.enabled or self._is_leant_on(block, pointer.at_ms):
                place = None
            else:
                self._heard_ms[place.id] = pointer.at_ms
        for contact in self._contacts.values():
            if contact.block == block and contact.place is not None and contact.place.hold_ms:
                contact.place = None
        contact = _Contact(place, block, pointer.at_ms, pointer.at_ms, pointer.x, pointer.y, below)
        self._contacts[pointer.finger] = contact
        self._find_palm(block, pointer.at_ms)

    def _bounces(self, pointer: Pointer) -> bool:
        self._lifts = [lift for lift in self._lifts if pointer.at_ms - lift.at_ms < BOUNCE_MS]
        return any(
            max(abs(lift.x - pointer.x), abs(lift.y - pointer.y)) <= self._slop for lift in self._lifts
        )

    def _remember(self, contact: _Contact, place: TouchTarget, now_ms: int) -> None:
        present = frozenset((other.id, other.rect) for other in self._places)
        self._acted = [act for act in self._acted if now_ms - act.at_ms < GUARD_MS]
        self._causes.add(place.block)
        self._acted.append(_Act(place.id, place.block, contact.x, contact.y, now_ms, present))

    def _is_guarded(self, place: TouchTarget, pointer: Pointer) -> bool:
        """Return whether a target ignores touches, as it is new, or it or a near one has just acted."""
        if pointer.is_named:
            return False
        if self._is_fresh(place, pointer.at_ms):
            return True
        for act in self._acted:
            if pointer.at_ms - act.at_ms >= GUARD_MS:
                continue
            if act.id == place.id:
                if not place.may_repeat:
                    return True
                continue
            is_near = math.hypot(pointer.x - act.x, pointer.y - act.y) <= self._guard
            if is_near and (place.id, place.rect) not in act.present:
                return True
        return False

    def _is_fresh(self, place: TouchTarget, now_ms: int) -> bool:
        """Return whether a target is so new that the touch was probably aimed at the previous picture."""
        return any(
            _identity(place, self._drift) not in picture.present
            for picture in self._replaced
            if now_ms - picture.at_ms < FRESH_MS and not (place.is_on_panel and place.block in picture.causes)
        )

    def _is_leant_on(self, block: str, now_ms: int) -> bool:
        """Return whether a palm was just on a block, or an arm is resting on it."""
        if now_ms - self._palm_ms.get(block, now_ms - AFTER_PALM_MS) < AFTER_PALM_MS:
            return True
        ages = ((c, now_ms - c.down_ms) for c in self._contacts.values() if c.block == block)
        return any(age < GHOST_MS and (c.is_palm or age >= RESTING_MS) for c, age in ages)

    def _find_palm(self, block: str, now_ms: int) -> None:
        near = [c for c in self._contacts.values() if now_ms - c.down_ms <= SETTLE_MS]
        if len(near) < _FOREARM:
            near = [contact for contact in near if contact.block == block]
        if len(near) < _PALM:
            return
        for contact in near:
            contact.place = None
            contact.spent = contact.is_palm = True
            self._palm_ms[contact.block] = now_ms

    def _lift(self, finger: int, now_ms: int) -> _Contact | None:
        contact = self._contacts.pop(finger, None)
        if contact is not None and contact.is_palm:
            self._palm_ms[contact.block] = now_ms
        return contact

    def _move(self, pointer: Pointer) -> None:
        contact = self._contacts.get(pointer.finger)
        if contact is not None and contact.place is not None and not self._on(contact.place, pointer):
            contact.place = None

    def _up(self, pointer: Pointer) -> tuple[str, ...]:
        self._lifts = [*self._lifts[-_FOREARM:], pointer]
        contact = self._lift(pointer.finger, pointer.at_ms)
        if contact is None or contact.spent or contact.place is None:
            return ()
        place = contact.place
        is_drop = pointer.is_of_glass and 0 < pointer.at_ms - contact.landed_ms < LEAST_CONTACT_MS
        if is_drop or not self._on(place, pointer):
            return ()
        if place.hold_ms and pointer.at_ms - contact.down_ms < place.hold_ms:
            if contact.below is None or pointer.at_ms - contact.down_ms >= TAP_MS:
                return ()
            place = contact.below
        self._remember(contact, place, pointer.at_ms)
        return (place.id,)

    def _on(self, place: TouchTarget, pointer: Pointer) -> bool:
        return place.rect.inset(-self._slop).contains(pointer.x, pointer.y)

    def _due_ms(self, contact: _Contact) -> int | None:
        place = contact.place
        if place is not None and contact.spent and place.repeats_while_held:
            due = contact.down_ms + REPEAT_FROM_MS + contact.repeats * REPEAT_MS
            return due if due < contact.down_ms + RESTING_MS else None
        if contact.spent or place is None:
            return None
        if place.hold_ms:
            return contact.down_ms + place.hold_ms
        return contact.down_ms + SETTLE_MS if place.on_down else None


def _reaction(place: TouchTarget) -> tuple[Rect, int, bool, str]:
    return place.rect, place.hold_ms, place.on_down, place.meaning


def _identity(place: TouchTarget, drift: tuple[int, int]) -> tuple[str, str, Rect]:
    return place.id, place.meaning, place.rect.move(-drift[0], -drift[1])


def touch_targets(blocks: tuple[Block, ...], scene: str) -> tuple[TouchTarget, ...]:
    """Return the places that can be touched in a scene's blocks."""
    return tuple(
        TouchTarget(
            button.id,
            place_on_screen(button.rect, block.rect, block.quarter_turns),
            block.id,
            button.enabled,
            button.hold_ms,
            button.on_down,
            button.may_repeat or button.on_down,
            button.repeats_while_held,
            is_panel := block.id.startswith("seat-"),
            # Panels are the same in many scenes, and keys change their letters.
            ""
            if is_panel or button.on_down or button.may_repeat
            else f"{scene}: {button.said or button.label}",
        )
        for block in blocks
        for button in block.buttons
    )

"""The pages that a scene in any folder can open by name, so that scenes need not import one another.

``kiosk.terminal.display.flow`` imports the scene of a page when it is first opened. A scene that only its own
feature opens needs no name here.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from core.characters import Character
from core.game.decide import GameCommand
from core.game.state.game import Cause
from core.terms import SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.view.intents import UnlockGlass


class Page(msgspec.Struct, frozen=True):
    """A scene to open.

    scene: the function that makes it, as ``module:name`` below ``kiosk.scenes``.
    state, named: its arguments.
    """

    scene: str
    state: tuple[object, ...] = ()
    named: Mapping[str, object] = {}


MENU: Final = Page("settings:table_menu")
JUDGE_MENU: Final = Page("judge.judge_menu:judge_menu")
CONNECTION: Final = Page("connection.connection:connection_page")
ENROL: Final = Page("connection.enrol:enrol_terminal")
SOUND: Final = Page("settings:sound_settings")
DISPLAY_SETTINGS: Final = Page("settings:display_settings")


def judge_call(reader: SeatNo | None) -> Page:
    return Page("judge.judge_called:judge_called", (reader,))


def pin(
    then: GameCommand | UnlockGlass | None = None,
    accepted: int = 0,
    done: str = "",
    *,
    leaves: bool = False,
    more: tuple[GameCommand, ...] = (),
) -> Page:
    """Return the keypad for the judge's PIN; for the arguments, see ``PinScene``."""
    named = {"accepted": accepted, "done": done, "leaves": leaves, "more": more}
    return Page("judge.pin:PinScene", (then,), named)


def rule_page(rule: Rule, seat: SeatNo | None) -> Page:
    return Page("rule_card:rule_page", (rule, seat))


def ability(character: Character, seat: SeatNo | None) -> Page:
    return Page("rule_card:ability_page", (character, seat))


def rules(seat: SeatNo | None = None) -> Page:
    return Page("rule_card:all_rules", (seat,))


def player_menu(seat: SeatNo) -> Page:
    return Page("play.player_menu:player_menu", (seat,))


def elimination(
    seat: SeatNo,
    cause: Cause | None = None,
    by: SeatNo | None = None,
    *,
    was_asked: bool = False,
    is_out_too: bool = False,
) -> Page:
    """Return the questions about an elimination; for the arguments, see ``EliminationScene``."""
    named = {"was_asked": was_asked, "is_out_too": is_out_too}
    return Page("play.elimination:EliminationScene", (seat, cause, by), named)


def story(*, by_judge: bool = False) -> Page:
    return Page("play.story:game_story", named={"by_judge": by_judge})


def offline_transfer(*, by_judge: bool = False) -> Page:
    return Page("connection.offline_transfer:offline_transfer", named={"by_judge": by_judge})


def language(seat: SeatNo | None = None) -> Page:
    return Page("settings:languages", (seat,))

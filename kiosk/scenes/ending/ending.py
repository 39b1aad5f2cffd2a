"""The game is over: who has won, why, and whether everybody agrees; then the roles."""

from typing import Final

from saloon.core.game.commands import Undo
from saloon.core.game.ending.agreement import asked_to_agree, awaited, open_disputes
from saloon.kiosk.preferences import Layout
from saloon.kiosk.scenes.ending.agreement import agreement_panel, agreement_reply
from saloon.kiosk.scenes.ending.declaration import DeclarationScene
from saloon.kiosk.scenes.ending.ending_reasons import EndingReasonsScene
from saloon.kiosk.scenes.ending.ending_words import because_words, ending_words
from saloon.kiosk.scenes.scene import Reply, RootScene, SceneContext, command_reply
from saloon.kiosk.scenes.settings.menu import MenuScene
from saloon.kiosk.scenes.story.guide import guided
from saloon.kiosk.scenes.story.story import StoryScene
from saloon.kiosk.scenes.widgets.page_parts import (
    NOWHERE,
    Heading,
    Offer,
    Tone,
    common,
    judge_offer,
    menu_offer,
    middle,
    strip,
    undo_offer,
)
from saloon.kiosk.ui.parts import Block, Button, ButtonStyle

_ROOM_FOR_A_SIGN: Final = 8
_FEW: Final = 2
"""The most names listed in the middle; beyond that, only their number."""


class EndingScene(RootScene):
    """The proposed ending: of a game until the roles are declared, of a duel until all have agreed."""

    name: Final = "ending"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw each player's answer at the edge, and the result in the middle."""
        offers = (
            *_next_offers(stage), undo_offer(stage), judge_offer(stage), menu_offer(stage)
        )  # fmt: skip
        is_game = stage.game.duel is None
        lies_flat = stage.table.preferences.layout is Layout.RING
        head = Heading(
            ending_words(stage), _text(stage), "laurel", Tone.LOUD,
            sign=is_game and lies_flat and len(stage.game.seats) <= _ROOM_FOR_A_SIGN,
            brief=_brief(stage),
        )  # fmt: skip
        return (
            *(agreement_panel(stage, seat) for seat in stage.game.seats),
            middle(stage, stage.ring.middle, guided(stage, head), offers),
            strip(stage, stage.ring.strip),
        )

    def pressed(self, target: str, stage: SceneContext) -> Reply:
        """Enter a player's answer, open the reasons or the roles, or go back into the game by undo."""
        match target:
            case "to-roles":
                return Reply(opens=DeclarationScene.of(stage))
            case "ending-why":
                return Reply(opens=EndingReasonsScene())
            case "undo":
                # What the station has ordered stays; the words on it can still be taken back.
                return command_reply(Undo(min(stage.table.words_on_ending + 1, stage.table.may_undo)))
            case "story":
                return Reply(opens=StoryScene())
            case "menu":
                return Reply(opens=MenuScene())
            case _:
                return agreement_reply(target) or common(target) or Reply()


def _next_offers(stage: SceneContext) -> tuple[Offer, ...]:
    _ = stage.words.gettext
    disputed = bool(stage.game.agreement.disputed)
    story = Button(
        NOWHERE, "story", _("Story"), icon="chart", said=_("Story of the game"), size_px=stage.mm(4)
    )
    settles = (Offer(story, 1.6),) if disputed else ()
    if stage.game.duel is not None:
        return settles
    why = Button(NOWHERE, "ending-why", _("Why?"), icon="story", size_px=stage.mm(4))
    if awaited(stage.game):
        return (Offer(why, 1.6), *settles)
    roles = Button(
        NOWHERE,
        "to-roles",
        _("Roles"),
        ButtonStyle.MAIN,
        "cards",
        said=_("Show the roles"),
        size_px=stage.mm(5),
    )
    return (Offer(roles, 2.6),)


def _text(stage: SceneContext) -> str:
    return f"{because_words(stage)} {_progress(stage)}".strip()


def _brief(stage: SceneContext) -> str:
    _, waiting = stage.words.gettext, awaited(stage.game)
    disputed = open_disputes(stage.game)
    if disputed:
        return _("Disputed by {names}").format(names=", ".join(stage.seat(seat).name for seat in disputed))
    if waiting:
        return _("Missing: {count}").format(count=len(waiting))
    return _("Call the judge.")


def _progress(stage: SceneContext) -> str:
    """Say who still has to agree, or who disputes."""
    _, game = stage.words.gettext, stage.game
    waiting = awaited(game)
    disputed = open_disputes(game)
    if disputed:
        names = ", ".join(stage.seat(seat).name for seat in disputed)
        return _("Disputed by {names}: the judge will decide.").format(names=names)
    if not waiting:
        return _("Keep your cards, call the judge and show your roles.")
    if len(waiting) > _FEW:
        count = len(asked_to_agree(game)) - len(waiting)
        return _("Does everyone agree? {count} of {all} so far.").format(
            count=count, all=len(asked_to_agree(game))
        )
    names = ", ".join(stage.seat(seat).name for seat in waiting)
    return _("Waiting for {names}.").format(names=names)

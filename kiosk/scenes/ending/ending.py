"""The proposed ending of a game: winners, reason, and the players' agreement."""

from typing import Final

from core.game.ending.sheet import awaited_seats, open_disputes, seats_to_agree
from core.game.state.decisions import Undo
from core.rule_set import AgreementForm
from core.terms import SeatNo
from kiosk.preferences import Layout
from kiosk.scenes.ending.agreement import agreement_panel
from kiosk.scenes.ending.declaration import DeclarationScene
from kiosk.scenes.ending.ending_reasons import EndingReasonsScene, because_words, ending_words
from kiosk.scenes.ending.record_sheet import story_offer
from kiosk.scenes.heads.guide import add_rule
from kiosk.scenes.play.rebel_news import out_too_offers
from kiosk.scenes.scene import PersistentScene, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.page_parts import Heading, Offer, Tone, offer, table_offers, table_page, undo_offer
from kiosk.ui.blocks import Block, ButtonStyle

_ROOM_FOR_A_SIGN: Final = 8
_FEW: Final = 2
"""The most names that the middle lists; if there are more, it shows only their number."""


class EndingScene(PersistentScene):
    """The proposed ending, until roles are declared, or until all agree on a duel."""

    name: Final = "ending"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the players' answers around the edge and the result in the middle."""
        # An ending ordered by the station can't be changed, but the agreement can be withdrawn.
        steps = min(stage.table.words_on_ending + 1, stage.table.may_undo)
        undo = undo_offer(stage, reply=command_reply(Undo(steps)))
        offers = (*_next_offers(stage), *table_offers(stage, undo))
        is_game = stage.game.duel is None
        lies_flat = stage.table.preferences.layout is Layout.RING
        head = Heading(
            ending_words(stage), _text(stage), "laurel", Tone.LOUD,
            sign=is_game and lies_flat and len(stage.game.seats) <= _ROOM_FOR_A_SIGN,
            brief=_brief(stage), is_optional=_asks_everybody(stage),
        )  # fmt: skip
        panels = (agreement_panel(stage, seat) for seat in stage.game.seats)
        return table_page(stage, panels, add_rule(stage, head), offers)


def _next_offers(stage: SceneContext) -> tuple[Offer, ...]:
    _ = stage.words.gettext
    disputed = bool(stage.game.agreement.disputed)
    settles = (*out_too_offers(stage), *((story_offer(stage, 1.6),) if disputed else ()))
    if stage.game.duel is not None:
        return settles
    if awaited_seats(stage.game):
        opens = Reply(opens=EndingReasonsScene())
        why = offer(stage, "ending-why", _("Why?"), opens, 1.6, icon="story")
        # There is room for two.
        return (why, *settles)[-2:]
    opens, said = Reply(opens=DeclarationScene.of(stage)), _("Show the roles")
    main = ButtonStyle.MAIN
    return (offer(stage, "to-roles", _("Roles"), opens, 2.6, size_mm=5, look=main, icon="cards", said=said),)


def _text(stage: SceneContext) -> str:
    return f"{because_words(stage)} {_progress(stage)}".strip()


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
    """Return whether every player must agree: in a duel, or by the organiser's choice."""
    return stage.game.rules.agreement is AgreementForm.EACH_PLAYER or stage.game.duel is not None


def _needed(stage: SceneContext, waiting: tuple[SeatNo, ...]) -> tuple[str, str]:
    """Describe whose agreement is still needed, in a long and a short form, unless all are asked."""
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
    """Describe who still has to agree, or who disputes."""
    _, game = stage.words.gettext, stage.game
    waiting = awaited_seats(game)
    disputed = open_disputes(game)
    if disputed:
        names = ", ".join(stage.seat(seat).name for seat in disputed)
        return _("Disputed by {names}: the judge will decide.").format(names=names)
    if not waiting:
        return _("Keep your cards, call the judge and show your roles.")
    if not _asks_everybody(stage):
        return _needed(stage, waiting)[0]
    if len(waiting) > _FEW:
        count = len(seats_to_agree(game)) - len(waiting)
        return _("Does everyone agree? {count} of {all} so far.").format(
            count=count, all=len(seats_to_agree(game))
        )
    names = ", ".join(stage.seat(seat).name for seat in waiting)
    return _("Waiting for {names}.").format(names=names)

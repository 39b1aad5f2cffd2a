"""Rewards and penalties of an elimination: cards for an Outlaw, or the loss of all cards for a Deputy."""

from collections import Counter
from typing import Final

import msgspec

from core.game.cause import Cause
from core.game.events import PlayerEliminated
from core.game.play.turns import records_turns
from core.game.rebel.revolution import current_rebel
from core.game.state import Elimination, Phase
from core.rule_set import OptionKey
from core.terms import Role, SeatNo
from kiosk.rules.applicable_rules import Rule
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.page_parts import Heading, Tone

_CARDS: Final = 3
"""The cards to draw for an Outlaw. Source: base game, "Penalties and Rewards"."""


def is_sheriff_penalised(stage: SceneContext, by: SeatNo | None, role: Role, cause: Cause | None) -> bool:
    """Return whether the Sheriff has eliminated a Deputy."""
    return role is Role.DEPUTY and by == stage.game.sheriff and cause is Cause.PLAYER


def sheriff_keeps_cards(stage: SceneContext) -> bool:
    """Return whether a revealed Rebel! who isn't the Sheriff is in play, which cancels the penalty."""
    rebel = current_rebel(stage.game)
    return rebel is not None and stage.seat(rebel).in_play


def sheriff_penalty_words(stage: SceneContext) -> str:
    """Return the text of the penalty for a Sheriff who has eliminated a Deputy.

    Source: base game; The Rebel!, Showing up the role.
    """
    _ = stage.words.gettext
    if sheriff_keeps_cards(stage):
        return _("The Rebel! has been revealed: the Sheriff keeps all cards.")
    return _("The Sheriff eliminated a Deputy and discards all cards.")


class Due(msgspec.Struct, frozen=True):
    """The text of a reward or penalty, in a long and a short form."""

    text: str
    brief: str = ""


def elimination_head(stage: SceneContext, titles: tuple[str, str]) -> Heading | None:
    """Return a heading with the last elimination's reward or penalty, or None if there is none.

    titles: the heading's titles, in a long and a short form.
    """
    due = elimination_words(stage)
    if due is None:
        return None
    title, short = titles
    return Heading(
        title, due.text, "cards", Tone.LOUD, brief=due.brief, brief_title=short, is_title_optional=True,
        rule=Rule.ELIMINATION.value,
    )  # fmt: skip


def elimination_words(stage: SceneContext) -> Due | None:
    """Return the last elimination's reward or penalty, or None if there is none.

    It applies until the turn ends, or until the next entry if turns aren't recorded. There is room for one; a
    penalty takes precedence.
    """
    game = stage.game
    if game.phase is not Phase.PLAYING or not game.eliminations or game.last_out_turn != game.turns:
        return None
    if not records_turns(game, stage.edition) and not _was_just_entered(stage):
        return None
    effect = game.eliminations[-1].effect
    fallen = [e for e in game.eliminations if e.effect == effect]
    return _cost(stage, fallen) or _reward(stage, fallen)


def _was_just_entered(stage: SceneContext) -> bool:
    moments = () if stage.table.timeline is None else stage.table.timeline.moments
    return bool(moments) and any(isinstance(event, PlayerEliminated) for event in moments[-1].step.events)


def _cost(stage: SceneContext, fallen: list[Elimination]) -> Due | None:
    costs = any(is_sheriff_penalised(stage, e.by, e.role, e.cause) for e in fallen)
    if not costs or not stage.seat(stage.game.sheriff).in_play:
        return None
    if sheriff_keeps_cards(stage):
        return Due(sheriff_penalty_words(stage))
    return Due(sheriff_penalty_words(stage), stage.words.gettext("The Sheriff discards all cards."))


def _reward(stage: SceneContext, fallen: list[Elimination]) -> Due | None:
    _ = stage.words.gettext
    if OptionKey.CASH_REWARDS in stage.edition.chosen:
        return None
    outlaws = Counter(
        e.by
        for e in fallen
        if e.by is not None and e.role is Role.OUTLAW and e.cause is Cause.PLAYER and stage.seat(e.by).in_play
    )
    if not outlaws:
        return None
    ((by, outs),) = outlaws.most_common(1)
    name, count = stage.seat(by).name, _CARDS * outs
    text = _("An Outlaw is out: {name} draws {count} cards.").format(name=name, count=count)
    return Due(text, _("{name} draws {count} cards.").format(name=name, count=count))

"""The table's heading during High Noon, or while it is announced."""

from itertools import pairwise

import msgspec

from core.game.play.turns import TurnStarted
from core.game.state.game import HighNoon
from core.rule_set import RecordMode
from core.terms import SeatNo
from kiosk.scenes.scene import SceneContext
from kiosk.scenes.widgets.page_parts import Heading, Tone
from kiosk.ui.blocks import Typeface
from kiosk.view.guidance import Guidance, Step, guidance


def turn_titles(stage: SceneContext, name: str) -> tuple[str, str]:
    """Return the title of a turn, in a long and a short form. ``name`` is the player in turn.

    In a light game under High Noon the title tells the player to lose a life point, as the screen doesn't
    count it.
    """
    _ = stage.words.gettext
    if is_light_noon(stage):
        return _("{name}: lose a life point").format(name=name), _("Lose a life point")
    return _("{name}'s turn").format(name=name), name


def is_light_noon(stage: SceneContext) -> bool:
    """Return whether players have to count High Noon's life points themselves."""
    return stage.game.high_noon is HighNoon.ON and stage.game.mode is RecordMode.LIGHT


def high_noon_head(stage: SceneContext, guide: Guidance, name: str) -> Heading:
    """Return the heading of a turn under High Noon, or while it is announced.

    ``name`` is the player in turn.
    """
    _, game = stage.words.gettext, stage.game
    title, short = turn_titles(stage, name)
    if is_light_noon(stage):
        text = _("Still alive? If not, tap {button} on your panel.").format(button=_("Out"))
        alive = _("Still alive?")
        return Heading(title, text, "sun", Tone.LOUD, brief=alive, brief_title=short, is_optional=True)
    if game.high_noon is HighNoon.ON:
        text, brief = _text(stage, guide, name)
        takes = guide.step is Step.PLAY_NOON_TURN
        return Heading(
            title, text, "sun", Tone.LOUD, brief=brief, brief_title=short,
            is_optional=not takes, is_title_optional=takes,
        )  # fmt: skip
    text = "" if guide.noon is None else _announce(stage, guide.noon)
    brief = _("Draw two, play, discard.")
    return Heading(title, text, "sun", brief=brief, brief_title=short, is_optional=True, tells_badge=True)


def points_taken(stage: SceneContext) -> tuple[str, str] | None:
    """Return a text about life points already removed by High Noon, in a long and a short form.

    None if the screen doesn't remove any.
    """
    _, takes = stage.words.gettext, guidance(stage.game, stage.edition).step is Step.PLAY_NOON_TURN
    if not takes or stage.game.mode is RecordMode.LIGHT:
        return None
    return _("Life points already removed."), _("Life points removed.")


def high_noon_sign(stage: SceneContext) -> str:
    """Return the text that High Noon is on, or an empty string before that."""
    return stage.words.gettext("High Noon!") if stage.game.high_noon is HighNoon.ON else ""


def with_high_noon(stage: SceneContext, head: Heading) -> Heading:
    """Add to a heading that High Noon is on, or with whose turn it will begin."""
    sign, noon = high_noon_sign(stage), guidance(stage.game, stage.edition).noon
    if not sign and noon is None:
        return head
    # If there is room for only one more line, it says whose turn it is.
    head = msgspec.structs.replace(head, brief_title=head.brief_title or _name(stage, stage.game.turn))
    if sign:
        return msgspec.structs.replace(head, badge=sign)
    _ = stage.words.gettext
    words, brief = _("High Noon: {name}").format(name=_name(stage, noon)), _("High Noon soon")
    return msgspec.structs.replace(head, badge=words, brief_badge=brief, badge_face=Typeface.BOLD)


def _name(stage: SceneContext, seat: SeatNo | None) -> str:
    return "" if seat is None else stage.seat(seat).name


def _text(stage: SceneContext, guide: Guidance, name: str) -> tuple[str, str]:
    """Return what High Noon has done in a full game, in a long and a short form."""
    _ = stage.words.gettext
    if _has_lost_twice(stage):
        text = _("{name} lost a point by hand before High Noon took one. The same one? Give one back.")
        return text.format(name=name), _("One point twice? Give one back.")
    if guide.step is Step.PLAY_NOON_TURN:
        text = _("One life point already removed. {name}: draw two, play, discard.").format(name=name)
        return text, _("Life point removed.")
    return _("Passive characters lose no life point. Draw two, play, discard."), ""


def _has_lost_twice(stage: SceneContext) -> bool:
    """Return whether High Noon has just taken a point that the player had also taken by hand."""
    moments = stage.moments
    return any(
        isinstance(event, TurnStarted) and event.loses and event.seat in before.state.wounded
        for before, last in pairwise(moments[-2:])
        for event in last.step.events
    )


def _announce(stage: SceneContext, starter: SeatNo) -> str:
    _ = stage.words.gettext
    name = _name(stage, starter)
    if stage.game.high_noon is HighNoon.CALLED:
        return _("The judge has called time: High Noon begins with {name}.").format(name=name)
    if starter == stage.game.turn:
        return _("Draw two, play, discard. High Noon begins with {name}'s next turn.").format(name=name)
    return _("Draw two, play, discard. High Noon begins with {name}.").format(name=name)

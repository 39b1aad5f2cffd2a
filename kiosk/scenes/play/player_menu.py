"""A player's menu, opened by holding the panel: leave, Jail, the Rebel!, special cases and language."""

from collections.abc import Iterator
from functools import partial

from core.game.ending.rebel import RevealRebel, plays_with_rebel
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.turns import MarkJailed, SkipTurn
from core.game.state.game import Cause, Phase, Seat
from core.rule_set import OptionKey
from core.terms import Role, SeatNo
from kiosk.rules.card import special_case
from kiosk.scenes.pages import EliminationPage, Rules
from kiosk.scenes.play.rebel_news import rebel_revealed
from kiosk.scenes.scene import Reply, SceneContext, command_reply
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    Heading,
    Offer,
    ask_judge,
    back_offer,
    language_button,
    offer,
    page,
    page_head,
)
from kiosk.ui.blocks import Align, Block, ButtonStyle, Label, Paragraph, Part, Typeface
from kiosk.view import theme

_Reminder = tuple[str, str]
"""The subject, and what applies to it."""
_LEAST_LINES = 6
_ABOUT_MM = 30


@scene("reminders", when=lambda stage: stage.is_in(Phase.CHARACTERS, Phase.PLAYING))
def special_cases(stage: SceneContext, seat: SeatNo) -> tuple[Block, ...]:
    """Draw a line for each special case of one seat, turned towards its player."""
    stage = stage.in_language_of(seat)
    mm, player = stage.mm, stage.seat(seat)
    words = stage.words.gettext("Special cases: {name}").format(name=player.name)
    rest, head = page_head(stage, words, size_mm=6.4)
    cases = tuple(_of_passive(stage) if player.passive else _of_player(stage, player))
    lines = rest.rows([1] * max(len(cases), _LEAST_LINES), mm(1))
    parts: list[Part] = [*head]
    for line, (about, case) in zip(lines, cases, strict=False):
        left, right = line.split_left(mm(_ABOUT_MM), mm(2))
        parts.append(Label(left, about, mm(4.4), theme.BRASS, Typeface.BOLD, Align.LEFT))
        parts.append(Paragraph(right, case, mm(4.2), theme.CREAM_SOFT))
    return page(stage, parts, "reminders")


def _of_player(stage: SceneContext, seat: Seat) -> Iterator[_Reminder]:
    """Yield the special cases that a seat's character, its role and the rules cause.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ"; The Rebel!, Showing up the role.
    """
    _ = stage.words.gettext
    case = "" if seat.character is None else special_case(seat.character, stage.edition, stage.words)
    if seat.character is not None and case:
        yield seat.character.value, case
    if seat.seat == stage.game.sheriff and OptionKey.RUTHLESS_LAW in stage.edition.chosen:
        yield (
            _("Ruthless Law"),
            _("At the end of their turn, the Sheriff mustn't discard a BANG! that could have been played."),
        )
    if plays_with_rebel(stage.game, stage.edition):
        yield (
            _("Rebel!"),
            _(
                "The Rebel! may reveal their role on their own turn, after drawing; then the "
                "Sheriff loses no cards for eliminating a Deputy."
            ),
        )
    yield (
        _("Beer"),
        _("A Beer has no effect at full life points or with two players left, but you can still play it."),
    )
    yield _("Jail"), _("Cards in front of a jailed player still work. Discard Jail and the drawn card.")
    yield _("Deck"), _("Reshuffle when the deck is empty and you need a card, even for a draw!")
    yield _("Discarding"), _("Discard only down to the hand limit, in any order you like.")


def _of_passive(stage: SceneContext) -> Iterator[_Reminder]:
    """Yield the special cases of a passive character.

    Source: Championship 2022/23 v1.4, 1.4 "Abandoning the tournament".
    """
    _ = stage.words.gettext
    yield "Saloon", _("The character gains a life point.")
    yield (
        _("General Store"),
        _("When it's the character's turn to choose, discard one of the remaining cards at random."),
    )
    yield _("Barrel"), _("No draw!: a passive character doesn't use the cards in front of it.")
    yield _("Jail, Dynamite"), _("On the character's turn, draw! for them; the turn is skipped either way.")
    yield _("BANG!, Duel …"), _("The character never reacts: nobody plays its cards.")
    yield (
        _("Out"),
        _("As normal: a reward for an Outlaw; a Sheriff who eliminates a Deputy loses all cards."),
    )


def _may_leave(stage: SceneContext, seat: SeatNo) -> bool:
    return stage.allows(Abandon(seat))


@scene("leaving", holds=_may_leave)
def leaving(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain what leaving means, and ask the judge to confirm it."""
    stage = stage.in_language_of(seat)
    _ = stage.words.gettext
    text = _(
        "If you leave, your hand is discarded and your character stays in play, passive: it "
        "skips its turns, plays nothing and can be hit. You can't come back in this "
        "tournament."
    )
    if stage.game.duel is not None:
        text = _("If you leave, your opponent wins the duel.")
    name = stage.seat(seat).name
    leave = offer(
        stage, f"seat-{seat}-abandon", _("Judge, hold: {name} leaves").format(name=name),
        partial(_leave, stage, seat), 4, look=ButtonStyle.GRAVE, icon="away", hold_ms=HOLD_MS,
        enabled=stage.allows(Abandon(seat)),
    )  # fmt: skip
    head = Heading(_("{name} leaves?").format(name=name), text, "away")
    return Dialog(stage, head, (back_offer(stage, 1.4), leave))


def _leave(stage: SceneContext, seat: SeatNo) -> Reply:
    done = stage.shared_words.gettext("{name} has left.").format(name=stage.seat(seat).name)
    return ask_judge(stage, Abandon(seat), done, leaves=True)


def _has_menu(stage: SceneContext, seat: SeatNo) -> bool:
    game = stage.table.game
    if game is None or game.phase is Phase.ENDED:
        return False
    return stage.allows(Abandon(seat)) or (
        stage.seat(seat).passive and stage.seat(seat).in_play and game.phase is Phase.PLAYING
    )


@scene("player-menu", holds=_has_menu)
def player_menu(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Offer actions and information for one player, turned towards that player."""
    stage = stage.in_language_of(seat)
    _, player = stage.words.gettext, stage.seat(seat)
    cases, rules = Reply(opens=special_cases(seat)), Reply(opens=Rules(seat))
    leaves = Reply(opens=leaving(seat))
    offers = [
        back_offer(stage, 1.4),
        offer(stage, "reminders", _("Special cases"), cases, 2.6, icon="story"),
        offer(stage, "rules", _("Rules"), rules, 2.2, icon="question"),
        Offer(language_button(stage, stage.mm(4.6), seat), 2.2),
        offer(
            stage, f"seat-{seat}-leaves", _("Leave"), leaves, 2, icon="away",
            enabled=stage.allows(Abandon(seat)),
        ),
    ]  # fmt: skip
    if may_eliminate(stage, seat):
        out = Reply(becomes=elimination_of(seat, stage))
        offers.append(
            offer(stage, "eliminated", _("Eliminated"), out, 2.6, look=ButtonStyle.MAIN, icon="tombstone")
        )
    # Everybody in turn gets this button, as otherwise it would reveal who is the Rebel!.
    reveal = RevealRebel(seat)
    if stage.allows(reveal):
        shows = Reply(command_reply(reveal).intents, becomes=rebel_revealed(seat))
        words = _("Hold: show the Rebel!")
        offers.append(offer(stage, "reveal-rebel", words, shows, 3, icon="star", hold_ms=HOLD_MS))
    if stage.game.turn == seat and stage.allows(SkipTurn()):
        skip = command_reply(SkipTurn(), closes=True)
        offers.append(offer(stage, "skip-turn", _("In Jail: skip turn"), skip, 2.6, icon="lock"))
    jailed = MarkJailed(seat)
    if stage.allows(jailed):
        was = command_reply(jailed, closes=True)
        offers.append(offer(stage, f"jailed-{seat}", _("Was in Jail"), was, 2.6, icon="lock"))
    character = "" if player.character is None else player.character.value
    return Dialog(stage, Heading(player.name, character, "menu"), offers)


def elimination_of(seat: SeatNo, stage: SceneContext) -> EliminationPage:
    """Return the page of an elimination with its first question, which High Noon may have answered."""
    game = stage.game
    by_noon = seat in game.doubtful or (game.high_noon_question and seat in game.pending)
    was_asked = seat in game.pending or seat in game.doubtful
    return EliminationPage(seat, Cause.HIGH_NOON if by_noon else None, was_asked=was_asked)


def may_eliminate(stage: SceneContext, seat: SeatNo) -> bool:
    """Return whether a player may be eliminated now, whatever their life points."""
    return stage.is_in(Phase.PLAYING) and any(
        stage.allows(Eliminate(seat, None, role, Cause.DYNAMITE)) for role in Role
    )

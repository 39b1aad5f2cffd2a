"""A player's menu, opened by holding their panel, and the dialogs about the Rebel! and the Revolution."""

from collections.abc import Iterator, Sequence

from core.characters import Character
from core.game.ending.rebel import RevealRebel, plays_with_rebel
from core.game.play.abandonment import Abandon
from core.game.play.eliminations import Eliminate
from core.game.play.one_card import may_be_out_too
from core.game.play.turns import MarkJailed, SkipTurn, records_turns
from core.game.state.game import Cause, Phase, Seat
from core.rule_set import OptionKey
from core.terms import Role, SeatNo
from kiosk.preferences import Learner
from kiosk.rules.applicable_rules import Rule
from kiosk.rules.card import ability_of, named_ability, special_case
from kiosk.scenes import pages
from kiosk.scenes.guide import is_new_sheriffs_first_turn
from kiosk.scenes.pages import Page
from kiosk.scenes.scene import CLOSE, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, answer_panel, card, on_ring
from kiosk.scenes.widgets.dialogs import Dialog, scene
from kiosk.scenes.widgets.head_fit import Heading, Tone
from kiosk.scenes.widgets.page_parts import (
    HOLD_MS,
    ask_judge,
    back_offer,
    language_button,
    offer,
    page,
    page_head,
    table_page,
)
from kiosk.scenes.widgets.rows import Offer
from kiosk.ui.blocks import Align, Block, ButtonStyle, Label, Paragraph, Part, Typeface
from kiosk.view import theme
from kiosk.view.intents import ChangePreferences


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


_Reminder = tuple[str, str]
"""A subject, such as a card, and the rule for it."""
_LEAST_LINES = 6
_ABOUT_MM = 30
_APART_MM = 2


@scene("reminders", when=lambda stage: stage.is_in(Phase.CHARACTERS, Phase.PLAYING))
def special_cases(stage: SceneContext, seat: SeatNo) -> tuple[Block, ...]:
    """Draw a line for each special case of one seat, turned towards its player."""
    stage = stage.in_language_of(seat)
    mm, player = stage.mm, stage.seat(seat)
    words = stage.words.gettext("Special cases: {name}").format(name=player.name)
    rest, head = page_head(stage, words, size_mm=6.4)
    cases = tuple(_of_passive(stage) if player.passive else _of_player(stage, player))
    wide, size = rest.w - mm(_ABOUT_MM + _APART_MM), mm(4.2)
    shares = [1 + stage.types.count_lines(case, Typeface.TEXT, size, wide) for _about, case in cases]
    lines = rest.rows([*shares, *[2] * (_LEAST_LINES - len(cases))], mm(1))
    parts: list[Part] = [*head]
    for line, (about, case) in zip(lines, cases, strict=False):
        left, right = line.split_left(mm(_ABOUT_MM), mm(_APART_MM))
        parts.append(Label(left, about, mm(4.4), theme.BRASS, Typeface.BOLD, Align.LEFT))
        parts.append(Paragraph(right, case, size, theme.CREAM_SOFT))
    return page(stage, parts, "reminders")


def _of_player(stage: SceneContext, seat: Seat) -> Iterator[_Reminder]:
    """Yield the special cases of a player's character, role and rules.

    Source: Championship 2022/23 v1.4, 4 "General case study and FAQ"; The Rebel!, Showing up the role.
    """
    _ = stage.words.gettext
    if seat.character is not None:
        about = ability_of(seat.character, stage.edition, stage.words)
        case = special_case(seat.character, stage.edition, stage.words)
        yield seat.character.value, f"{about} {case}".rstrip()
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


@scene("leaving", holds=lambda stage, seat: stage.allows(Abandon(seat)))
def leaving(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Explain the consequences of leaving, and ask the judge to confirm that a player leaves."""
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
    done = stage.shared_words.gettext("{name} has left.").format(name=name)
    leave = offer(
        stage, f"seat-{seat}-abandon", _("Judge, hold: {name} leaves").format(name=name),
        ask_judge(stage, Abandon(seat), done, leaves=True), 4, look=ButtonStyle.GRAVE, icon="away",
        hold_ms=HOLD_MS, enabled=stage.allows(Abandon(seat)),
    )  # fmt: skip
    head = Heading(_("{name} leaves?").format(name=name), text, "away", rule=Rule.LEAVING.value)
    return Dialog(stage, head, (leave,))


def _has_menu(stage: SceneContext, seat: SeatNo) -> bool:
    game = stage.table.game
    if game is None or game.phase is Phase.ENDED:
        return False
    return stage.allows(Abandon(seat)) or (
        stage.seat(seat).passive and stage.seat(seat).in_play and game.phase is Phase.PLAYING
    )


@scene("player-menu", holds=_has_menu)
def player_menu(stage: SceneContext, seat: SeatNo) -> Dialog:
    """Draw the menu, turned towards its player."""
    stage = stage.in_language_of(seat)
    _, player = stage.words.gettext, stage.seat(seat)
    offers = [
        offer(stage, "reminders", _("Special cases"), special_cases(seat), 2.6, icon="story"),
        offer(stage, "rules", _("Rules"), pages.rules(seat), 2.2, icon="question"),
        Offer(language_button(stage, stage.mm(4.6), seat), 2.2),
        offer(
            stage, f"seat-{seat}-leaves", _("Leave"), leaving(seat), 2, icon="away",
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
    if records_turns(stage.game, stage.edition) and stage.game.duel is None and not player.passive:
        offers.append(_learning_offer(stage, seat))
    abilities = (named_ability(who, stage.edition, stage.words) for who in _characters_of(stage, player))
    text = " ".join((*_lesson(stage, player), *abilities))
    return Dialog(stage, Heading(player.name, text, "menu"), offers)


def _learning_offer(stage: SceneContext, seat: SeatNo) -> Offer:
    """Return the button with which a player says that they are new to the game, or no longer."""
    game, played = stage.game, stage.game.turns_played
    learner = Learner(game.game, seat, played[seat - 1] if played else 0)
    switch = Reply(intents=(ChangePreferences(stage.table.preferences.learning(learner)),))
    label, is_new = stage.words.gettext("New to BANG!"), stage.is_learning(seat)
    return offer(stage, "new-player", label, switch, 2.6, icon="check" if is_new else "star", chosen=is_new)


def _lesson(stage: SceneContext, player: Seat) -> Iterator[str]:
    """Yield what a new player does in each turn. Source: base game."""
    if not stage.is_learning(player.seat):
        return
    _ = stage.words.gettext
    if player.character is Character.WILLY_THE_KID:
        yield _("In your turn, draw two cards, play, then discard down to your life points.")
    else:
        yield _(
            "In your turn, draw two cards, play any, but only one BANG!, then discard down to your "
            "life points."
        )


def _characters_of(stage: SceneContext, player: Seat) -> Sequence[Character]:
    """Return the characters whose abilities a player can use."""
    if stage.game.duel is not None:
        return [fighter.character for fighter in stage.duel.side(player.seat).in_play]
    return [] if player.character is None or player.passive else [player.character]


def elimination_of(seat: SeatNo, stage: SceneContext) -> Page:
    """Return the page with the questions about an elimination, whose cause is known at High Noon."""
    game = stage.game
    by_noon = seat in game.doubtful or (game.high_noon_question and seat in game.pending)
    was_asked = seat in game.pending or seat in game.doubtful
    return pages.elimination(seat, Cause.HIGH_NOON if by_noon else None, was_asked=was_asked)


def may_eliminate(stage: SceneContext, seat: SeatNo) -> bool:
    """Return whether a player can be eliminated now, whatever their life points."""
    return stage.is_in(Phase.PLAYING) and any(
        stage.allows(Eliminate(seat, None, role, Cause.DYNAMITE)) for role in Role
    )

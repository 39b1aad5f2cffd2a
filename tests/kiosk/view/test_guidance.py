"""The guidance names a next step at every moment of every game, and the rules accept it."""

import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from core.characters import Character
from core.editions.edition import Edition
from core.editions.loader import edition, rules_of
from core.editions.readings import ShortDuelStart
from core.game.clock import EndByTimeLimit
from core.game.decide import GameCommand, decide, why_not
from core.game.ending.judge_calls import CallJudge
from core.game.ending.rebel import RevealRebel
from core.game.ending.sheet import (
    AgreeEnding,
    ConfirmSheet,
    DeclareRoles,
    DisputeEnding,
    VoidGame,
    WithdrawAgreement,
)
from core.game.events import GameEvent, GameStep
from core.game.play.abandonment import Abandon
from core.game.play.auction import KeepCharacter, LeaveCharacter, RevealCharacters
from core.game.play.bidding import Nominate, Pass, Raise, TakeCharacter
from core.game.play.effects import AnswerRevolution
from core.game.play.eliminations import Eliminate, PlayerEliminated
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn, HighNoonBegan, TurnStarted
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, KeepCards, SeatTable
from core.game.state.game import Cause, Confirmation, GameState, HighNoon, Phase, SeatedPlayer, Stake
from core.game.state.seats import role_counts, seats_after
from core.game.timeline import Timeline, extend
from core.rule_set import OptionKey, RuleSet
from core.terms import Dollars, GameId, MatchKind, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId
from core.text.rules_in_words import text_chapters
from core.text.sentence import English
from kiosk.i18n import words_in
from kiosk.rules.applicable_rules import rules_at
from kiosk.rules.card import rule_card
from kiosk.view.guidance import Guidance, Step, guidance
from tests.core.game.duel.test_properties import sensible
from tests.core.game.rebel_table import rebel_rules
from tests.examples import examples

SEATS = tuple(SeatNo(n) for n in range(1, 11))
PLAIN, AUCTION = edition("championship-2022"), edition("championship-2010")
ENLISTMENT = rules_of(RuleSet("official-2003", (OptionKey.EXPERIENCE, OptionKey.ENLISTMENT)))
SIMPLIFIED = rules_of(RuleSet("simplified-2003", (OptionKey.CASH_REWARDS, OptionKey.RUTHLESS_LAW)))
TABLES: dict[str, tuple[Edition, tuple[int, ...], MatchKind]] = {
    "2022": (PLAIN, (5, 6, 7), MatchKind.GAME),
    "2010": (AUCTION, (5, 6, 7), MatchKind.GAME),
    "2003": (ENLISTMENT, (4, 5, 7), MatchKind.GAME),
    "simplified": (SIMPLIFIED, (4, 6), MatchKind.GAME),
    "rebel": (rebel_rules(), (4, 6, 8, 10), MatchKind.GAME),
    "long-duel": (AUCTION, (2,), MatchKind.LONG_DUEL),
    "short-duel": (AUCTION, (2,), MatchKind.SHORT_DUEL),
}
unhurried = settings(
    deadline=None,
    max_examples=examples(30),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def seating(rules: Edition, players: int, kind: MatchKind) -> SeatTable:
    owned = (Character.SLAB_THE_KILLER, Character.SUZY_LAFAYETTE)
    stakes: list[Stake | None] = [None] * players
    if OptionKey.ENLISTMENT in rules.chosen:
        stakes[:2] = [Stake(Dollars(2100), survived=True, owned=who, price=Dollars(400)) for who in owned]
    seats = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}", stakes[n]) for n in range(players))
    keys = RuleSet(rules.key, rules.chosen)
    return SeatTable(GameId("g"), TournamentId("t"), "Test", keys, RoundNo(1), TableNo(1), seats, kind)


def moves(state: GameState, rules: Edition, chance: random.Random) -> list[GameCommand]:
    """Return what people might enter now, likely commands more often; most may be refused."""
    seats = SEATS[: len(state.seats)]
    one, other = chance.choice(seats), chance.choice(seats)
    free = chance.choice(rules.characters.deck)
    if state.phase is Phase.DUEL and state.duel is not None:
        return sensible(state.duel)
    match state.phase:
        case Phase.SEATING:
            return [CheckIn(one), CheckIn(other), *([Abandon(one)] if chance.random() < 0.1 else [])]
        case Phase.ROLES:
            return [DealRoles()]
        case Phase.AUCTION:
            assert state.auction is not None
            bid = Dollars(100 * chance.randint(0, 9))
            up = [who for who in rules.characters.deck if all(s.character is not who for s in state.seats)]
            missing = sum(seat.character is None for seat in state.seats)
            return [
                KeepCharacter(one), LeaveCharacter(one), RevealCharacters(tuple(up[:missing])),
                *(Nominate(seat, who, bid) for seat in seats for who in state.auction.free[:2]),
                Raise(one, bid), *(Pass(seat) for seat in seats),
                *(TakeCharacter(seat, who) for seat in seats for who in state.auction.free[:1]),
            ]  # fmt: skip
        case Phase.CHARACTERS:
            return [*(ChooseCharacter(one, free) for _ in range(3)), KeepCards(one, 1), BeginGame()]
        case Phase.PLAYING:
            return _in_play(state, rules, chance)
        case Phase.ENDED:
            roles = [role for role in Role for _ in range(role_counts(len(seats), rules).count(role))]
            words: list[GameCommand] = [
                AgreeEnding(one),
                AgreeEnding(other),
                DisputeEnding(one),
                WithdrawAgreement(other),
            ]
            return [*words, DeclareRoles((Role.SHERIFF, *chance.sample(roles[1:], len(roles) - 1)))]
        case Phase.SHEET:
            return [AgreeEnding(one), AgreeEnding(other), ConfirmSheet(Confirmation.KEY)]
        case _:
            return [VoidGame("again")]


def _in_play(state: GameState, rules: Edition, chance: random.Random) -> list[GameCommand]:
    seats = [seat.seat for seat in state.seats if seat.in_play]
    one, other = chance.choice(seats), chance.choice(seats)
    role = chance.choice([role for role in Role if role_counts(len(state.seats), rules).count(role)])
    if state.revolution_question is not None:
        return [AnswerRevolution(state.revolution_question, chance.random() < 0.6)]
    if state.pending:
        fallen = state.pending[0]
        killers = (
            (state.turn, Cause.PLAYER),
            (other, Cause.PLAYER),
            (None, Cause.DYNAMITE),
            (None, Cause.HIGH_NOON),
        )
        return [
            SaveLastLife(fallen, Rescue.BEER),
            SaveLastLife(fallen, Rescue.SID_KETCHUM),
            *(Eliminate(fallen, by, role, cause) for by, cause in killers),
            LoseLife(other),
        ]  # fmt: skip
    rare: list[GameCommand] = [Abandon(one), EndByTimeLimit(), RevealRebel(one), CallJudge()]
    usual: list[GameCommand] = [
        *[EndTurn()] * 6,
        *[Reshuffle()] * 2,
        *[LoseLife(one, 2), LoseLife(other, 3)] * 2,
        RegainLife(one),
    ]
    return [chance.choice(rare if chance.random() < 0.04 else usual)]


def played(
    rules: Edition, players: int, kind: MatchKind, chance: random.Random
) -> Iterator[tuple[GameState, tuple[GameEvent, ...], GameState]]:
    timeline: Timeline | None = None
    command: GameCommand = seating(rules, players, kind)
    for _ in range(400):
        before = None if timeline is None else timeline.state
        if why_not(before, command, rules) is None:
            events = decide(before, command, rules)
            timeline = extend(timeline, GameStep(GameId("g"), events))
            if before is not None:
                yield before, events, timeline.state
        assert timeline is not None
        if timeline.state.phase is Phase.VOIDED:
            return
        commands = moves(timeline.state, rules, chance)
        if not commands:
            return
        command = chance.choice(commands)


WHO: dict[Step, Callable[[GameState, Edition, SeatNo], tuple[GameCommand, ...]]] = {
    Step.CHECK_IN: lambda _state, _rules, seat: (CheckIn(seat),),
    Step.KEEP_CHARACTER: lambda _state, _rules, seat: (LeaveCharacter(seat),),
    Step.BID: lambda _state, _rules, seat: (Pass(seat),),
    Step.NOMINATE: lambda state, rules, seat: tuple(
        Nominate(seat, who, Dollars(0 if rules.auction is None else rules.auction.minimum))
        for who in (state.auction.free if state.auction else ())
    ),
    Step.TAKE: lambda state, _rules, seat: tuple(
        TakeCharacter(seat, who) for who in (state.auction.free if state.auction else ())
    ),
    Step.AGREE: lambda _state, _rules, seat: (AgreeEnding(seat),),
    Step.SHOW_REBEL: lambda _state, _rules, seat: (AnswerRevolution(seat, is_rebel=False),),
    Step.SAVE_LAST_LIFE: lambda _state, _rules, seat: tuple(SaveLastLife(seat, way) for way in Rescue),
}
"""By step: commands allowed only to the players named."""


def check_who_acts(state: GameState, rules: Edition, guide: Guidance) -> None:
    """Check that only players in play are named, and that the rules accept the step only from them."""
    assert guide.step is Step.AGREE or all(state.seats[seat - 1].in_play for seat in guide.seats)
    if guide.step in WHO:
        able = tuple(
            seat.seat
            for seat in state.seats
            if any(
                why_not(state, command, rules) is None for command in WHO[guide.step](state, rules, seat.seat)
            )
        )
        assert set(guide.seats) <= set(able)
        able = tuple(seat for seat in able if not state.seats[seat - 1].passive)
        assert guide.step is Step.SAVE_LAST_LIFE or guide.seats == able
    match guide.step:
        case Step.DEAL_ROLES:
            assert why_not(state, DealRoles(), rules) is None
        case Step.BEGIN:
            assert why_not(state, BeginGame(), rules) is None
        case Step.CHOOSE_CHARACTER:
            assert any(seat.character is None for seat in state.seats)
        case Step.PLAY_TURN | Step.PLAY_NOON_TURN:
            assert guide.seats == (state.turn,)
            assert why_not(state, EndTurn(), rules) is None
        case Step.CANNOT_BE_SAVED:
            ways = (SaveLastLife(guide.seats[0], way) for way in Rescue)
            assert all(why_not(state, command, rules) is not None for command in ways)
        case Step.SAVE_LAST_LIFE:
            assert state.seats[guide.seats[0] - 1].life + guide.count == 1
        case _:
            pass


def check_high_noon(
    before: Guidance, events: tuple[GameEvent, ...], state: GameState, after: Guidance
) -> None:
    """Check that High Noon begins with the announced player or the next, and takes its points as shown."""
    began = [event.seat for event in events if isinstance(event, HighNoonBegan)]
    out = {event.seat for event in events if isinstance(event, PlayerEliminated)}
    starter = before.noon
    if starter in out:
        starter = next((seat.seat for seat in seats_after(state, starter) if seat.in_play), None)
    # A table that has missed High Noon may name it as the cause of an elimination.
    missed = [e.seat for e in events if isinstance(e, PlayerEliminated) and e.cause is Cause.HIGH_NOON]
    assert began in ([], [starter], missed)
    assert (after.noon is not None) is (
        state.phase is Phase.PLAYING and state.high_noon in {HighNoon.WAITING, HighNoon.CALLED}
    )
    started = [event for event in events if isinstance(event, TurnStarted)]
    if started and after.step in {Step.PLAY_TURN, Step.PLAY_NOON_TURN}:
        assert (after.step is Step.PLAY_NOON_TURN) is (started[-1].loses > 0)


@pytest.mark.by_day(3)
@pytest.mark.slow
@unhurried
@given(seed=st.integers(0, 2**32), which=st.integers(0, 9))
@pytest.mark.parametrize("table", TABLES)
def test_there_is_guidance_at_every_moment_and_it_names_who_acts(table: str, seed: int, which: int) -> None:
    rules, sizes, kind = TABLES[table]
    for before, events, state in played(rules, sizes[which % len(sizes)], kind, random.Random(seed)):
        guide = guidance(state, rules)
        assert guide.rule in rules_at(state, rules)
        check_who_acts(state, rules, guide)
        check_high_noon(guidance(before, rules), events, state, guide)


@pytest.mark.by_day(3)
@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_random_games_reach_their_ends(table: str) -> None:
    """The games above are long enough: all steps of a game occur in this many of them."""
    rules, sizes, kind = TABLES[table]
    steps = {
        guidance(state, rules).step
        for seed in range(12)
        for _, _, state in played(rules, sizes[seed % len(sizes)], kind, random.Random(seed))
    }
    if kind is MatchKind.GAME:
        assert steps >= {Step.CHECK_IN, Step.DEAL_ROLES, Step.PLAY_TURN, Step.SAVE_LAST_LIFE, Step.SHOW_ROLES}
    else:
        assert steps >= {Step.FIGHT, Step.ENTER}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_rule_of_a_table_has_a_card_with_its_source(table: str, language: str) -> None:
    rules, sizes, kind = TABLES[table]
    for players in sizes:
        _, _, state = next(played(rules, players, kind, random.Random(1)))
        for rule in rules_at(state, rules):
            card = rule_card(rule, state, rules, words_in(language))
            assert card.title
            assert card.source
            assert card.sentences
            assert all(sentence and "{" not in sentence for sentence in card.sentences), card


def test_the_card_of_high_noon_says_what_the_edition_says() -> None:
    def sentences(rules: Edition, players: int) -> str:
        _, _, state = next(played(rules, players, MatchKind.GAME, random.Random(1)))
        guide = guidance(state, rules)
        assert guide.step is Step.CHECK_IN
        (card,) = [
            rule_card(rule, state, rules, words_in("en"))
            for rule in rules_at(state, rules)
            if rule.value == "high-noon"
        ]
        return " ".join(card.sentences)

    assert "number 3 announces High Noon" in sentences(PLAIN, 6)
    assert "the next turn of the next player still in play, even if that follows at once" in sentences(
        PLAIN, 6
    )
    older = rules_of(RuleSet("championship-2022"))
    assert "High Noon begins after the Sheriff's next turn" in sentences(older, 6)
    assert "number 2 announces High Noon" in sentences(PLAIN, 7)
    assert "High Noon begins with the Sheriff's next turn" in sentences(AUCTION, 5)
    assert "Reshuffles don't start High Noon here" in sentences(SIMPLIFIED, 6)


def test_a_sentence_on_a_card_is_the_one_on_the_page_of_rules() -> None:
    """A card adds only the base game, and how to do it at a terminal."""
    for rules, players, kind in ((PLAIN, 5, MatchKind.GAME), (AUCTION, 2, MatchKind.SHORT_DUEL)):
        page = {
            sentence.text for chapter in text_chapters(rules, English()) for sentence in chapter.sentences
        }
        _, _, state = next(played(rules, players, kind, random.Random(1)))
        for rule in rules_at(state, rules):
            if rule.value in {"special-cases", "leaving", "warnings", "ending", "ties", "short-duel"}:
                assert set(rule_card(rule, state, rules, words_in("en")).sentences) <= page


def test_the_card_of_a_duel_follows_the_readings() -> None:
    readings = replace(AUCTION.readings, short_duel_start=ShortDuelStart.BETTER_PLACED)
    rules = replace(AUCTION, readings=readings)
    _, _, state = next(played(rules, 2, MatchKind.SHORT_DUEL, random.Random(1)))
    (card,) = (
        rule_card(r, state, rules, words_in("en")) for r in rules_at(state, rules) if "duel" in r.value
    )
    assert "The better-placed player starts." in card.sentences
    assert "Draw lots for who starts." not in card.sentences


def test_a_card_cites_only_what_is_written_there_and_marks_readings() -> None:
    def source(rules: Edition, rule: str) -> str:
        _, _, state = next(played(rules, 5, MatchKind.GAME, random.Random(1)))
        rule_at = next(one for one in rules_at(state, rules) if one.value == rule)
        return rule_card(rule_at, state, rules, words_in("en")).source

    assert source(PLAIN, "high-noon").endswith("; our reading, D10, D11, D12, D13, D15, D17, D47")
    assert source(PLAIN, "time-limit") == 'Championship 2022/23 v1.4, 1.3 "Waivers"; our reading, D09'
    assert source(AUCTION, "time-limit") == "our reading, D09"
    assert "2" in source(AUCTION, "warnings")
    for rule in ("high-noon", "leaving", "time-limit", "record-sheet"):
        assert "base game" not in source(SIMPLIFIED, rule)
    assert source(SIMPLIFIED, "leaving") == "our reading, D43"
    faq = 'Championship 2022/23 v1.4, 4 "General case study and FAQ"'
    assert source(SIMPLIFIED, "special-cases") == source(PLAIN, "special-cases") == faq
    assert source(rules_of(RuleSet("official-2003")), "special-cases") == faq
    assert source(AUCTION, "special-cases") == "Championship 2010 v1.1, 4"
    assert source(SIMPLIFIED, "last-life") == f"Rules of the base game; {faq}; our reading, D48"
    assert source(SIMPLIFIED, "turn").startswith("Rules of the base game")

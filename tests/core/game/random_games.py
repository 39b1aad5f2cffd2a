"""Games by chance from a seed, long enough for eliminations and High Noon; the core says what may happen."""

from random import Random

from core.editions.loader import edition
from core.game.decide import GameCommand, decide, why_not
from core.game.events import GameStep
from core.game.judge_calls import AnswerJudgeCall, CallJudge
from core.game.play.eliminations import Eliminate
from core.game.play.reshuffles import Reshuffle
from core.game.play.turns import EndTurn
from core.game.play.wounds import LoseLife, RegainLife, Rescue, SaveLastLife
from core.game.setup import BeginGame, CheckIn, ChooseCharacter, DealRoles, SeatTable
from core.game.state.game import Cause, GameState, SeatedPlayer
from core.game.state.seats import role_counts
from core.game.timeline import Timeline, extend, undoable
from core.game.undo import Undo
from core.rule_set import RuleSet
from core.terms import GameId, PlayerId, Role, RoundNo, SeatNo, TableNo, TournamentId

_MOVES = 160


def random_game(seed: int, players: int, key: str = "championship-2022") -> Timeline:
    """The steps that count of a game by chance."""
    chance, rules = Random(seed), edition(key)
    row = role_counts(players, rules)
    roles = [role for role in Role if role is not Role.SHERIFF for _ in range(row.count(role))]
    chance.shuffle(roles)
    deal = (Role.SHERIFF, *roles)
    seats = tuple(SeatNo(n) for n in range(1, players + 1))
    seated = tuple(SeatedPlayer(PlayerId(f"p{n}"), f"Player {n}") for n in seats)
    game = GameId("g")
    opening: list[GameCommand] = [
        SeatTable(game, TournamentId("t"), "Open", RuleSet(key), RoundNo(1), TableNo(1), seated),
        *(CheckIn(seat) for seat in seats),
        DealRoles(),
        *map(ChooseCharacter, seats, chance.sample(rules.characters.deck, players)),
        BeginGame(),
    ]
    timeline: Timeline | None = None
    for number in range(len(opening) + _MOVES):
        state = None if timeline is None else timeline.state
        move = opening[number] if number < len(opening) or state is None else _move(chance, state, deal)
        may_undo = undoable(timeline)
        if why_not(state, move, rules, may_undo=may_undo) is None:
            timeline = extend(timeline, GameStep(game, decide(state, move, rules, may_undo=may_undo)))
    assert timeline is not None
    return timeline


def _move(chance: Random, state: GameState, deal: tuple[Role, ...]) -> GameCommand:
    seat = SeatNo(chance.randint(1, len(deal)))
    if state.pending:
        out = state.pending[0]
        by = None if state.high_noon_question else state.turn
        cause = Cause.HIGH_NOON if by is None else Cause.PLAYER
        saved = SaveLastLife(out, Rescue.BEER)
        return saved if chance.random() < 0.2 else Eliminate(out, by, deal[out - 1], cause)
    return chance.choice(
        [
            EndTurn(),
            EndTurn(),
            LoseLife(seat),
            LoseLife(seat),
            RegainLife(seat),
            RegainLife(seat),
            Reshuffle() if chance.random() < 0.3 else EndTurn(),
            Undo(1) if state.turns > 1 and chance.random() < 0.3 else EndTurn(),
            CallJudge(),
            AnswerJudgeCall(),
        ]
    )

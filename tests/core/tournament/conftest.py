"""A scripted tournament: the judge's commands in words, the tables' results at will."""

import hashlib
from collections.abc import Callable

import pytest

from base.errors import Refused
from core.editions.edition import Edition
from core.editions.loader import edition
from core.game.ending.finished_game import FinishedGame
from core.game.state.game import Cause, Elimination
from core.rule_set import RecordMode, RuleSet
from core.terms import Ending, PlayerId, Role, SeatNo, TournamentId
from core.tournament.decisions import TournamentDecision, TournamentStep, decide, decide_again, why_not
from core.tournament.draw.drawing import MakeDraw, PublishDraw, SealDraw
from core.tournament.registration import OpenTournament, RegisterPlayers
from core.tournament.sheets import AcceptSheet
from core.tournament.standings.ranking import DrawLots
from core.tournament.standings.standings import StandingRow, Standings, rounds_standings
from core.tournament.state.decision import NOTHING_KNOWN, HallFacts
from core.tournament.state.finals import Finals
from core.tournament.state.rounds import DrawnTable, Round, Source
from core.tournament.state.table_list import TableList
from core.tournament.state.tournament import Player, Stage, TournamentState, Waivers
from core.tournament.timeline import TournamentTimeline, extend
from tests.core.game.conftest import D, O, R, S

ROLES = {
    4: (S, O, O, R),
    5: (S, O, D, O, R),
    6: (S, O, D, O, R, O),
    7: (S, O, D, O, R, O, D),
    8: (S, O, D, O, R, O, D, R),
}


def one_group() -> Edition:
    """An edition of one group at one table, with averages and the list of ties of 2003."""
    return edition("official-2003")


def seed(word: object) -> str:
    return hashlib.sha256(str(word).encode()).hexdigest()


def players(count: int) -> tuple[Player, ...]:
    return tuple(Player(PlayerId(f"p{n:03}"), f"Player {n}") for n in range(1, count + 1))


def row_of(ranking: Standings, player: str) -> StandingRow:
    row = ranking.row(PlayerId(player))
    assert row is not None
    return row


def outlaws_won(round_no: Round, table: DrawnTable) -> FinishedGame:
    """Seat 2, an Outlaw, shoots the Sheriff."""
    roles = ROLES[len(table.players)]
    shot = Elimination(SeatNo(1), SeatNo(2), SeatNo(2), 1, Cause.PLAYER, Role.SHERIFF)
    return FinishedGame(round_no.round, table.table, table.players, roles, (shot,), (), Ending.OUTLAWS_WIN)


def time_was_up(round_no: Round, table: DrawnTable) -> FinishedGame:
    return FinishedGame(
        round_no.round, table.table, table.players, ROLES[len(table.players)], (), (), Ending.NO_WINNER
    )


Play = Callable[[Round, DrawnTable], FinishedGame]


class Judge:
    """A judge at a tournament, with all steps written so far."""

    def __init__(self, rules: Edition, mode: RecordMode = RecordMode.FULL) -> None:
        self.rules = rules
        self.mode = mode
        self.steps: list[TournamentStep] = []
        self.timeline: TournamentTimeline | None = None
        self.draws = 0

    @property
    def state(self) -> TournamentState:
        assert self.timeline is not None
        return self.timeline.state

    @property
    def finals(self) -> Finals:
        assert self.state.finals is not None
        return self.state.finals

    def stage(self) -> Stage:
        """Return the stage by a call, since a type checker takes an attribute for unchanged."""
        return self.state.stage

    def does(
        self, decision: TournamentDecision, hall: HallFacts = NOTHING_KNOWN
    ) -> tuple[TournamentDecision, ...]:
        state = None if self.timeline is None else self.timeline.state
        events = decide(state, decision, self.rules, "Judge Roy", hall)
        step = TournamentStep(TournamentId("open"), events, "2026-11-20T19:00:00Z")
        self.timeline = extend(self.timeline, step)
        self.steps.append(step)
        return events

    def refusal(self, decision: TournamentDecision, hall: HallFacts = NOTHING_KNOWN) -> Refused:
        """Return the refusal of a decision, which changes nothing; the test fails if it is accepted."""
        before = self.timeline
        with pytest.raises(Refused) as raised:
            self.does(decision, hall)
        assert self.timeline == before
        state = None if before is None else before.state
        assert str(why_not(state, decision, self.rules, hall=hall)) == str(raised.value)
        return raised.value

    def refuses(self, decision: TournamentDecision, hall: HallFacts = NOTHING_KNOWN) -> object:
        return self.refusal(decision, hall).reason

    def decides_again(self) -> bool:
        """Return whether each step, decided again in the state before it, gives the same decisions."""
        timeline: TournamentTimeline | None = None
        for step in self.steps:
            state = None if timeline is None else timeline.state
            if decide_again(state, step, self.rules) != step.events:
                return False
            timeline = extend(timeline, step)
        return True

    def opens(
        self,
        count: int = 0,
        waivers: Waivers | None = None,
        *,
        unofficial: bool = False,
        tables: TableList | None = None,
    ) -> "Judge":
        self.does(
            OpenTournament(
                tournament=TournamentId("open"),
                name="Open",
                rules=RuleSet(self.rules.key, mode=self.mode),
                date="2026-11-20",
                waivers=waivers or Waivers(),
                unofficial=unofficial,
                tables=tables,
            )
        )
        if count:
            self.does(RegisterPlayers(players(count)))
        return self

    def draws_tables(self, hall_word: str = "cactus") -> None:
        self.draws += 1
        self.does(SealDraw(seed=seed(self.draws)))
        self.does(MakeDraw(hall_word=hall_word))

    def publishes(self, hall_word: str = "cactus") -> Round:
        self.draws_tables(hall_word)
        self.does(PublishDraw())
        return self.state.rounds[-1]

    def accepts(self, table: DrawnTable, play: Play = outlaws_won) -> None:
        result = play(self.state.rounds[-1], table)
        self.does(AcceptSheet(table.game, result, Source.PAPER))

    def plays_rounds(self, count: int | None = None, play: Play = outlaws_won) -> "Judge":
        """Play a number of rounds, or all that are left."""
        over = {Stage.FINALS, Stage.FINISHED}
        while count != 0 and not (count is None and self.state.stage in over):
            self.plays_round(play)
            count = None if count is None else count - 1
        return self

    def draws_lots(self) -> None:
        """Draw lots, if players are tied."""
        if rounds_standings(self.state, self.rules).draw_groups:
            self.does(DrawLots(seed("lots")))

    def plays_round(self, play: Play = outlaws_won) -> Round:
        for table in self.publishes().tables:
            self.accepts(table, play)
        return self.state.rounds[-1]


@pytest.fixture
def rules() -> Edition:
    return edition("championship-2022")


@pytest.fixture
def judge(rules: Edition) -> Judge:
    return Judge(rules)

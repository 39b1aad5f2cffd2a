"""The course of a rehearsal from round to round, up to its end."""

from saloon.demo.pages import PageTrouble
from saloon.demo.rehearsal.rehearsal import Rehearsal
from saloon.demo.rehearsal.robot import RobotJudge


class RoundByRound:
    """The rounds of a rehearsal.

    rounds: played before the end; 0 for no end. draws: whether to draw the next round, as nobody else will.
    """

    def __init__(self, rounds: int, *, draws: bool) -> None:
        self._rounds = rounds
        self._draws = draws

    def are_over(self, rehearsal: Rehearsal, robot: RobotJudge | None) -> bool:
        """Let the robot judge work; return whether the last round is over and everything solved."""
        if robot is not None:
            robot.look_after(rehearsal)
        tables = len(rehearsal.hall.people)
        if rehearsal.sheets_in < tables or not tables:
            return False
        if robot is not None and robot.has_work(rehearsal):
            return False
        if self._rounds and rehearsal.round >= self._rounds:
            return True
        if self._draws:
            try:
                if rehearsal.hall.judge.is_finished():
                    return True
                rehearsal.hall.begin_round()
            except PageTrouble:
                # Entries of a table are still missing: tried again at the next turn.
                return False
        return False

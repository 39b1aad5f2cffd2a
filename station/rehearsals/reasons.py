"""Reasons for refusing a rehearsal: sentences, and the keys for their translation."""

import enum


class Reason(enum.Enum):
    """Reasons for refusing an action on a rehearsal."""

    ONE_RUNS = "A rehearsal runs already. End it first."
    NONE_RUNS = "No rehearsal runs."
    ROUND_RUNS = (
        "A round of {name} runs. The hall needs this computer now: rehearse before the day, or after it."
    )
    IN_REHEARSAL = "This is a rehearsal's own station. Start another one at the real one."
    NOT_POSSIBLE = "{what} is not possible here."

"""Reasons for refusing a rehearsal: sentences, and the keys for their translation."""

import enum


class RehearsalReason(enum.Enum):
    """Reasons for refusing an action on a rehearsal."""

    ONE_RUNS = "A rehearsal is already running. End it first."
    NONE_RUNS = "No rehearsal is running."
    ROUND_RUNS = (
        "A round of {name} is in progress, and the hall needs this computer. Rehearse before the "
        "tournament day, or after it."
    )
    IN_REHEARSAL = "This station belongs to a rehearsal. Start another one at the real station."
    NOT_POSSIBLE = "{what} isn't possible here."

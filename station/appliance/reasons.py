"""Reasons for refusing an action on the computer: sentences with fields in braces."""

import enum


class NotDone(enum.Enum):
    """Reasons for a refusal; the value is the English sentence and the key for translation."""

    CLOCK_RUNS = (
        "A round's time runs by this clock. Stop all clocks on the floor first, or wait for the round's end."
    )
    NO_SUCH_TIME = "This browser's time cannot be right. Look at its clock."
    NO_COPY = "There is no such copy on the stick. Put the stick in and load the page again."
    BAD_COPY = "This copy cannot be read. Take the one before it."
    NOT_EMPTY = "This station has judges already: nothing is put over it. Restore on a fresh card."
    STICK = "Nothing was written on the stick. The page says how it is."

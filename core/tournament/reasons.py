"""Why a tournament's command is refused, in sentences for the judge.

The value of a member is the English sentence with its fields in braces; it is also the key for
translation at the edge.
"""

import enum


class Reason(enum.Enum):
    """Why ``decide`` refused."""

    NOT_OPEN = "This tournament is not open yet."
    ALREADY_OPEN = "This tournament is open already."
    OTHER_EDITION = "This tournament is played by {edition}, not by {given}."
    EMPTY_NAME = "A name is missing."
    EMPTY_REASON = "Please give a reason; it is kept with the tournament."
    RANKING_IS_PUBLIC = (
        "The ranking is public. Take its publication back first, so that everybody sees that it changes."
    )

    BELOW_MINIMUM = (
        "{players} players are too few: the table chart begins at {minimum}. "
        "With fewer the judge may only hold an unofficial tournament."
    )
    TOO_FEW_FOR_A_TABLE = "{players} players are too few for a table; it needs at least {smallest}."
    NO_TABLES = (
        "{players} players cannot be seated at tables of {smallest} to {largest}. The judge may end the "
        "tournament after the rounds already played, or go on with at most {largest} players at one table."
    )
    WAIVER_NOT_ALLOWED = "This edition does not allow the waiver: {waiver}."
    ROUNDS_OUT_OF_RANGE = "The rounds may be reduced to 1 at least; {rounds} is not possible."
    MORE_ROUNDS_THAN_PRINTED = (
        "{rounds} rounds are more than the {printed} that the rules say; they can only be reduced."
    )
    ROUNDS_ALREADY_DRAWN = "{drawn} rounds are drawn already; the tournament cannot have only {rounds}."
    TIME_LIMIT_OUT_OF_RANGE = "A time limit of {minutes} minutes is not possible."

    NOBODY_GIVEN = "No player was given."
    LATE_ENTRY = "{name} is too late: players can only join before the first draw is published."
    PLAYER_TWICE = "{name} is registered already."
    SAME_NAME = (
        "{name} ({club}) and {other} ({other_club}) cannot be told apart. "
        "Two players of the same name need different clubs or towns."
    )
    UNKNOWN_PLAYER = "There is no player {player} in this tournament."
    PLAYER_IS_OUT = "{name} has already left the tournament and cannot re-enter."

    ROUND_RUNS = "Round {round} still runs: the record sheets of tables {tables} are missing."
    ALL_ROUNDS_PLAYED = "All {rounds} rounds are drawn."
    BAD_SEED = "A seed is 64 hexadecimal digits in lower case."
    SEED_USED = "This seed was used before; each draw needs a new one."
    NOTHING_SEALED = "No seed is sealed for the next draw. Seal one first and show its seal."
    DRAWN_ALREADY = "This seed's draw is made. To draw again, seal a new seed."
    NOTHING_DRAWN = "There is no draw to publish."
    DRAW_IS_STALE = "{names} joined or left after this draw was made. Seal a new seed and draw again."

    UNKNOWN_GAME = "There is no game {game} in a published round."
    SHEET_TWICE = "The record sheet of table {table} is accepted already; correct it instead."
    NO_SHEET_TO_CORRECT = "The record sheet of table {table} is not accepted yet."
    NOTHING_CORRECTED = "The corrected record sheet of table {table} says the same as the accepted one."
    OTHER_TABLE = (
        "This is the record sheet of round {round}, table {table}; the game is round {drawn_round}, "
        "table {drawn_table}."
    )
    OTHER_PLAYERS = "The record sheet of table {table} names other players, or other seats, than the draw."

    NOT_FINISHED = "The tournament is not finished: {played} of {rounds} rounds are played."
    NOTHING_TIED = "Nobody is tied; there is nothing to draw lots for."
    TIED = "{names} are tied after all tie-breaks. Draw lots first."
    RANKING_TWICE = "The ranking is public already."

    STEPS_OUT_OF_RANGE = "{steps} steps cannot be taken back; {possible} can."

"""The reasons for refusing a tournament's command, in sentences for the judge.

The value of a member is the English sentence with its fields in braces; it is also the key for
translation at the edge.
"""

import enum


class Reason(enum.Enum):
    """The reason for a refusal by ``decide``."""

    NOT_OPEN = "This tournament is not open yet."
    ALREADY_OPEN = "This tournament is open already."
    OTHER_EDITION = "This tournament is played by {edition}, not by {given}."
    EMPTY_NAME = "A name is missing."
    NAME_TOO_LONG = "{name} … has {length} characters; a name or club may have {most}."
    NAME_UNPRINTABLE = "{name} contains characters that cannot be shown (here as ?). Type the name again."
    TOO_MANY_PLAYERS = "{players} players are too many: a tournament can have {most}."
    TOO_MANY_AT_ONCE = "{players} players are too many for one file. Register them in several smaller files."
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
    GROUP_SIZE = (
        "A group of {players} cannot play at one table: these rules have roles for groups of {allowed}."
    )
    NO_CYCLES = "Only a group that plays by itself can choose how often each is Sheriff."
    CYCLES_OUT_OF_RANGE = "Everybody is Sheriff at least once; {cycles} times is not possible."
    CYCLES_ALREADY_PLAYED = "{name} was Sheriff {times} times already; {cycles} is not possible any more."
    FEWER_GAMES_LATER = (
        "Fewer games than everybody's turns as Sheriff need a reason: open the tournament, then reduce them."
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
    TABLES_IN_USE = (
        "Another tournament is playing at these tables: {tables}. Choose other tables for this one, or wait "
        "until the record sheets of those tables are confirmed."
    )
    FIRST_TABLE_OUT_OF_RANGE = "Choose a first table from 1 to {last}; {first} is not possible."
    SAME_FIRST_TABLE = "This tournament's first table is table {first} already."
    NOTHING_DRAWN = "There is no draw to publish."
    DRAW_IS_STALE = "{names} joined or left after this draw was made. Seal a new seed and draw again."

    UNKNOWN_GAME = "There is no game {game} in a published round."
    SHEET_TWICE = "The record sheet of table {table} is accepted already; correct it instead."
    LEFT_AT_THE_TABLE = (
        "Table {table} was told that {name} has left and plays on so. That cannot be taken back there: let "
        "the game end, then correct its record sheet; or take the draw back."
    )
    NO_SHEET_TO_CORRECT = "The record sheet of table {table} is not accepted yet."
    NOTHING_CORRECTED = "The corrected record sheet of table {table} says the same as the accepted one."
    NOTHING_CONTESTED = "What was carried from table {table} is kept already, or says what is accepted."
    OTHER_TABLE = (
        "This is the record sheet of round {round}, table {table}; the game is round {drawn_round}, "
        "table {drawn_table}."
    )
    OTHER_PLAYERS = "The record sheet of table {table} names other players, or other seats, than the draw."

    NOT_FINISHED = "The tournament is not finished: {played} of {rounds} rounds are played."
    NOTHING_TIED = "Nobody is tied; there is nothing to draw lots for."
    TIED = "{names} are tied after all tie-breaks. Draw lots first."
    NO_ONE_ON_ONE = "This edition knows no game of two; draw lots."
    NOT_TIED_ALONE = "{names} are not two players who are tied with each other and with nobody else."
    RANKING_TWICE = "The ranking is public already."

    NO_FINALS = "This edition has no finals; the ranking of the rounds is the ranking."
    ROUNDS_RANKING_TWICE = "The ranking of the rounds is public already."
    FINALISTS_UNKNOWN = "Publish the ranking of the rounds first; it names the four who play the finals."
    FINALISTS_ARE_NAMED = (
        "The ranking of the rounds is public, and the finals follow from it. Take its publication back first."
    )
    OTHER_FINALISTS = (
        "With this correction other players, or in another order, would be the four of the finals, whose "
        "names are public. Take the publication of the rounds' ranking back first."
    )
    TOO_FEW_FOR_FINALS = (
        "{players} players are left, too few for the finals of {finalists}. Publish the ranking instead."
    )
    OTHER_DUEL_KIND = "The duels here are not of this kind: {kind}."
    DUELS_RUN = "The results of the duels at tables {tables} are missing."
    FINALS_ARE_OVER = "The finals are over."
    FINAL_IS_BEGUN = "The final has begun with other players. Take its beginning back first."
    FINALS_NOT_OVER = "The finals are not over yet."

    TABLES_OWE = (
        "The station has not received all entries of tables {tables}. Wait until they have come, or say why "
        "you go on without them."
    )
    SHEETS_DISPUTED = (
        "Disputed record sheets (round/table): {tables}. Correct each of them, or let it stand, with a "
        "reason."
    )
    LEFT_AT_TABLE = (
        "Left or ejected at the table, and still in the tournament: {names}. Withdraw or eject them on "
        "Players, or correct the record sheet."
    )
    NOTHING_OWED = "No table owes entries; there is nothing to go on without."

    STEPS_OUT_OF_RANGE = "{steps} steps cannot be taken back; {possible} can."

    GAMES_WOULD_BE_VOID = (
        "That would make the games at these tables void: {tables}. Under “History”, choose “What would "
        "change?”, and tick each table whose game you give up."
    )

    NO_CLOCK = "No round with a time limit runs."
    NO_CLOCK_AT_TABLE = "No table {table} plays in this round."
    CLOCK_RUNS = "The clock runs already."
    CLOCK_STANDS = "The clock stands already."
    CLOCK_NOT_STARTED = "Nobody has started the clock yet."
    CLOCK_EXTENSION = "1 to {minutes} minutes can be given at once."

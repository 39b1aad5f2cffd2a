"""The reasons for refusing a tournament's decisions, as sentences for the judge.

The value of a member is the English sentence with fields in braces, which is also the translation key.
"""

import enum


class TournamentReason(enum.Enum):
    """The reason why ``decide`` refuses a decision."""

    NOT_OPEN = "This tournament isn't open yet."
    ALREADY_OPEN = "This tournament is already open."
    OTHER_EDITION = "This tournament uses {edition}, not {given}."
    EMPTY_NAME = "A name is missing."
    NAME_TOO_LONG = "{name} … is {length} characters long; a name or club can have at most {most}."
    NAME_UNPRINTABLE = (
        "{name} contains characters that can't be displayed (shown here as ?). Type the name again."
    )
    NAME_IS_ERROR = "{name} is an error from a spreadsheet, not a name. Type the name."
    TOO_MANY_PLAYERS = "Too many players ({players}): a tournament can have at most {most}."
    TOO_MANY_AT_ONCE = "Too many players for one file ({players}). Register them in several smaller files."
    EMPTY_REASON = "Please give a reason; it's kept with the tournament."
    RANKING_IS_PUBLIC = (
        "The ranking has been published. Undo its publication under “History” first, so everyone can see "
        "that it's changing."
    )

    RULES_ARE_FIXED = (
        "The rules can't change any more, as the first draw has been published. Copy the tournament instead: "
        "the copy can have other rules and the same players."
    )
    RULES_OF_A_SEALED_DRAW = (
        "The first draw is already sealed. Undo that step under “History” first, so everyone can see that "
        "this draw was discarded; then change the rules and seal a new one."
    )
    SAME_RULES = "The tournament has these rules already."
    BELOW_MINIMUM = (
        "Too few players ({players}): the table chart starts at {minimum}. With fewer, the tournament can "
        "only be unofficial: tick “Unofficial” under “Change the rules”."
    )
    TOO_FEW_FOR_A_TABLE = "Too few players ({players}): a table needs at least {smallest}."
    NO_TABLES = (
        "{players} players can't be seated at tables of {smallest} to {largest}. Either end the "
        "tournament after the rounds already played, or continue with at most {largest} players "
        "at one table."
    )
    FOUR_ALLOWED_ALREADY = "Tables of 4 are already allowed."
    NO_TABLES_OF_FOUR = "These rules can't be played at tables of 4."
    FOUR_NOT_NEEDED = (
        "Tables of 4 can only be allowed when 8 or 9 players are left, as the document doesn't provide "
        "for them; there are {players}."
    )
    GROUP_SIZE = "{players} players can't form groups of {allowed} that differ by at most one player."
    OPTION_OF_ONE_GROUP = (
        "The option {option} only works in a single group: what players keep belongs to their table."
    )
    NOT_WITHDRAWN = "{name} hasn't been withdrawn."
    MISSED_A_ROUND = "{name} has already missed a game and can't come back."
    NO_CYCLES = (
        "You can only choose how often everyone is Sheriff if one group plays all its games at one table."
    )
    CYCLES_OUT_OF_RANGE = "Everyone must be Sheriff at least once; {cycles} times isn't possible."
    CYCLES_ALREADY_PLAYED = "{name}'s games as Sheriff so far: {times}. {cycles} is no longer possible."
    FEWER_GAMES_LATER = (
        "Playing too few games for everyone to be Sheriff needs a reason: open the tournament "
        "first, then reduce the number of games."
    )
    WAIVER_NOT_ALLOWED = "This edition doesn't allow this waiver: {waiver}."
    ROUNDS_OUT_OF_RANGE = "At least 1 must be played; {rounds} isn't possible."
    MORE_ROUNDS_THAN_PRINTED = (
        "The number can only be reduced: the rules allow at most {printed} here, not {rounds}."
    )
    ROUNDS_ALREADY_DRAWN = "Already drawn: {drawn}. The tournament can't end after only {rounds}."
    TIME_LIMIT_OUT_OF_RANGE = "A time limit of {minutes} minutes isn't possible."

    NOBODY_GIVEN = "Enter at least one player."
    LATE_ENTRY = (
        "{name} is too late: players can only join before the first draw is published, unless the organiser "
        "opens late entry on the Players page."
    )
    LATE_IN_GROUP = (
        "A group that plays all its games at one table can't accept anyone once it has begun: everyone plays "
        "the same number of games."
    )
    TOO_LATE_FOR_A_ROUND = "{name} is too late: the last round has been drawn."
    LATE_ENTRY_TWICE = "Nothing to change: late entry is already open, or already closed."
    PLAYER_TWICE = "{name} is already registered."
    SAME_NAME = (
        "{name} ({club}) and {other} ({other_club}) can't be told apart. Two players with the "
        "same name need different clubs or towns."
    )
    IN_A_DRAW = "{name} is in a draw. Undo the draw first, or withdraw the player."
    UNKNOWN_PLAYER = "There's no player {player} in this tournament."
    WARNING_TAKEN = "This warning from the table has been recorded already."
    PLAYER_IS_OUT = (
        "{name} has left the tournament. If they may return, their page under “Players” has a button for it."
    )

    ROUND_RUNS = "Record sheets still missing ({unit} {round}): tables {tables}."
    ALL_ROUNDS_PLAYED = "There's nothing left to draw."
    BAD_SEED = "A seed must be 64 hexadecimal digits in lower case."
    SEED_USED = "This seed has been used before; each draw needs a new one."
    NOTHING_SEALED = "No seed has been sealed for the next draw. Seal one first and show its seal."
    DRAWN_ALREADY = "The draw with this seed has already been made. To draw again, seal a new seed."
    TABLES_IN_USE = (
        "Another tournament is playing at these tables: {tables}. Choose other tables for this one, or wait "
        "until the record sheets of those tables are confirmed."
    )
    TABLES_UNREADABLE = "“{typed}” isn't a list of tables. Type for example 1-12, 20, or 13- for all from 13."
    TABLE_OUT_OF_RANGE = "Tables have numbers from 1 to {last}; {table} isn't possible."
    TABLES_BACKWARDS = "{first}-{last} runs backwards. Put the lower number first."
    TABLE_TWICE = "Table {table} is in the list twice."
    TOO_FEW_TABLES = (
        "The draw needs {needed} tables, and this tournament has {count} ({tables}). "
        "Choose more under “What's next” first."
    )
    NO_DATE = "“{typed}” isn't a date such as 2026-11-20."
    SAME_NAME_AND_DATE = "That is already the tournament's name and date."
    SAME_TABLES = "This tournament already plays at tables {tables}."
    NOTHING_DRAWN = "There's no draw to publish."
    NOT_IN_DRAFT = "{name} isn't in this draw."
    NOTHING_MOVED = "That changes nothing. Choose another player, or another table."
    NO_TABLE_IN_DRAFT = "This draw has no table {table}."
    TABLE_SIZE = (
        "Table {table} would have {players} players. These rules only have winnings for tables of {allowed}."
    )
    DRAW_IS_STALE = "{names} joined or left after this draw was made. Seal a new seed and draw again."

    UNKNOWN_GAME = "Game {game} isn't in any published draw."
    SHEET_TWICE = "Table {table}'s record sheet has already been confirmed; correct it instead."
    HISTORY_GREW = (
        "{by} added a step to the history after you looked, so nothing was undone. Check the history "
        "again first."
    )
    LEFT_AT_THE_TABLE = (
        "Table {table} has been notified that {name} has left, and is playing on without them. "
        "That can't be undone at the table: let the game end, then correct its record sheet; or "
        "undo the draw."
    )
    NO_SHEET_TO_CORRECT = "Table {table}'s record sheet hasn't been confirmed yet."
    NOTHING_CORRECTED = "Table {table}'s corrected record sheet is the same as the confirmed one."
    NOTHING_CONTESTED = (
        "The result imported from table {table} is already saved, or is the same as the confirmed one."
    )
    OTHER_TABLE = (
        "This record sheet is for {unit} {round}, table {table}, but the game is {unit} "
        "{drawn_round}, table {drawn_table}."
    )
    OTHER_PLAYERS = "The players or seats on table {table}'s record sheet don't match the draw."

    NOT_FINISHED = "The tournament isn't finished. Played so far: {played} of {rounds}."
    NOTHING_TIED = "Nobody is tied, so there's nothing to draw lots for."
    TIED = "{names} are still tied after all tie-breaks. Draw lots first."
    NO_ONE_ON_ONE = "This edition has no one-on-one game; draw lots instead."
    NOT_TIED_ALONE = (
        "Only two players who are tied with each other and with nobody else can play one-on-one; "
        "{names} aren't tied like that."
    )
    RANKING_TWICE = "The ranking has already been published."
    SAME_PRIZES = "Nothing about the prizes has changed."
    PRIZE_TWICE = "There's already a prize called “{name}”. Give this one another name."
    TOO_MANY_PRIZES = "There can be at most {most} prizes."
    PRIZE_OUT_OF_RANGE = "A prize can have 1 to {most} places, and count 1 to {most} players of each club."
    NO_PRIZE_CLUB = "Choose the club or town whose players can win “{name}”."

    NO_FINALS = "This edition has no finals; the ranking of the rounds is the final ranking."
    ROUNDS_RANKING_TWICE = "The ranking of the rounds has already been published."
    FINALISTS_UNKNOWN = (
        "Publish the ranking of the rounds first; it shows which four players reach the finals."
    )
    FINALISTS_ARE_NAMED = (
        "The ranking of the rounds has been published, and the finals are based on it. Undo its "
        "publication under “History” first."
    )
    OTHER_FINALISTS = (
        "This correction would change the four finalists or their order, but their names have "
        "been published. Undo the publication of the ranking of the rounds under “History” first."
    )
    TOO_FEW_FOR_FINALS = (
        "Players left: {players}. That's too few for finals with {finalists} players; publish "
        "the ranking instead."
    )
    OTHER_DUEL_KIND = "Duels of this kind aren't played here: {kind}."
    DUELS_RUN = "Tables whose duel results are missing: {tables}."
    FINALS_ARE_OVER = "The finals are over."
    FINAL_IS_BEGUN = "The final has already begun with other players. Undo that step first."
    FINALS_NOT_OVER = "The finals aren't over yet."

    TABLES_OWE = (
        "The station hasn't received all entries from these tables: {tables}. Wait for them to "
        "arrive, or say why you're continuing without them."
    )
    SHEETS_DISPUTED = (
        "Disputed record sheets ({unit}/table): {tables}. Correct each one or let it stand, and say why."
    )
    LEFT_AT_TABLE = (
        "Left or ejected at the table, but still in the tournament: {names}. Withdraw or eject "
        "them on the Players page, or correct the record sheet."
    )
    DISPUTES_HOLD_UP = (
        "Disputed record sheets ({unit}/table): {tables}. Correct each one or let it stand, or say why "
        "you're drawing again before that."
    )
    SHEETS_MISSING = "Record sheets still missing ({unit}/table): {tables}. Enter them first."
    NOTHING_OPEN = "No record sheet is missing or disputed; there's nothing to continue without."
    NOTHING_OWED = "No table has missing entries; there's nothing to continue without."

    STEPS_OUT_OF_RANGE = "That's too many steps to undo: {steps}. Limit: {possible}."

    GAMES_WOULD_BE_VOID = (
        "This would void the games at these tables: {tables}. Games that have started: {games}. Under "
        "“History”, choose “What "
        "would change?” and tick each table whose game you want to void."
    )

    NO_CLOCK = "No game with a time limit is being played."
    NO_CLOCK_AT_TABLE = "Table {table} isn't playing now."
    CLOCK_RUNS = "The clock is already running."
    CLOCK_STANDS = "The clock is already stopped."
    CLOCK_NOT_STARTED = "The clock hasn't been started yet."
    CLOCK_EXTENSION = "You can add 1 to {minutes} minutes at a time."

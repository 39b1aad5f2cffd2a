"""The reasons why a page's form is refused before the core is asked: sentences with fields in braces.

The value of a member is the English sentence and the key for translation.
"""

import enum


class Reason(enum.Enum):
    """A fault in a submitted form."""

    NO_NUMBER = "{text} is no whole number."
    NUMBER_RANGE = "{number} is not possible: choose a number from {least} to {most}."
    NO_FILE = "Choose a CSV file of at most 2 MB."
    NO_RULES = "Choose a file of house rules, or paste them: TOML, in UTF-8, of at most 64 kB."
    NO_NAME_IN_ROW = "Row {row} has no name."
    NO_ACTION = "There is no such action."
    LOGIN = "Name or password is wrong."
    NOT_TWICE = "The two new passwords differ. Type the same one twice."

    ROLE_MISSING = "Seat {seat}: choose a role."
    OUT_OF_WHOM = "Elimination {number}: say who was eliminated."
    NO_CAUSE = "Elimination {number}: say by whom or by what."
    NO_SUCH_SEAT = "Elimination {number}: there is no seat {seat}."
    TURN_MISSING = "Elimination {number}: say in whose turn the Sheriff was eliminated."
    CHARACTER_MISSING = "Seat {seat}: choose the character."
    CHARACTER_TWICE = "Seat {seat}: {character} was bought at seat {other}."
    PRICE_STEP = "Seat {seat}: ${price} is not possible; bids go by ${step}."
    NO_NUMBER_AT_SEAT = "Seat {seat}: {text} is no whole number."
    NOT_OVER = (
        "With these eliminations the game is not over: add the missing ones, or tick that the time limit "
        "ended it."
    )
    HOW_MISSING = "Say how the duel ended."
    DUEL_NOT_OVER = "With {score} the duel is not over. If it ended otherwise, say how."
    NO_DUEL_KIND = "Choose the long or the short duel."
    RULING_REASON = "Give the reason of your ruling; it is kept on the record sheet."
    NO_RULING = "There is no such ruling."
    NO_SPARE = "Choose the terminal that takes the table over."
    NO_TABLES = "{text} are no tables: write 1-50, or 3, 7, 9-12, up to {last}."
    NO_CARDS = "Say for which tables, or how many spares."
    NO_IMAGE = "The station has no such image."
    CARD_FIELD = "{field}: {problem}"
    WIFI_IS_BARE = "The Wi-Fi's password is missing: type it, or tick that the network has none."
    NO_BUNDLE = "Choose the bundle of a version: a file that ends with .saloon."
    NOT_REPORTED = "The terminal has not reported a whole game yet."


class Missing(enum.Enum):
    """Something that an address asks for and that does not exist."""

    TOURNAMENT = "There is no such tournament."
    RULES = "There are no such rules."
    ROUND = "This round is not public yet."
    NO_ROUND_RUNS = "No round runs."
    TABLE = "There is no such table in that round."
    PLAYER = "There is no such player."
    GONE = "That is not there any more. Load the page again."
    APPLIANCE = "This station runs on a computer of yours: switch it off, and set its clock, there."


class NotNow(enum.Enum):
    """Something that does not work for a while."""

    STATION = (
        "The station's database or disk does not answer now. Look whether it was done all the same; "
        "if not, try again in a few seconds."
    )
    DAMAGED = "The station's database is damaged. Restore a backup; the station's log shows what is wrong."


class Done(enum.Enum):
    """A message that something worked, where the page alone would not show it."""

    NOTHING = ""
    ROUND_RUNS = "The round runs. The terminals seat their tables."
    REGISTERED = "The players are registered."
    ADDED = "The player is registered, at the end of the list."
    CHANGED = "It is noted."
    ACCEPTED = "The record sheet is confirmed."
    FINALISTS_NAMED = "The ranking of the rounds is public. The four best play the finals."
    GONE_ON = "It is noted that the tournament goes on without these entries."
    TABLES_CHOSEN = "The tournament's tables have new numbers from now on."
    DUELS_RUN = "The duels are called to their tables."
    TAKEN_BACK = "The steps are taken back."
    PIN_SET = "The PIN is set. Terminals that are away get it later."
    ASSIGNED = "The terminal is assigned."
    TAKEN_IN = "The terminal is taken in."
    SENT_AWAY = "The terminal is sent away."
    REVOKED = "The terminal is refused from now on."
    BROUGHT = "Version {version} for {board} is checked and lies here."
    TIME_CALLED = "The table is told that the time is over."
    CALL_ENDED = "The call is closed."
    COMING = "The table knows that you are coming."
    SWAPPED = "The terminal takes the table over."
    SEEN = "It is marked as seen; what was saved stays with the station."
    CARDS_SAY = "It is remembered. Files that are made from now on say it."
    FILE_WITHDRAWN = "The file is withdrawn. It lets nobody in any more."
    FILES_WITHDRAWN = "The files are withdrawn. They let nobody in any more."
    GOES_ON = "The table goes on from these steps."
    JUDGE_ADDED = "The account is made. Tell the password to this judge only."
    OTHERS_SIGNED_OUT = "Your password is changed. All your other browsers are signed out."
    SIGNED_OUT = "You are signed out everywhere."
    COPIED = "A copy is on the stick, compared with what was written."
    STICK_FREE = "A last copy is on the stick. You may pull it out."
    CLOCK_SET = "The clock is set."

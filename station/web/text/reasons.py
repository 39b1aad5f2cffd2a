"""The reasons why a page's form is refused before the core is asked: sentences with fields in braces.

The value of a member is the English sentence and the key for translation.
"""

import enum


class FormReason(enum.Enum):
    """A fault in a submitted form."""

    NO_NUMBER = "{text} isn't a whole number."
    NUMBER_RANGE = "{number} isn't possible. Choose a number from {least} to {most}."
    NO_FILE = "Choose a CSV file of up to 2 MB."
    NO_RULES = "Choose a house rules file, or paste the rules: TOML, in UTF-8, up to 64 kB."
    NO_NAME_IN_ROW = "Row {row} has no name."
    NO_ACTION = "That action doesn't exist."
    LOGIN = "Wrong name or password."
    NO_ROLE = "Choose a role."
    NOT_TWICE = "The two new passwords don't match. Type the same one twice."

    ROLE_MISSING = "Seat {seat}: choose a role."
    OUT_OF_WHOM = "Elimination {number}: say who was eliminated."
    NO_CAUSE = "Elimination {number}: say by whom or by what."
    NO_SUCH_SEAT = "Elimination {number}: there's no seat {seat}."
    TURN_MISSING = "Elimination {number}: say in whose turn the Sheriff was eliminated."
    CHARACTER_MISSING = "Seat {seat}: choose the character."
    CHARACTER_TWICE = "Seat {seat}: {character} was already bought at seat {other}."
    PRICE_STEP = "Seat {seat}: ${price} isn't possible; bids go up in steps of ${step}."
    NO_NUMBER_AT_SEAT = "Seat {seat}: {text} isn't a whole number."
    NOT_OVER = (
        "With these eliminations the game isn't over: add the missing ones, or tick that the "
        "time limit ended it."
    )
    HOW_MISSING = "Say how the duel ended."
    DUEL_NOT_OVER = "At {score} the duel isn't over. If it ended another way, say how."
    NO_DUEL_KIND = "Choose the long or the short duel."
    RULING_REASON = "Give a reason for your ruling; it's kept on the record sheet."
    NO_RULING = "That ruling doesn't exist."
    NO_SPARE = "Choose the terminal that will take over the table."
    NO_TABLE = "Write the table's number."
    NO_TABLES = "{text} isn't a list of tables: write 1-50, or 3, 7, 9-12, up to {last}."
    NO_CARDS = "Enter the tables, or the number of spares."
    NO_IMAGE = "The station doesn't have that image."
    CARD_FIELD = "{field}: {problem}"
    WIFI_IS_BARE = "The Wi-Fi password is missing: type it, or tick that the network has none."
    NO_BUNDLE = "Choose a version's bundle: a file ending in .saloon."
    SWAP_OR_MOVE = "Choose a player, and either whom to swap them with or a table to move them to."
    LAST_WARNING = "This would be the second warning, which ejects {name}. Ask a head judge to give it."
    NO_OFFENCE = "Choose a category from the conduct list."
    NO_RECIPIENT = "Choose who gets the message, and name the tables, such as 1-8, 12."
    NOT_REPORTED = "The terminal hasn't reported a complete game yet."


class Missing(enum.Enum):
    """Something that an address asks for and that does not exist."""

    TOURNAMENT = "That tournament doesn't exist."
    RULES = "Those rules don't exist."
    ROUND = "This round hasn't been published yet."
    NO_ROUND_RUNS = "No round is in progress."
    TABLE = "That round has no such table."
    PLAYER = "That player doesn't exist."
    PAPER = "That paper doesn't exist."
    GONE = "That's no longer here. Reload the page."
    CERTIFICATE = "This station's pages have no certificate of their own."
    APPLIANCE = "This station runs on your own computer: switch it off and set its clock there."


class NotNow(enum.Enum):
    """Something that does not work for a while."""

    STATION = (
        "The station's database or disk isn't responding. Check whether your change was made; if "
        "not, try again in a few seconds."
    )
    DAMAGED = "The station's database is damaged. Restore a backup; the station's log shows what is wrong."


class Done(enum.Enum):
    """A message that something worked, where the page alone would not show it."""

    NOTHING = ""
    ROUND_RUNS = "The round has started. The terminals are seating their tables."
    REGISTERED = "The players are registered."
    ADDED = "The player has been added at the end of the list."
    CHANGED = "Change recorded."
    ACCEPTED = "The record sheet has been confirmed."
    FINALISTS_NAMED = "The ranking of the rounds has been published. The top four play the finals."
    DRAFT_CHANGED = "The draft has been changed by hand. Everyone will see the change and its reason."
    WARNED = "The warning has been recorded."
    EJECTED = "The player has been ejected."
    ARCHIVED = "The tournament is archived. You'll find it under “Archived”."
    REOPENED = "The tournament is back on the lists."
    LATE_ENTRY_SET = "Late entry has been changed."
    DRAWS_WITHOUT = "Recorded: the next round can be drawn. These record sheets can still be entered."
    GONE_ON = "Recorded: the tournament continues without these entries."
    TABLES_CHOSEN = "The tournament's tables have been renumbered."
    DUELS_RUN = "The duels have been called to their tables."
    TAKEN_BACK = "The steps have been undone."
    PIN_SET = "The PIN is set. Disconnected terminals will get it later."
    SIGN_IN_ON = "Players can sign in by phone at every connected table."
    SIGN_IN_OFF = "Players can't sign in by phone."
    ASSIGNED = "The terminal is assigned."
    TAKEN_IN = "The terminal has been enrolled."
    SENT_AWAY = "The terminal has been turned away."
    REVOKED = "The terminal has been revoked."
    BROUGHT = "Version {version} for {board} has been checked and is stored here."
    TIME_CALLED = "The table has been told that time is up."
    CALL_ENDED = "The call is closed."
    COMING = "The table knows that you are coming."
    CALL_RELEASED = "The call is waiting for a judge again."
    CALL_HANDED_OVER = "The call has been handed over."
    CALL_ESCALATED = "The call is now for the head judge."
    SWAPPED = "The terminal is taking over the table."
    ARRANGED = "The tables are arranged in rows. Drag those that are elsewhere."
    DEVICE_ENDED = "That device is no longer a terminal."
    MESSAGE_SENT = "The message is on its way. See below what becomes of it."
    MESSAGE_WITHDRAWN = "The message has been withdrawn from the tables that hadn't confirmed it."
    GLASS_LOCKED = "The screen is being locked. If the terminal is disconnected, it's locked when it's back."
    GLASS_UNLOCKED = (
        "The screen is being unlocked. If the terminal is disconnected, it's unlocked when it's back."
    )
    GLASSES_LOCKED = "The screens of all tables are being locked."
    GLASSES_UNLOCKED = "The screens of all tables are being unlocked."
    RESTARTING = "The terminal restarts as soon as nobody touches it. Nothing is lost."
    IDENTIFIED = "Look for the blinking lamp and the large number, for the next 10 seconds."
    SEEN = "Marked as seen. What was saved stays at the station."
    CARDS_SAY = "Saved. It applies to files made from now on."
    FILE_WITHDRAWN = "The file has been withdrawn. It no longer lets a terminal in."
    FILES_WITHDRAWN = "The files have been withdrawn. They no longer let a terminal in."
    GOES_ON = "The table continues from these steps."
    JUDGE_ADDED = "The account has been created. Give the password only to this person."
    ROLE_CHANGED = "The role has been changed. It applies from the next page they open."
    ACCOUNT_DELETED = "The account has been deleted, and its browsers are signed out."
    INVITATION_WITHDRAWN = "The invitation has been withdrawn. Its link no longer works."
    SESSION_ENDED = "That browser is signed out."
    BACKUPS_SEALED = "The passphrase is set for encrypted backups made from now on. Keep it safe."
    OTHERS_SIGNED_OUT = "Your password has been changed. All your other browsers are signed out."
    SIGNED_OUT = "You've been signed out everywhere."
    COPIED = "The copy is on the USB drive and matches the original."
    STICK_FREE = "The last copy is on the USB drive. You can remove it now."
    CLOCK_SET = "The clock is set."

"""The messages of forms: why they were refused before the core saw them, or what they have done.

The values are English sentences with placeholders, and the keys of their translations.
"""

import enum


class FormReason(enum.Enum):
    """A fault in a submitted form."""

    MOVED_ON = "This page was out of date, so nothing was done. Meanwhile: {what} ({by}, {at})."
    NOT_THE_LAST = (
        "Nothing was undone, as another step followed: {what} ({by}, {at}). Under History you can undo "
        "yours together with it."
    )
    OTHER_SHEETS = "Other tables are missing now than when you looked. Check them again, then continue."
    ANOTHER_RESULT = "The terminal's result has changed since you looked. Check it again, then confirm it."
    OTHER_PLAYERS = (
        "The seats have changed since this sheet was opened, so nothing was saved. It was for {before}. "
        "Now {now} sit at this table. Only your answers about players who are still here are kept."
    )
    ANOTHER_RANKING = "The ranking has changed since you looked at it. Check it again, then publish it."
    NO_AMOUNTS = "Enter what tables of 4 pay: every amount is still $0."
    NO_NUMBER = "{text} isn't a whole number."
    NO_DOLLARS = (
        "{text} isn't an amount of money. Type whole dollars, such as 1500 or 1,500; at most six digits."
    )
    NUMBER_RANGE = "{number} isn't possible. Choose a number from {least} to {most}."
    NO_FILE = "Choose a list of up to 2 MB: CSV, XLSX or ODS."
    NO_DRAFT = (
        "Choose the proof pack of a tournament before its first draw, up to 2 MB. If it's larger, open the "
        "tournament here and register its players from a list."
    )
    NOT_A_PACK = (
        "This file isn't a proof pack. Register the players of a list on the tournament's page instead; "
        "house rules have their own field."
    )
    NEWER_PACK = (
        "This file is from a newer version of Saloon, which this station can't read. Update the station, or "
        "open the tournament here and register its players from a list."
    )
    DRAFT_IS_DRAWN = (
        "This tournament has a draw already. Only one before its first draw can be opened from its file; "
        "copy the others at their own station."
    )
    RULES_CHANGED = "The rules were changed meanwhile. Compare again, then save."
    PRIZES_CHANGED = "The prizes were changed meanwhile. Look at them again, then make your change."
    IS_PLAYED = "A draw of this tournament has been published. Archive it instead of removing it."
    OTHER_NAME = "That isn't the tournament's name, so nothing was removed. Type it as it's shown."
    NOBODY_TO_MOVE = "Tick at least one player, and choose a tournament that hasn't been drawn yet."
    NO_RULES = "Choose a house rules file, or paste the rules: TOML, in UTF-8, up to 64 kB."
    ALL_REGISTERED = "Everyone on this list is already registered."
    NO_NAME_IN_ROW = "Row {row} has no name."
    NO_ACTION = "That action doesn't exist."
    LOGIN = "Wrong name or password."
    TOO_MANY_TRIES = "Too many attempts. Wait a minute, then try again."
    NOT_KEPT = "Files and forms over 64 kB can't be kept: you'll have to choose or type them again."
    NO_ROLE = "Choose a role."
    NOT_TWICE = "The two new passwords don't match. Type the same one twice."

    ROLE_MISSING = "Seat {seat}: choose a role."
    COMEBACK_INCOMPLETE = "Row {row} of those who came back: choose the player, the card and the elimination."
    OUT_OF_WHOM = "Elimination {number}: say who was eliminated."
    NO_CAUSE = "Elimination {number}: say by whom or by what."
    NO_SUCH_SEAT = "Elimination {number}: there's no seat {seat}."
    TURN_MISSING = "Elimination {number}: say on whose turn the Sheriff was eliminated."
    CHARACTER_MISSING = "Seat {seat}: choose the character."
    CHARACTER_TWICE = "Seat {seat}: {character} was already bought at seat {other}."
    PRICE_MISSING = "Seat {seat}: enter the price too, or 0 if the character was free."
    PRICE_STEP = "Seat {seat}: ${price} isn't possible; bids go up in steps of ${step}."
    NO_NUMBER_AT_SEAT = "Seat {seat}: {text} isn't a whole number."
    NO_PRICE = "Seat {seat}: {text} isn't a price. Type whole dollars, such as 1500 or 1,500."
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
    NO_TABLE = "Enter the table's number."
    NO_TABLES = "{text} isn't a list of tables: write 1-50, or 3, 7, 9-12, up to {last}."
    NO_CARDS = "Enter the tables, or the number of spares."
    NO_IMAGE = "The station doesn't have that card image."
    CARD_FIELD = "{field}: {problem}"
    WIFI_IS_BARE = "The Wi-Fi password is missing: type it, or tick that the network has none."
    NO_BUNDLE = "Choose a version's bundle: a file ending in .saloon."
    SWAP_OR_MOVE = "Choose a player, and either whom to swap them with or a table to move them to."
    LAST_WARNING = "This would be the second warning, which ejects {name}. Ask a head judge to give it."
    NO_OFFENCE = "Choose a category from the conduct list."
    NO_RECIPIENT = "Choose who gets the message, and name the tables, such as 1-8, 12."
    NO_PLAYER_FOUND = "No player matches."
    SEVERAL_PLAYERS = "Several players match: {names}. Type more of the name."
    LIKE_PLAYERS = "No player matches. Did you mean: {names}?"
    NO_OPEN_SHEET = "No record sheet is missing there. Type a table's number, or round and table: 2-7."
    NOT_REPORTED = "The terminal hasn't reported a complete game yet."
    CONFIRMED_ALIKE = "Table {table} is confirmed already ({name}): {result}. Yours is the same."
    CONFIRMED_OTHERWISE = (
        "Table {table} was confirmed before you ({name}), with another result: {result}. Yours doesn't "
        "count. Compare the two; if yours is right, correct the sheet."
    )


class Missing(enum.Enum):
    """A requested thing that does not exist or isn't public."""

    TOURNAMENT = "That tournament doesn't exist."
    RULES = "Those rules don't exist."
    DOCUMENT = "This tournament has no publisher's document."
    ROUND = "This draw hasn't been published yet."
    TABLE = "That draw has no such table."
    ROUND_TAKEN_BACK = (
        "The seats of this round aren't published now: the publication was undone, or the draw isn't done. "
        "Nothing was saved."
    )
    PLAYER = "That player doesn't exist."
    STATISTICS = "Statistics are published with the ranking."
    NOT_PUBLIC = "This page won't be public until the ranking is published."
    RANKING_TAKEN_BACK = (
        "The ranking was public and has been withdrawn: the judge is correcting it. You may ask the judge "
        "for your own total."
    )
    UNKNOWN_PROGRAM = "A valid token is needed. A head judge can create one on the Accounts page."
    NOT_FOR_THIS_PROGRAM = "This token's role can't see that, at least not before the ranking is published."
    DATA = "There's no such data table."
    PRIZE = "There is no such prize any more."
    PAPER = "That printout doesn't exist."
    SEASON = "That season has been removed."
    SCREEN = "That screen has been removed."
    BADGE = "That code isn't a badge of this station."
    GONE = "That's no longer here. Reload the page."
    CERTIFICATE = "This station's pages have no certificate of their own."
    APPLIANCE = "This station runs on your own computer: switch it off and set its clock there."


class NotNow(enum.Enum):
    """An action that is impossible for the moment."""

    STATION = (
        "The station's database or disk isn't responding. Check whether your change was made; if "
        "not, try again in a few seconds."
    )
    DAMAGED = "The station's database is damaged. Restore a backup; the station's log shows what is wrong."


class Done(enum.Enum):
    """A message that an action worked, for pages that don't show it by themselves."""

    NOTHING = ""
    ROUND_RUNS = "The draw is published. The terminals are now seating the players."
    ROUND_ON_PAPER = "The draw is published. All tables play on paper: print and hand out the record sheets."
    REGISTERED = "The players have been registered."
    ADDED = "The player has been added at the end of the list."
    WAITING = (
        "All places are taken: you're number {n} on the waiting list. "
        "A judge will register you when a place is free."
    )
    APPLIED = "Thank you! A judge will look at your application. You're in once your name is on the list."
    CHANGED = "Change recorded."
    ACCEPTED = "The record sheet has been confirmed."
    FINALISTS_NAMED = "The ranking of the rounds has been published. The top four play the finals."
    DRAFT_CHANGED = "The draft has been changed by hand. Everyone will see the change and its reason."
    WARNED = "The warning has been recorded."
    EJECTED = "The player has been ejected."
    ARCHIVED = "The tournament is archived. You'll find it under “Archived”."
    REMOVED = "The empty tournament has been removed."
    SET_ASIDE = "The tournament has been removed. To bring it back, open it under “Archived”."
    RULES_CHANGED = "The rules have been changed. Print the rules again if they're already on paper."
    REOPENED = "The tournament is back on the lists."
    LATE_ENTRY_SET = "Late entry has been changed."
    DRAWS_WITHOUT = "Recorded: the next draw can be made. These record sheets can still be entered."
    GONE_ON = "Recorded: the tournament continues without these entries."
    TABLES_CHOSEN = "The tournament's tables have been renumbered."
    DUELS_RUN = "The players have been called to their tables."
    TAKEN_BACK = "The steps have been undone."
    PINS_CHANGED = "Every terminal has a new PIN. Disconnected terminals will get theirs later."
    SIGN_IN_ON = "Players can sign in by phone at every connected table."
    SIGN_IN_OFF = "Players can't sign in by phone."
    ASSIGNED = "The terminal has been assigned."
    TRUSTED = "The terminals are now trusted: each accepts its PIN."
    TAKEN_IN = "The terminal has been enrolled."
    SENT_AWAY = "The terminal has been refused."
    REVOKED = "The terminal has been revoked."
    BROUGHT = "Version {version} for {board} has been checked and is stored here."
    TIME_CALLED = "The table has been told that time is up."
    CALL_ENDED = "The call is closed."
    COMING = "The table now shows that you're coming."
    CALL_RELEASED = "The call is waiting for a judge again."
    CALL_HANDED_OVER = "The call has been handed over."
    CALL_ESCALATED = "The call is now for the head judge."
    SWAPPED = "The terminal is taking over the table."
    ARRANGED = "The tables are arranged in rows. Drag those that are elsewhere."
    DEVICE_ENDED = "That device is no longer a terminal."
    MESSAGE_SENT = "The message is on its way. You can follow it below."
    MESSAGE_WITHDRAWN = "The message has been withdrawn from the tables that hadn't confirmed it."
    GLASS_LOCKED = "The screen is being locked. If the terminal is disconnected, it's locked when it's back."
    GLASS_UNLOCKED = (
        "The screen is being unlocked. If the terminal is disconnected, it's unlocked when it's back."
    )
    GLASSES_LOCKED = "The screens of all tables are being locked."
    GLASSES_UNLOCKED = "The screens of all tables are being unlocked."
    RESTARTING = "The terminal will restart as soon as nobody is using it. Nothing is lost."
    IDENTIFIED = "Look for the blinking lamp and the large number, for the next 10 seconds."
    SEEN = "Marked as seen. What was saved stays at the station."
    CARDS_SAY = "Saved. The settings apply to files created from now on."
    FILE_WITHDRAWN = "The file has been withdrawn. It can no longer enrol a terminal."
    FILES_WITHDRAWN = "The files have been withdrawn. They can no longer enrol a terminal."
    GOES_ON = "The table continues from these steps."
    JUDGE_ADDED = "The account has been created. Give the password only to this person."
    ROLE_CHANGED = "The role has been changed. It applies from the next page they open."
    ACCOUNT_DELETED = "The account has been deleted and logged out everywhere."
    PROGRAM_REMOVED = "The token has been removed and no longer works."
    INVITATION_WITHDRAWN = "The invitation has been withdrawn. Its link no longer works."
    SESSION_ENDED = "That browser has been logged out."
    BACKUPS_SEALED = "The passphrase is set for encrypted backups made from now on. Keep it safe."
    OTHERS_SIGNED_OUT = "Your password has been changed, and your other browsers have been logged out."
    SIGNED_OUT = "You've been logged out everywhere."
    COPIED = "The copy is on the USB drive and matches the original."
    STICK_FREE = "The last copy is on the USB drive. You can remove it now."
    CLOCK_SET = "The clock is set."

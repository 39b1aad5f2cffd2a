"""The routes recorded in the audit log, each with its description and the form fields to keep."""

import enum
from collections.abc import Mapping
from typing import Final

import msgspec


class AuditKind(enum.Enum):
    """The subject of an action, used as a filter."""

    ACCOUNTS = "Accounts and logins"
    TOURNAMENT = "Tournaments"
    PLAYERS = "Players and penalties"
    DRAWS = "Draws and standings"
    TABLES = "Tables and calls"
    SHEETS = "Record sheets"
    TERMINALS = "Terminals and messages"
    STATION = "Station and backups"


class AuditAction(enum.Enum):
    """An action and its description."""

    FIRST_ACCOUNT = "Opened the first account"
    FIRST_RESTORE = "Restored a backup on a new station"
    RESTORED = "Restored a backup"
    INVITED_IN = "Opened an account by an invitation"
    LOGIN = "Logged in"
    LOGOUT = "Logged out"
    OWN_PASSWORD = "Changed their password"  # noqa: S105 (words on a page)
    OWN_SESSIONS = "Logged out everywhere"
    OWN_SESSION = "Logged out one of their browsers"
    ACCOUNT = "Added an account"
    ROLE = "Changed an account's role"
    ACCOUNT_REMOVED = "Deleted an account"
    INVITATION = "Created an invitation"
    INVITATION_WITHDRAWN = "Withdrew an invitation"
    PROGRAM = "Created a program's token"
    PROGRAM_REMOVED = "Removed a program's token"
    SESSION_ENDED = "Logged somebody out"
    OPENED = "Opened a tournament"
    ARCHIVED = "Archived the tournament"
    REOPENED = "Reopened the tournament"
    PLAN_ARRANGED = "Arranged the hall plan in rows"
    TABLES_MOVED = "Moved the tournament to other tables"
    WAIVERS = "Changed rounds or time limit"
    DOCUMENT = "Changed the publisher's document"
    TOURNAMENT_RENAMED = "Corrected the tournament's name or date"
    DATA = "Downloaded data"
    PROOF = "Downloaded the proof pack"
    UNDONE = "Undid steps"
    REGISTERED = "Registered a player"
    IMPORTED = "Registered players from a file"
    LATE_ENTRY = "Opened or closed late entry"
    RENAMED = "Renamed a player"
    REMOVED = "Removed a player registered by mistake"
    WITHDRAWN = "Withdrew a player"
    REINSTATED = "Undid a withdrawal"
    FOUR_ALLOWED = "Allowed tables of 4"
    SEASON_ADDED = "Added a season"
    SEASON_CHANGED = "Changed a season"
    SEASON_REMOVED = "Removed a season"
    SCREEN_ADDED = "Added a screen in the hall"
    SCREEN_CHANGED = "Changed a screen in the hall"
    SCREEN_REMOVED = "Removed a screen in the hall"
    REVEALED = "Revealed the ranking on a screen"
    DESK = "Changed what players may do themselves"
    CHECKED_IN = "Changed whether a player is here"
    ALL_CHECKED_IN = "Checked all the others in"
    DESK_AGAIN = "Began check-in again"
    APPLIED = "Applied to play"
    APPLICATION = "Answered an application to play"
    LEAVING = "Answered a player who asked to leave"
    ASKED_TO_LEAVE = "Asked to leave, or to stay after all"
    CHECKED_THEMSELVES_IN = "Checked in by themselves"
    OWN_RESULTS = "Looked at their own results"
    PRIVATE_CODE = "Replaced a player's private code"
    WARNED = "Warned a player"
    EJECTED = "Ejected a player"
    SEALED = "Sealed a draw"
    DRAWN = "Drew the tables"
    DRAFT_CHANGED = "Changed a draw by hand"
    PUBLISHED = "Published a draw"
    WITHOUT_ENTRIES = "Continued without missing entries"
    WITHOUT_SHEETS = "Drew without missing record sheets"
    LOTS = "Drew lots for ties"
    ONE_ON_ONE = "Entered a one-on-one game"
    TIE_DUEL = "Called tied players to a table"
    TIE_DUEL_OFF = "Called off a duel of tied players"
    RANKING = "Published the ranking"
    OWN_TOTAL = "Showed a player their total"
    FINALS_RANKING = "Published the ranking of the rounds"
    FINALS_BEGUN = "Called duels of the finals"
    FINALS_PUBLISHED = "Published the finals"
    CLOCK = "Changed the round clock"
    CALL_CLAIMED = "Answered a table's call"
    CALL_ENDED = "Closed a call"
    CALL_ESCALATED = "Asked for the head judge at a table"
    CALL_HANDED_OVER = "Handed a call over"
    CALL_RELEASED = "Released a call"
    LATE_ACCEPTED = "Continued a game from late entries"
    LATE_SEEN = "Marked late entries as seen"
    SWAPPED = "Swapped a table's terminal"
    DEVICE_OFFERED = "Showed a code for a phone or tablet as terminal"
    DEVICES_OFFERED = "Showed codes for phones and tablets as terminals"
    DEVICE_TAKEN = "Made a phone or tablet a table's terminal"
    DEVICE_ENDED = "Ended a terminal on a phone or tablet"
    TIME_UP = "Ended a game at the time limit"
    TROUBLE_SEEN = "Marked a terminal's problem as seen"
    JOURNAL = "Downloaded a terminal's entries"
    TERMINAL_SHEET = "Confirmed the record sheet of a terminal"
    PAPER_SHEET = "Entered or corrected a record sheet by hand"
    DISPUTED = "Disputed a record sheet"
    SETTLED = "Let a disputed record sheet stand"
    OFFLINE = "Imported offline results"
    MESSAGE = "Sent a message to tables"
    MESSAGE_WITHDRAWN = "Withdrew a message"
    IDENTIFIED = "Identified a terminal"
    SPARES_IDENTIFIED = "Identified the spares"
    LOCKED_ALL = "Locked all terminals"
    UNLOCKED_ALL = "Unlocked all terminals"
    LOCKED = "Locked a terminal"
    UNLOCKED = "Unlocked a terminal"
    RESTARTED = "Restarted a terminal"
    JOIN_CODE = "Created a code to enrol a terminal"
    PROVISIONED = "Created a provisioning file"
    ADMITTED = "Enrolled a terminal at a cable"
    DECLINED = "Refused a terminal at a cable"
    SIGN_IN = "Changed the sign-in by phone"
    ASSIGNED = "Assigned a terminal to a table"
    TRUSTED = "Trusted terminals that an organiser enrolled"
    REVOKED = "Revoked a terminal"
    CARD_FILES = "Created files for cards"
    CARD_IMAGE = "Created an image for cards"
    CARD_SETTINGS = "Changed the settings for cards"
    CARDS_WITHDRAWN = "Withdrew files for cards"
    VERSION_UPLOADED = "Uploaded a version for terminals"
    VERSION_AGAIN = "Tried a version again"
    VERSION_GO = "Offered a version to terminals"
    VERSION_REMOVED = "Removed a version"
    PIN = "Gave all terminals new PINs"
    REHEARSAL_BEGUN = "Began a rehearsal"
    REHEARSAL_ENDED = "Ended a rehearsal"
    STATION_CLOCK = "Set the station's clock"
    USB_COPY = "Made a copy on the USB drive"
    USB_EJECTED = "Ejected the USB drive"
    POWER = "Switched the station off or restarted it"
    BACKUP = "Downloaded a backup"
    ENCRYPTED_BACKUP = "Downloaded an encrypted backup"
    PASSPHRASE = "Set the passphrase for backups"  # noqa: S105 (words on a page)


class RecordedRoute(msgspec.Struct, frozen=True):
    """A route recorded in the audit log. fields: the form fields that are kept, none of them secret."""

    kind: AuditKind
    action: AuditAction
    fields: tuple[str, ...] = ()


_A, _K, _R = AuditAction, AuditKind, RecordedRoute
_T: Final = "/judge/t/{tournament}"
_TABLE: Final = _T + "/tables/{round_no}/{table}"
_ONE: Final = "/judge/terminals/{terminal}"

RECORDED: Final[Mapping[str, RecordedRoute]] = {
    "POST /first": _R(_K.ACCOUNTS, _A.FIRST_ACCOUNT, ("name",)),
    "POST /first/restore": _R(_K.STATION, _A.FIRST_RESTORE),
    "POST /invitation": _R(_K.ACCOUNTS, _A.INVITED_IN),
    "POST /login": _R(_K.ACCOUNTS, _A.LOGIN, ("name",)),
    "POST /logout": _R(_K.ACCOUNTS, _A.LOGOUT),
    "POST /judge/account/password": _R(_K.ACCOUNTS, _A.OWN_PASSWORD),
    "POST /judge/account/sign-out-everywhere": _R(_K.ACCOUNTS, _A.OWN_SESSIONS),
    "POST /judge/account/sessions/end": _R(_K.ACCOUNTS, _A.OWN_SESSION, ("number",)),
    "POST /judge/accounts": _R(_K.ACCOUNTS, _A.ACCOUNT, ("name", "role")),
    "POST /judge/accounts/role": _R(_K.ACCOUNTS, _A.ROLE, ("name", "role")),
    "POST /judge/accounts/remove": _R(_K.ACCOUNTS, _A.ACCOUNT_REMOVED, ("name",)),
    "POST /judge/accounts/invitations": _R(_K.ACCOUNTS, _A.INVITATION, ("name", "role")),
    "POST /judge/accounts/invitations/withdraw": _R(_K.ACCOUNTS, _A.INVITATION_WITHDRAWN, ("number",)),
    "POST /judge/accounts/tokens": _R(_K.ACCOUNTS, _A.PROGRAM, ("name", "role")),
    "POST /judge/accounts/tokens/remove": _R(_K.ACCOUNTS, _A.PROGRAM_REMOVED, ("number",)),
    "POST /judge/accounts/sessions/end": _R(_K.ACCOUNTS, _A.SESSION_ENDED, ("name", "number")),
    "POST /judge/tournaments": _R(_K.TOURNAMENT, _A.OPENED, ("name", "edition", "date")),
    f"POST {_T}/archive": _R(_K.TOURNAMENT, _A.ARCHIVED),
    f"POST {_T}/reopen": _R(_K.TOURNAMENT, _A.REOPENED),
    f"POST {_T}/tables": _R(_K.TOURNAMENT, _A.TABLES_MOVED, ("tables",)),
    f"POST {_T}/document": _R(_K.TOURNAMENT, _A.DOCUMENT, ("link",)),
    f"POST {_T}/waivers": _R(_K.TOURNAMENT, _A.WAIVERS, ("rounds", "time_limit_min", "cycles", "reason")),
    f"POST {_T}/name": _R(_K.TOURNAMENT, _A.TOURNAMENT_RENAMED, ("name", "date")),
    f"GET {_T}/data/workbook.xlsx": _R(_K.TOURNAMENT, _A.DATA),
    f"GET {_T}/data/{{table}}/file.csv": _R(_K.TOURNAMENT, _A.DATA),
    f"GET {_T}/export": _R(_K.TOURNAMENT, _A.PROOF),
    f"POST {_T}/undo": _R(_K.TOURNAMENT, _A.UNDONE, ("steps", "reason")),
    f"POST {_T}/players": _R(_K.PLAYERS, _A.REGISTERED, ("name", "club")),
    f"POST {_T}/players/import/confirm": _R(_K.PLAYERS, _A.IMPORTED),
    f"POST {_T}/players/late-entry": _R(_K.PLAYERS, _A.LATE_ENTRY, ("open", "reason")),
    f"POST {_T}/players/{{player}}/rename": _R(_K.PLAYERS, _A.RENAMED, ("name", "club")),
    f"POST {_T}/players/{{player}}/remove": _R(_K.PLAYERS, _A.REMOVED),
    f"POST {_T}/players/{{player}}/reinstate": _R(_K.PLAYERS, _A.REINSTATED, ("reason",)),
    f"POST {_T}/players/{{player}}/withdraw": _R(_K.PLAYERS, _A.WITHDRAWN, ("reason",)),
    "POST /judge/seasons": _R(_K.TOURNAMENT, _A.SEASON_ADDED, ("name", "rule")),
    "POST /judge/seasons/{season}": _R(_K.TOURNAMENT, _A.SEASON_CHANGED, ("name", "rule")),
    "POST /judge/seasons/{season}/remove": _R(_K.TOURNAMENT, _A.SEASON_REMOVED),
    f"POST {_T}/projectors": _R(_K.TOURNAMENT, _A.SCREEN_ADDED, ("name",)),
    f"POST {_T}/projectors/{{key}}": _R(_K.TOURNAMENT, _A.SCREEN_CHANGED, ("name", "text")),
    f"POST {_T}/projectors/{{key}}/pin": _R(_K.TOURNAMENT, _A.SCREEN_CHANGED, ("page",)),
    f"POST {_T}/projectors/{{key}}/reveal": _R(_K.TOURNAMENT, _A.REVEALED, ("do",)),
    f"POST {_T}/projectors/{{key}}/remove": _R(_K.TOURNAMENT, _A.SCREEN_REMOVED),
    f"POST {_T}/check-in/settings": _R(_K.PLAYERS, _A.DESK, ("registration", "self-check-in", "own-results")),
    f"POST {_T}/check-in/again": _R(_K.PLAYERS, _A.DESK_AGAIN),
    f"POST {_T}/check-in/all": _R(_K.PLAYERS, _A.ALL_CHECKED_IN),
    f"POST {_T}/check-in/typed": _R(_K.PLAYERS, _A.CHECKED_IN),
    f"POST {_T}/check-in/{{player}}": _R(_K.PLAYERS, _A.CHECKED_IN, ("state",)),
    f"POST {_T}/check-in/leaving/{{player}}": _R(_K.PLAYERS, _A.LEAVING, ("answer",)),
    f"POST {_T}/check-in/applications/{{number}}": _R(_K.PLAYERS, _A.APPLICATION, ("answer",)),
    f"POST {_T}/check-in/private/{{player}}": _R(_K.PLAYERS, _A.PRIVATE_CODE),
    "POST /t/{tournament}/register": _R(_K.PLAYERS, _A.APPLIED, ("name", "club")),
    "POST /me/{code}/here": _R(_K.PLAYERS, _A.CHECKED_THEMSELVES_IN),
    "POST /me/{code}/leave": _R(_K.PLAYERS, _A.ASKED_TO_LEAVE, ("leaving",)),
    "POST /me/{code}/results": _R(_K.PLAYERS, _A.OWN_RESULTS),
    f"POST {_T}/players/{{player}}/warn": _R(_K.PLAYERS, _A.WARNED, ("offence", "reason")),
    f"POST {_T}/players/{{player}}/eject": _R(_K.PLAYERS, _A.EJECTED, ("offence", "reason")),
    f"POST {_T}/draw/seal": _R(_K.DRAWS, _A.SEALED, ("reason",)),
    f"POST {_T}/draw/end": _R(_K.TOURNAMENT, _A.WAIVERS, ("reason",)),
    f"POST {_T}/draw/four": _R(_K.DRAWS, _A.FOUR_ALLOWED, ("reason",)),
    f"POST {_T}/draw/make": _R(_K.DRAWS, _A.DRAWN, ("hall_word",)),
    f"POST {_T}/draw/change": _R(_K.DRAWS, _A.DRAFT_CHANGED, ("player", "with", "to", "reason")),
    f"POST {_T}/draw/publish": _R(_K.DRAWS, _A.PUBLISHED),
    f"POST {_T}/draw/without": _R(_K.DRAWS, _A.WITHOUT_ENTRIES, ("reason",)),
    f"POST {_T}/draw/without-sheets": _R(_K.DRAWS, _A.WITHOUT_SHEETS, ("reason",)),
    f"POST {_T}/standings/lots": _R(_K.DRAWS, _A.LOTS),
    f"POST {_T}/standings/one-on-one": _R(_K.DRAWS, _A.ONE_ON_ONE, ("pair", "winner")),
    f"POST {_T}/standings/one-on-one/begin": _R(_K.DRAWS, _A.TIE_DUEL, ("pair", "kind")),
    f"POST {_T}/standings/one-on-one/call-off": _R(_K.DRAWS, _A.TIE_DUEL_OFF, ("game",)),
    f"POST {_T}/standings/publish": _R(_K.DRAWS, _A.RANKING),
    f"GET {_T}/standings/{{player}}": _R(_K.DRAWS, _A.OWN_TOTAL),
    f"POST {_T}/finals/begin": _R(_K.DRAWS, _A.FINALS_BEGUN, ("kind",)),
    f"POST {_T}/finals/publish": _R(_K.DRAWS, _A.FINALS_PUBLISHED),
    f"POST {_T}/finals/rounds": _R(_K.DRAWS, _A.FINALS_RANKING),
    f"POST {_T}/clock": _R(_K.TABLES, _A.CLOCK, ("do", "table", "minutes", "reason")),
    f"POST {_TABLE}/answer": _R(_K.TABLES, _A.CALL_CLAIMED),
    f"POST {_TABLE}/call/end": _R(_K.TABLES, _A.CALL_ENDED),
    f"POST {_TABLE}/call/escalate": _R(_K.TABLES, _A.CALL_ESCALATED),
    f"POST {_TABLE}/call/hand-over": _R(_K.TABLES, _A.CALL_HANDED_OVER, ("to",)),
    f"POST {_TABLE}/call/release": _R(_K.TABLES, _A.CALL_RELEASED),
    f"POST {_TABLE}/late/go-on": _R(_K.TABLES, _A.LATE_ACCEPTED, ("reason",)),
    f"POST {_TABLE}/late/seen": _R(_K.TABLES, _A.LATE_SEEN),
    f"POST {_TABLE}/swap": _R(_K.TABLES, _A.SWAPPED, ("terminal",)),
    f"POST {_TABLE}/time": _R(_K.TABLES, _A.TIME_UP, ("how", "ending", "reason")),
    f"POST {_ONE}/trouble/seen": _R(_K.TERMINALS, _A.TROUBLE_SEEN),
    f"GET {_ONE}/trouble/export": _R(_K.TERMINALS, _A.JOURNAL),
    f"POST {_TABLE}/confirm": _R(_K.SHEETS, _A.TERMINAL_SHEET),
    f"POST {_TABLE}/sheet/confirm": _R(_K.SHEETS, _A.PAPER_SHEET, ("reason",)),
    f"POST {_TABLE}/dispute": _R(_K.SHEETS, _A.DISPUTED, ("reason",)),
    f"POST {_TABLE}/settle": _R(_K.SHEETS, _A.SETTLED, ("reason",)),
    "POST /judge/take-in": _R(_K.SHEETS, _A.OFFLINE),
    "POST /judge/messages": _R(_K.TERMINALS, _A.MESSAGE, ("to", "tables", "text")),
    "POST /judge/messages/{message}/withdraw": _R(_K.TERMINALS, _A.MESSAGE_WITHDRAWN),
    "POST /judge/terminals/identify-spares": _R(_K.TERMINALS, _A.SPARES_IDENTIFIED),
    f"POST {_ONE}/identify": _R(_K.TERMINALS, _A.IDENTIFIED),
    "POST /judge/terminals/lock-all": _R(_K.TERMINALS, _A.LOCKED_ALL),
    "POST /judge/terminals/unlock-all": _R(_K.TERMINALS, _A.UNLOCKED_ALL),
    f"POST {_ONE}/lock": _R(_K.TERMINALS, _A.LOCKED),
    f"POST {_ONE}/unlock": _R(_K.TERMINALS, _A.UNLOCKED),
    f"POST {_ONE}/restart": _R(_K.TERMINALS, _A.RESTARTED),
    "POST /judge/plan/arrange": _R(_K.STATION, _A.PLAN_ARRANGED, ("tables",)),
    "POST /judge/devices": _R(_K.TERMINALS, _A.DEVICE_OFFERED, ("table",)),
    "POST /judge/devices/all": _R(_K.TERMINALS, _A.DEVICES_OFFERED),
    "POST /judge/devices/{key}/end": _R(_K.TERMINALS, _A.DEVICE_ENDED),
    "POST /device/{word}": _R(_K.TERMINALS, _A.DEVICE_TAKEN),
    "POST /judge/terminals/code": _R(_K.TERMINALS, _A.JOIN_CODE, ("table",)),
    "POST /judge/terminals/enrol": _R(_K.TERMINALS, _A.PROVISIONED, ("table",)),
    "POST /judge/terminals/take-in": _R(_K.TERMINALS, _A.ADMITTED, ("table",)),
    "POST /judge/terminals/refuse": _R(_K.TERMINALS, _A.DECLINED),
    "POST /judge/terminals/sign-in": _R(_K.TERMINALS, _A.SIGN_IN, ("on", "address")),
    f"POST {_ONE}/assign": _R(_K.TERMINALS, _A.ASSIGNED, ("table",)),
    "POST /judge/terminals/trust": _R(_K.TERMINALS, _A.TRUSTED, ("terminals",)),
    f"POST {_ONE}/revoke": _R(_K.TERMINALS, _A.REVOKED),
    "POST /judge/terminals/cards/files": _R(_K.TERMINALS, _A.CARD_FILES, ("tables",)),
    "POST /judge/terminals/cards/image": _R(_K.TERMINALS, _A.CARD_IMAGE),
    "POST /judge/terminals/cards/settings": _R(_K.TERMINALS, _A.CARD_SETTINGS),
    "POST /judge/terminals/cards/withdraw": _R(_K.TERMINALS, _A.CARDS_WITHDRAWN),
    "POST /judge/terminals/cards/{key}/withdraw": _R(_K.TERMINALS, _A.CARDS_WITHDRAWN),
    "POST /judge/updates/bring": _R(_K.TERMINALS, _A.VERSION_UPLOADED),
    "POST /judge/updates/{architecture}/again": _R(_K.TERMINALS, _A.VERSION_AGAIN),
    "POST /judge/updates/{architecture}/go": _R(_K.TERMINALS, _A.VERSION_GO),
    "POST /judge/updates/{architecture}/remove": _R(_K.TERMINALS, _A.VERSION_REMOVED),
    "POST /judge/terminals/pins": _R(_K.TERMINALS, _A.PIN),
    "POST /judge/rehearsal/start": _R(_K.STATION, _A.REHEARSAL_BEGUN),
    "POST /judge/rehearsal/end": _R(_K.STATION, _A.REHEARSAL_ENDED),
    "POST /judge/station/clock": _R(_K.STATION, _A.STATION_CLOCK),
    "POST /judge/station/copy": _R(_K.STATION, _A.USB_COPY),
    "POST /judge/station/let-go": _R(_K.STATION, _A.USB_EJECTED),
    "POST /judge/station/power": _R(_K.STATION, _A.POWER, ("do",)),
    "GET /judge/backup": _R(_K.STATION, _A.BACKUP),
    "GET /judge/backup/encrypted": _R(_K.STATION, _A.ENCRYPTED_BACKUP),
    "POST /judge/backup/passphrase": _R(_K.STATION, _A.PASSPHRASE),
}
"""All routes that change or disclose something, by the same keys as in the routes' permissions."""

_CLI: Final = "saloon-station"

COMMANDS: Final[Mapping[str, RecordedRoute]] = {
    f"{_CLI} judge add": _R(_K.ACCOUNTS, _A.ACCOUNT),
    f"{_CLI} judge role": _R(_K.ACCOUNTS, _A.ROLE),
    f"{_CLI} judge invite": _R(_K.ACCOUNTS, _A.INVITATION),
    f"{_CLI} judge remove": _R(_K.ACCOUNTS, _A.ACCOUNT_REMOVED),
    f"{_CLI} pins": _R(_K.TERMINALS, _A.PIN),
    f"{_CLI} enrol": _R(_K.TERMINALS, _A.PROVISIONED),
    f"{_CLI} restore": _R(_K.STATION, _A.RESTORED),
    f"{_CLI} take": _R(_K.SHEETS, _A.OFFLINE),
}
"""Recorded commands. `backup` and `export` only read, and can run beside the station."""

UNRECORDED: Final[Mapping[str, str]] = {
    "POST /judge/plan/move": "a drag on the hall plan, which shows where every table is",
    "POST /device/at/{key}/{name}": "touches; the terminal's entries show what came of them",
    "POST /language": "changes nothing but the words of that browser",
    "POST /in/{token}/{seat}": "a player at the table; the table's entries show who is here",
    "POST /judge/new/house-rules": "a preview",
    f"POST {_T}/players/import": "a preview",
    f"POST {_T}/players/{{player}}/eject/what-if": "a preview",
    f"POST {_T}/players/{{player}}/withdraw/what-if": "a preview",
    f"POST {_T}/undo/what-if": "a preview",
    f"POST {_T}/draw/change/what-if": "a preview",
    f"POST {_TABLE}/sheet": "a preview",
    f"POST {_TABLE}/sheet/again": "a preview",
    "POST /judge/take-in/frame": "a frame of a camera; terminals' entries show what came of it",
    "POST /judge/rehearsal/fault": "a rehearsal counts for nothing",
    "POST /judge/rehearsal/hand": "a rehearsal counts for nothing",
    "POST /judge/rehearsal/pace": "a rehearsal counts for nothing",
}
"""Routes that are not recorded, each with the reason."""

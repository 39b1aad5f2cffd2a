"""The permission for each page of the station, in one line per method and path.

The station does not start if a route has no line here, or a line has no route.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from litestar.routes import ASGIRoute, HTTPRoute, WebSocketRoute

from saloon.base.errors import OurFault
from saloon.station.accounts.permissions import Permission

_ROUTES: Final[Mapping[Permission, str]] = {
    Permission.PUBLIC_PAGES: """
        GET /
        GET /station
        GET /health
        GET /api
        GET /api/{path}
        GET /api/openapi.json
        GET /api/v1/tournaments
        GET /api/v1/tournaments/{tournament}
        GET /api/v1/tournaments/{tournament}/players
        GET /api/v1/tournaments/{tournament}/rounds
        GET /api/v1/tournaments/{tournament}/tables
        GET /api/v1/tournaments/{tournament}/results
        GET /api/v1/tournaments/{tournament}/ranking
        GET /api/v1/tournaments/{tournament}/penalties
        GET /api/v1/tournaments/{tournament}/changes
        GET /rules/{edition}
        GET /guide
        GET /guide/{name}
        GET /t/{tournament}
        GET /t/{tournament}/rounds/{round_no}/draw
        GET /t/{tournament}/rounds/{round_no}/seats
        GET /t/{tournament}/rules
        GET /t/{tournament}/document
        GET /t/{tournament}/find
        GET /t/{tournament}/player/{player}
        GET /t/{tournament}/table/{table}
        GET /t/{tournament}/register
        POST /t/{tournament}/register
        GET /projector/{key}
        GET /projector/{key}/pages
        GET /projector/{key}/overlay
        GET /projector/{key}/overlay/pages
        GET /me/{code}
        POST /me/{code}/here
        POST /me/{code}/leave
        POST /me/{code}/results
        GET /t/{tournament}/statistics
        GET /season/{season}
        GET /t/{tournament}/why/{player}
        GET /device/{word}
        POST /device/{word}
        GET /device/at/{key}
        GET /device/at/{key}/{name}
        POST /device/at/{key}/{name}
        GET /in/{token}
        GET /in/{token}/seats
        GET /in/{token}/{seat}
        POST /in/{token}/{seat}
        GET /first
        POST /first
        POST /first/restore
        GET /invitation
        POST /invitation
        GET /login
        POST /login
        POST /logout
        POST /language
        GET /static/{file_path}
        GET /static/fonts/{file_path}
        GET /static/pictures/{file_path}
    """,
    Permission.OWN_ACCOUNT: """
        GET /judge
        GET /judge/account
        POST /judge/account/password
        POST /judge/account/sign-out-everywhere
        POST /judge/account/sessions/end
    """,
    Permission.TOURNAMENTS: """
        GET /judge/t/{tournament}
        GET /judge/events
        GET /judge/t/{tournament}/players
        GET /judge/t/{tournament}/players/{player}
        GET /judge/t/{tournament}/players/ejected
        GET /judge/t/{tournament}/players/ejected.txt
        GET /judge/t/{tournament}/data
        GET /judge/t/{tournament}/data/workbook.xlsx
        GET /judge/t/{tournament}/data/{table}/file.csv
        GET /judge/t/{tournament}/print
        GET /judge/t/{tournament}/print/{kind}/file
        GET /judge/t/{tournament}/print/{kind}/pages/{number}
    """,
    Permission.SET_UP: """
        GET /judge/new
        GET /judge/plan
        POST /judge/plan/arrange
        POST /judge/plan/move
        POST /judge/t/{tournament}/archive
        POST /judge/t/{tournament}/reopen
        GET /judge/new/as/{tournament}
        GET /judge/new/house-rules
        POST /judge/new/house-rules
        GET /judge/new/{edition}
        POST /judge/tournaments
        POST /judge/t/{tournament}/tables
        POST /judge/t/{tournament}/document
        POST /judge/t/{tournament}/waivers
        POST /judge/t/{tournament}/name
        GET /judge/seasons
        POST /judge/seasons
        POST /judge/seasons/{season}
        POST /judge/seasons/{season}/remove
    """,
    Permission.CHECK_IN: """
        GET /judge/t/{tournament}/check-in
        POST /judge/t/{tournament}/check-in/all
        POST /judge/t/{tournament}/check-in/typed
        POST /judge/t/{tournament}/check-in/{player}
    """,
    Permission.PROJECTORS: """
        GET /judge/t/{tournament}/projectors
        POST /judge/t/{tournament}/projectors
        POST /judge/t/{tournament}/projectors/{key}
        POST /judge/t/{tournament}/projectors/{key}/pin
        POST /judge/t/{tournament}/projectors/{key}/reveal
        POST /judge/t/{tournament}/projectors/{key}/remove
    """,
    Permission.PLAYERS: """
        POST /judge/t/{tournament}/check-in/settings
        POST /judge/t/{tournament}/check-in/again
        POST /judge/t/{tournament}/check-in/leaving/{player}
        POST /judge/t/{tournament}/check-in/applications/{number}
        POST /judge/t/{tournament}/players
        POST /judge/t/{tournament}/players/import
        POST /judge/t/{tournament}/players/import/confirm
        POST /judge/t/{tournament}/players/late-entry
        POST /judge/t/{tournament}/players/{player}/rename
        POST /judge/t/{tournament}/players/{player}/remove
        POST /judge/t/{tournament}/players/{player}/withdraw
        POST /judge/t/{tournament}/players/{player}/reinstate
    """,
    Permission.WARNINGS: """
        GET /judge/t/{tournament}/players/{player}/penalty
        POST /judge/t/{tournament}/players/{player}/warn
    """,
    Permission.EJECTIONS: """
        POST /judge/t/{tournament}/players/{player}/eject
    """,
    Permission.FLOOR: """
        POST /judge/t/{tournament}/clock
        GET /judge/t/{tournament}/floor
        GET /judge/t/{tournament}/pace
        GET /judge/t/{tournament}/pace/line
        GET /judge/t/{tournament}/floor/calls
        GET /judge/t/{tournament}/floor/events
        GET /judge/t/{tournament}/find
        GET /judge/t/{tournament}/tables/{round_no}/{table}
        POST /judge/t/{tournament}/tables/{round_no}/{table}/answer
        GET /judge/calls
        GET /judge/calls/badge
        GET /judge/calls/certificate
        GET /judge/calls/queue
        GET /judge/calls/report
        POST /judge/t/{tournament}/tables/{round_no}/{table}/call/end
        POST /judge/t/{tournament}/tables/{round_no}/{table}/call/escalate
        POST /judge/t/{tournament}/tables/{round_no}/{table}/call/hand-over
        POST /judge/t/{tournament}/tables/{round_no}/{table}/call/release
        POST /judge/t/{tournament}/tables/{round_no}/{table}/late/go-on
        POST /judge/t/{tournament}/tables/{round_no}/{table}/late/seen
        GET /judge/t/{tournament}/tables/{round_no}/{table}/swap
        POST /judge/t/{tournament}/tables/{round_no}/{table}/swap
        POST /judge/t/{tournament}/tables/{round_no}/{table}/time
        GET /judge/devices
        POST /judge/devices
        POST /judge/devices/all
        POST /judge/devices/{key}/end
        GET /judge/terminals/{terminal}/trouble
        GET /judge/terminals/{terminal}/trouble/export
        POST /judge/terminals/{terminal}/trouble/seen
        GET /judge/terminals/pins
        POST /judge/terminals/trust
    """,
    Permission.SHEETS: """
        POST /judge/t/{tournament}/tables/{round_no}/{table}/confirm
        POST /judge/t/{tournament}/tables/{round_no}/{table}/dispute
        POST /judge/t/{tournament}/tables/{round_no}/{table}/settle
        GET /judge/t/{tournament}/tables/{round_no}/{table}/sheet
        POST /judge/t/{tournament}/tables/{round_no}/{table}/sheet
        POST /judge/t/{tournament}/tables/{round_no}/{table}/sheet/again
        POST /judge/t/{tournament}/tables/{round_no}/{table}/sheet/confirm
        GET /judge/take-in
        POST /judge/take-in
        POST /judge/take-in/frame
    """,
    Permission.DRAWS: """
        GET /judge/t/{tournament}/draw
        POST /judge/t/{tournament}/draw/make
        POST /judge/t/{tournament}/draw/publish
        POST /judge/t/{tournament}/draw/seal
        POST /judge/t/{tournament}/draw/end
        POST /judge/t/{tournament}/draw/four
        POST /judge/t/{tournament}/draw/without
        POST /judge/t/{tournament}/draw/without-sheets
        POST /judge/t/{tournament}/draw/change
        POST /judge/t/{tournament}/draw/change/what-if
    """,
    Permission.STANDINGS: """
        POST /judge/t/{tournament}/check-in/private/{player}
        GET /judge/t/{tournament}/standings
        GET /judge/t/{tournament}/standings/{player}
        GET /judge/t/{tournament}/standings/{player}/why
        POST /judge/t/{tournament}/standings/lots
        POST /judge/t/{tournament}/standings/one-on-one
        POST /judge/t/{tournament}/standings/one-on-one/begin
        POST /judge/t/{tournament}/standings/one-on-one/call-off
        POST /judge/t/{tournament}/standings/publish
        GET /judge/t/{tournament}/finals
        POST /judge/t/{tournament}/finals/begin
        POST /judge/t/{tournament}/finals/publish
        POST /judge/t/{tournament}/finals/rounds
        POST /judge/t/{tournament}/players/{player}/eject/what-if
        POST /judge/t/{tournament}/players/{player}/withdraw/what-if
        POST /judge/t/{tournament}/undo/what-if
    """,
    Permission.HISTORY: """
        GET /judge/t/{tournament}/history
        POST /judge/t/{tournament}/undo
        GET /judge/t/{tournament}/voided/{game}
        GET /judge/t/{tournament}/proof
        GET /judge/t/{tournament}/export
    """,
    Permission.MESSAGES: """
        GET /judge/messages
        POST /judge/messages
        POST /judge/messages/{message}/withdraw
        POST /judge/terminals/identify-spares
        POST /judge/terminals/{terminal}/identify
    """,
    Permission.REMOTE_CONTROL: """
        POST /judge/terminals/lock-all
        POST /judge/terminals/unlock-all
        POST /judge/terminals/{terminal}/lock
        POST /judge/terminals/{terminal}/restart
        POST /judge/terminals/{terminal}/unlock
    """,
    Permission.TERMINALS: """
        GET /judge/terminals
        GET /judge/terminals/{terminal}/link
    """,
    Permission.ENROLMENT: """
        POST /judge/terminals/code
        GET /judge/terminals/doors
        POST /judge/terminals/enrol
        POST /judge/terminals/refuse
        POST /judge/terminals/sign-in
        POST /judge/terminals/take-in
        POST /judge/terminals/{terminal}/assign
        GET /judge/terminals/{terminal}/revoke
        POST /judge/terminals/{terminal}/revoke
        GET /judge/terminals/cards
        POST /judge/terminals/cards/files
        POST /judge/terminals/cards/image
        GET /judge/terminals/cards/labels
        POST /judge/terminals/cards/settings
        POST /judge/terminals/cards/withdraw
        POST /judge/terminals/cards/{key}/withdraw
        GET /judge/updates
        POST /judge/updates/bring
        GET /judge/updates/now
        POST /judge/updates/{architecture}/again
        POST /judge/updates/{architecture}/go
        POST /judge/updates/{architecture}/remove
    """,
    Permission.PIN: """
        POST /judge/terminals/pins
    """,
    Permission.REHEARSALS: """
        GET /judge/rehearsal
        POST /judge/rehearsal/end
        POST /judge/rehearsal/fault
        POST /judge/rehearsal/hand
        GET /judge/rehearsal/live
        POST /judge/rehearsal/pace
        POST /judge/rehearsal/start
    """,
    Permission.STATION: """
        GET /judge/station
        POST /judge/station/clock
        GET /judge/station/power
        POST /judge/station/power
    """,
    Permission.ENCRYPTED_BACKUPS: """
        GET /judge/backup/encrypted
    """,
    Permission.BACKUPS: """
        GET /judge/backup
        POST /judge/backup/passphrase
        POST /judge/station/copy
        POST /judge/station/let-go
    """,
    Permission.ACCOUNTS: """
        GET /judge/accounts
        POST /judge/accounts
        POST /judge/accounts/invitations
        POST /judge/accounts/invitations/withdraw
        POST /judge/accounts/remove
        POST /judge/accounts/role
        POST /judge/accounts/sessions/end
        POST /judge/accounts/tokens
        POST /judge/accounts/tokens/remove
    """,
    Permission.AUDIT: """
        GET /judge/audit
        GET /judge/audit/audit.csv
        GET /judge/audit/audit.jsonl
    """,
}

_BY_ROUTE: Final = {
    line.strip(): permission for permission, lines in _ROUTES.items() for line in lines.strip().splitlines()
}
_SAME: Final = {"HEAD": "GET"}
_SAYS_NOTHING: Final = "OPTIONS"
"""The method whose response only names the methods of a route, so it needs no permission."""


def permission_of(method: str, path: str) -> Permission:
    """Return the permission for a route. path: with the parameters in braces.

    Raises KeyError for a route without a line.
    """
    if method == _SAYS_NOTHING:
        return Permission.PUBLIC_PAGES
    return _BY_ROUTE[f"{_SAME.get(method, method)} {path}"]


def check_routes(routes: Iterable[HTTPRoute | ASGIRoute | WebSocketRoute]) -> None:
    """Check that all routes have a line, and all lines a route. Raises OurFault naming any without."""
    found = {
        f"{_SAME.get(method, method)} {route.path_format}"
        for route in routes
        for method in (route.methods if isinstance(route, HTTPRoute) else ())
        if method != _SAYS_NOTHING
    }
    bare = [route.path_format for route in routes if not isinstance(route, HTTPRoute)]
    if bare or found != _BY_ROUTE.keys():
        without, unused = sorted(found - _BY_ROUTE.keys()) + bare, sorted(_BY_ROUTE.keys() - found)
        raise OurFault(f"routes without a permission: {without}; permissions without a route: {unused}")

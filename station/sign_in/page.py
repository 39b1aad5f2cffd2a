"""The page where a table's players sign in on their phones, opened by the QR code on the terminal."""

from typing import Final

from litestar import Router, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Response, Template

from base.errors import Refused, Unavailable
from base.languages import LANGUAGES
from core.terms import SeatNo
from station.accounts.permissions import Permission
from station.audit import Unrecorded
from station.enrolment.sign_in_links import PATH
from station.sign_in.service import (
    PhoneSignIn,
    SeatStatus,
    SignInRefusal,
    SignInSeat,
    SignInTable,
)
from station.text.i18n import language_of
from station.web.limits import count_wrong_code
from station.web.page_keys import shown_key
from station.web.site import PageRequest, notice
from station.web.tournament_context import PageContext, unchanged

_MINE: Final = "sign-in"
"""The session key for the token and seat that this phone has signed in."""


class SignInContext(PageContext):
    """A request with a table's token. Raises NotFoundException for an invalid one."""

    def __init__(self, request: PageRequest, token: FromPath[str]) -> None:
        super().__init__(request)
        try:
            self.table: SignInTable = self.service.of(PhoneSignIn).table(token)
        except Refused as error:
            count_wrong_code(request)
            raise NotFoundException(SignInRefusal.WRONG_LINK.value) from error

    @property
    def url(self) -> str:
        return f"{PATH}{self.table.token}"

    @property
    def mine(self) -> SignInSeat | None:
        """Return the seat that this phone has signed in, or None."""
        token, seat = self.request.session.get(_MINE, ("", 0))
        return self.seat(seat) if token == self.table.token else None

    def seat(self, number: int) -> SignInSeat | None:
        """Return a seat of the table, or None for a wrong number or once everybody has checked in."""
        return next((seat for seat in self.table.seats if seat.seat == number), None)

    def page(self, name: str, /, status_code: int = 200, **values: object) -> Template:
        known = {"s": self.table, "t": self.table.tournament, "url": self.url, "mine": self.mine}
        return super().page(name, status_code, **known, **values)


AtSignIn = NamedDependency[SignInContext]


@get("/", needs=Permission.PUBLIC_PAGES)
async def sign_in(here: AtSignIn) -> Template:
    return here.page("public/sign_in.html", key=_key(here))


@get("/seats", needs=Permission.PUBLIC_PAGES)
async def seats(here: AtSignIn, seen: FromQuery[str] = "") -> Template | Response[None]:
    """Show the seats, which the page polls, or return 204 if they are unchanged."""
    key = _key(here)
    if key == seen:
        return unchanged()
    return here.page("public/_sign_in.html", key=key)


@get("/{seat:int}", needs=Permission.PUBLIC_PAGES)
async def confirm(here: AtSignIn, seat: FromPath[int]) -> Template | Redirect:
    """Ask a player to confirm their seat and to choose a language."""
    chosen = here.seat(seat)
    if chosen is None or chosen.status is not SeatStatus.MISSING:
        return Redirect(here.url)
    request = here.request
    accepted = request.headers.get("accept-language", "")
    return here.page(
        "public/sign_in_seat.html",
        seat=chosen,
        spoken=language_of(request.cookies.get("language"), accepted, otherwise=""),
        panel_languages=LANGUAGES,
    )


@post(
    "/{seat:int}",
    needs=Permission.PUBLIC_PAGES,
    audit=Unrecorded("a player at the table; the table's entries show who is here"),
)
async def check_in(here: AtSignIn, seat: FromPath[int]) -> Redirect:
    """Check in a seat's player."""
    language = (await here.fields()).text("panel-language")
    if here.table.seats and here.seat(seat) is None:
        raise NotFoundException(SignInRefusal.WRONG_LINK.value)
    try:
        await here.service.of(PhoneSignIn).check_in(here.table.token, SeatNo(seat), language)
    except (Refused, Unavailable) as error:
        # Not ``show_refusal``, which would log the link.
        notice(here.request, here.words.error(error), bad=True)
    else:
        here.request.session[_MINE] = (here.table.token, seat)
    return Redirect(here.url)


def _key(here: SignInContext) -> str:
    content = [here.words.language, here.table.is_connected, here.mine and here.mine.seat]
    content += [seat.status.value for seat in here.table.seats]
    return shown_key(content)


routes = Router(
    PATH + "{token:str}",
    dependencies={"here": Provide(SignInContext, sync_to_thread=False)},
    route_handlers=[sign_in, seats, confirm, check_in],
)

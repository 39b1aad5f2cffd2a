"""The declaration of roles at the end: each survivor chooses among the roles that are possible."""

from collections import Counter
from typing import ClassVar

import msgspec

from core.game.ending.rebel import not_the_rebel
from core.game.ending.sheet import DeclareRoles, awaited_seats
from core.game.state.game import GameState, Phase, Seat
from core.game.state.seats import role_counts, roles_left
from core.terms import SHERIFF_SEAT, Role, SeatNo
from kiosk.i18n import role_name
from kiosk.scenes.guide import add_rule
from kiosk.scenes.scene import OnTouch, Reply, SceneContext, command_reply
from kiosk.scenes.widgets.card import SeatCardState, card, on_ring
from kiosk.scenes.widgets.dialogs import Dialog
from kiosk.scenes.widgets.head_fit import Heading
from kiosk.scenes.widgets.page_parts import back_offer, offer, table_page
from kiosk.ui.blocks import Align, Block, Button, ButtonStyle, Icon, Paragraph, Part, Typeface
from kiosk.ui.geometry import Rect
from kiosk.ui.table_layout import GAP_MM
from kiosk.view import theme

_LEAST_MM = 12
_NARROW_MM = 26


class DeclarationScene(msgspec.Struct, frozen=True):
    """The page on which players declare their roles after the game.

    declared: the role of each seat, or None if it is still missing.
    asking: the seat that chooses on the whole screen because its panel is too small.
    """

    declared: tuple[Role | None, ...]
    asking: SeatNo | None = None

    @staticmethod
    def of(stage: SceneContext) -> "DeclarationScene":
        """Return the scene with the roles that are known from eliminations, or follow from those."""
        return DeclarationScene(_complete_roles(_certain_roles(stage.game), stage))

    name: ClassVar[str] = "roles-declare"

    def view(self, stage: SceneContext) -> tuple[Block, ...]:
        """Draw the possible roles on each panel without a declared one."""
        _ = stage.words.gettext
        if self.asking is not None:
            return self._choice_page(stage, self.asking)
        missing = sum(role is None for role in self.declared)
        text = stage.words.ngettext(
            "{count} role is missing. Each player taps their own role.",
            "{count} roles are missing. Each player taps their own role.",
            missing,
        ).format(count=missing)
        brief = _("Missing: {count}").format(count=missing)
        if not missing:
            text, brief = _("Judge: check against the cards on the table."), _("Judge: check the cards.")
        command = self._command(stage)
        declare = Reply() if command is None else command_reply(command, closes=True)
        done = offer(
            stage, "declare-roles", _("The roles are correct"), declare, 3,
            look=ButtonStyle.MAIN, icon="check", enabled=command is not None,
        )  # fmt: skip
        offers = (done, back_offer(stage, 1.4))
        head = Heading(_("Show the roles"), text, "cards", brief=brief)
        return table_page(stage, self._panel, add_rule(stage, head), offers)

    def still_holds(self, stage: SceneContext) -> bool:
        """Return whether roles can still be declared, at a table of this size."""
        game = stage.table.game
        return (
            game is not None
            and game.phase in {Phase.ENDED, Phase.SHEET}
            and not awaited_seats(game)
            and len(game.seats) == len(self.declared)
        )

    def _with(self, seat: SeatNo, role: Role, stage: SceneContext) -> Reply:
        roles = _complete_roles(_replace_role(self.declared, seat, role), stage)
        return Reply(becomes=DeclarationScene(roles))

    def _command(self, stage: SceneContext) -> DeclareRoles | None:
        roles = tuple(role for role in self.declared if role is not None)
        if len(roles) < len(self.declared):
            return None
        command = DeclareRoles(roles)
        return command if stage.allows(command) else None

    def _panel(self, stage: SceneContext, seat: Seat) -> Block:
        _, mm = stage.words.gettext, stage.mm
        role = self.declared[seat.seat - 1]
        parts, body = card(stage, seat, SeatCardState.PLAIN if seat.in_play else SeatCardState.OUT)
        room = body.inset(mm(0.4), mm(0.4))
        if role is None:
            return on_ring(stage, seat, (*parts, *self._choices(stage, seat, room)))
        ink = theme.INK if seat.in_play else theme.CREAM
        icon = "check" if seat.in_play else "tombstone"
        extra: tuple[Part, ...] = ()
        if _certain_roles(stage.game)[seat.seat - 1] is None:
            split = room.split_right if room.w > room.h else room.split_bottom
            spot, room = split(mm(12), mm(GAP_MM))
            said = _("Another role for {name}").format(name=seat.name)
            clear = OnTouch(Reply(becomes=DeclarationScene(_replace_role(self.declared, seat.seat, None))))
            extra = (Button(spot, f"clear-seat-{seat.seat}", "", icon="undo", said=said, action=clear),)
        name = role_name(stage.words, role)
        if room.w < mm(_NARROW_MM):
            label = Paragraph(room, name, stage.type_mm(5), ink, Typeface.BOLD, Align.CENTRE)
            return on_ring(stage, seat, (*parts, label, *extra))
        spot, words = room.split_left(mm(7), mm(1.5))
        label = Paragraph(words, name, mm(6), ink, Typeface.BOLD)
        return on_ring(stage, seat, (*parts, Icon(spot, icon, ink, theme.ASHES), label, *extra))

    def _choices(self, stage: SceneContext, seat: Seat, room: Rect) -> tuple[Button, ...]:
        _, choices = stage.words.gettext, self._may_be(stage, seat)
        roles = list(choices)
        columns = len(roles) if room.w > 1.3 * room.h else 2
        spots = room.grid(len(roles), columns, stage.mm(GAP_MM))
        if min(min(spot.w, spot.h) for spot in spots) < stage.mm(_LEAST_MM):
            said, target = _("{name}'s role").format(name=seat.name), f"role-of-seat-{seat.seat}"
            opens = OnTouch(Reply(becomes=msgspec.structs.replace(self, asking=seat.seat)))
            size, main = stage.type_mm(5), ButtonStyle.MAIN
            return (Button(room, target, _("Role"), main, said=said, size_px=size, action=opens),)
        names = tuple(role_name(stage.words, role) for role in roles)
        return tuple(
            Button(
                spot, f"declare-seat-{seat.seat}-{role.value}", name, size_px=stage.type_mm(5), kin=names,
                enabled=choices[role],
                action=OnTouch(self._with(seat.seat, role, stage)),
            )
            for spot, role, name in zip(spots, roles, names, strict=False)
        )  # fmt: skip

    def _may_be(self, stage: SceneContext, seat: Seat) -> dict[Role, bool]:
        """Return for each role at this table, apart from the Sheriff's, whether a seat may still have it."""
        row = role_counts(len(self.declared), stage.edition)
        is_no_rebel = seat.seat == not_the_rebel(stage.game)
        left = roles_left(row, (role for role in self.declared if role is not None))
        return {
            role: left[role] > 0 and not (role is Role.REBEL and is_no_rebel)
            for role in Role
            if role is not Role.SHERIFF and row.count(role)
        }

    def _choice_page(self, stage: SceneContext, number: SeatNo) -> tuple[Block, ...]:
        stage = stage.in_language_of(number)
        seat = stage.seat(number)
        offers = [
            offer(
                stage, f"declare-seat-{number}-{role.value}", role_name(stage.words, role),
                self._with(number, role, stage), 2.4, enabled=is_possible,
            )
            for role, is_possible in self._may_be(stage, seat).items()
        ]  # fmt: skip
        title = stage.words.gettext("{name}'s role").format(name=seat.name)
        back = Reply(becomes=DeclarationScene(self.declared))
        return Dialog(stage, Heading(title, "", "cards"), offers, back=back).draw()


def _certain_roles(game: GameState) -> tuple[Role | None, ...]:
    roles = {elimination.seat: elimination.role for elimination in game.eliminations}
    roles[SHERIFF_SEAT] = Role.SHERIFF
    if game.rebel is not None:
        roles[game.rebel] = Role.REBEL
    return tuple(roles.get(seat.seat) for seat in game.seats)


def _replace_role(roles: tuple[Role | None, ...], seat: SeatNo, role: Role | None) -> tuple[Role | None, ...]:
    return (*roles[: seat - 1], role, *roles[seat:])


def _complete_roles(roles: tuple[Role | None, ...], stage: SceneContext) -> tuple[Role | None, ...]:
    """Fill in the missing roles if only one kind is left."""
    row = role_counts(len(roles), stage.edition)
    left = Counter(roles_left(row, (role for role in roles if role is not None)))
    kinds = [role for role, count in left.items() if count > 0]
    if len(kinds) != 1:
        return roles
    return tuple(kinds[0] if role is None else role for role in roles)

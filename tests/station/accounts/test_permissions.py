"""The table of roles: the same in the code and in the documentation."""

import re
from pathlib import Path
from typing import Final

from station.accounts.permissions import (
    PERMISSIONS,
    STRANGERS,
    AccountRole,
    Permission,
    permissions_of,
    roles_with,
)

SECURITY: Final = Path(__file__).parents[3] / "docs/reference/security.md"
ROLES: Final = ("head judge", "floor judge", "organiser", "display")


def test_the_documentation_shows_the_table_of_the_code() -> None:
    text = SECURITY.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
    heading = rows.index(("may", *ROLES))
    documented = {
        row[0]: {role for role, cell in zip(AccountRole, row[1:], strict=True) if cell}
        for row in rows[heading + 1 :]
    }
    assert documented == {permission.value: set(roles_with(permission)) for permission in Permission}


def test_a_head_judge_may_do_everything_and_nobody_less_than_a_stranger() -> None:
    assert PERMISSIONS[AccountRole.HEAD_JUDGE] == frozenset(Permission)
    assert all(permissions_of(role) > STRANGERS for role in AccountRole)
    assert permissions_of(None) == STRANGERS


def test_standings_are_the_head_judges_only() -> None:
    for secret in (Permission.STANDINGS, Permission.HISTORY, Permission.BACKUPS, Permission.ACCOUNTS):
        assert roles_with(secret) == (AccountRole.HEAD_JUDGE,)

"""``judge`` and ``pins``: manage the judges' accounts, and show the terminals' PINs."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import click

from base.clock import SystemClock
from base.terminal_text import echo, echo_lines, printable
from station.accounts.invitations import Invitations
from station.accounts.judges import Judges
from station.accounts.permissions import AccountRole
from station.audit import AuditLog
from station.cli.options import data_option, new_data_option, secret_line
from station.enrolment.enrolments import LAST_TABLE, Enrolments
from station.enrolment.terminal_pins import read_pins, renew_pins
from station.store.data_folder import DataFolder
from station.store.database import Database
from station.store.settings import Settings


@contextmanager
def _judges(folder: DataFolder, command: str = "", **facts: str) -> Iterator[Judges]:
    """Yield the accounts, and afterwards record ``command`` in the audit log unless it is empty."""
    clock = SystemClock()
    with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
        yield Judges(database, clock.wall_ms)
        if command:
            AuditLog(database).add_command(f"saloon-station {command}", clock.wall_ms(), **facts)


@click.group()
def judge() -> None:
    """Manage the judges' accounts. A station without --database must not be running."""


_ROLES = click.Choice([role.value for role in AccountRole])


@judge.command()
@click.argument("name")
@click.option(
    "--role", type=_ROLES, default=AccountRole.HEAD_JUDGE.value, show_default=True, help="What it may do."
)
@new_data_option
def add(name: str, role: str, folder: DataFolder) -> None:
    """Add the account NAME; prompts for the password, or reads one line from standard input."""
    password = secret_line("Password")
    with _judges(folder, "judge add", name=name, role=role) as judges:
        added = judges.add(name, password, AccountRole(role))
        echo(f"Judge {added.name} may log in as {added.role.value}.")


@judge.command(name="role")
@click.argument("name")
@click.argument("role", type=_ROLES)
@data_option
def role_(name: str, role: str, folder: DataFolder) -> None:
    """Give the account NAME another ROLE. The last head judge's role cannot be changed."""
    with _judges(folder, "judge role", name=name, role=role) as judges:
        judges.set_role(name, AccountRole(role))
    echo(f"{name}: {role}")


@judge.command()
@click.argument("name")
@click.option("--role", type=_ROLES, required=True, help="What the account may do.")
@click.option(
    "--pages", metavar="URL", default="", help="The station's address, such as https://10.0.0.5:8443."
)
@data_option
def invite(name: str, role: str, pages: str, folder: DataFolder) -> None:
    """Print a link with which NAME can open an account. It is valid once, for 48 hours."""
    with _judges(folder, "judge invite", name=name, role=role) as judges:
        key = Invitations(judges).make(name, AccountRole(role), "saloon-station judge invite")
    echo(f"{pages.rstrip('/')}/invitation?key={key}")
    if not pages:
        echo("Put the address of the station's pages in front of it.", err=True)


@judge.command(name="list")
@data_option
def list_(folder: DataFolder) -> None:
    """List all accounts with their roles."""
    with _judges(folder) as judges:
        for account in judges.all():
            echo_lines(f"{printable(account.name)}\t{account.role.value}")


@judge.command()
@click.argument("name")
@data_option
def remove(name: str, folder: DataFolder) -> None:
    """Delete the account NAME. The last head judge's account cannot be deleted."""
    with _judges(folder, "judge remove", name=name) as judges:
        judges.remove(name)
    echo(f"Judge {name} may not log in any more.")


@click.command()
@click.option("--new", is_flag=True, help="Give every terminal another PIN first.")
@data_option
def pins(*, new: bool, folder: DataFolder) -> None:
    """Show the PIN of each terminal. A station without --database must not be running."""
    with folder.lock_unless_shared(), closing(Database(folder.url)) as database:
        settings = Settings(database)
        terminal_pins = renew_pins(settings) if new else read_pins(settings)
        if new:
            AuditLog(database).add_command("saloon-station pins", SystemClock().wall_ms())
        known = Enrolments(database, SystemClock().wall_ms).terminals()
        for one in sorted(known, key=lambda one: one.table or LAST_TABLE + 1):
            if one.trusted and not one.revoked:
                echo_lines(f"{one.table or 'spare'}\t{one.terminal[:8]}\t{terminal_pins.pin(one.terminal)}")
    if new:
        echo("The terminals learn their new PINs when the station runs.")

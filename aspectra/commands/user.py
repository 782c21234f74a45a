"""People who may sign in, and tokens for their programs."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click
from rich.table import Table
from rich.text import Text

from access.accounts import Accounts, plain
from access.audit.entry import Action, Entry
from access.audit.trail import Trail, commander
from access.purposes import Purposes
from access.roles import Right, Role
from access.tokens import LONGEST_DAYS, Tokens
from aspectra.console import Group, command, out, say, settings
from ingest.ledger import Ledger

ROLE = click.Choice([role.value for role in Role])


@click.group(cls=Group)
def user() -> None:
    """People who may sign in, where ASPECTRA_ACCOUNTS is on, and tokens for their programs."""


@user.command()
@click.argument("name")
@click.option("--role", type=ROLE, required=True, help="What the account may do: docs/security.md has the table.")
@command
def add(name: str, role: str) -> None:
    """Make an account, and print its one-time password."""
    made = accounts().add(name, Role(role))
    _note("add", name, role=role)
    _one_time(made)


@user.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@command
def list_accounts(as_json: bool) -> None:
    """Accounts, and the tokens of each."""
    engine = Ledger.from_settings(settings()).engine
    kept = Tokens(engine)
    found = [(a, kept.of(a)) for a in Accounts(engine).all()]
    rows = [
        {
            "name": a.name,
            "role": a.role.value,
            "disabled": a.disabled,
            "one_time_password": a.must_change,
            "provider": a.elsewhere,
            "signed_in": a.signed_in.isoformat(timespec="seconds") if a.signed_in else None,
            "tokens": [
                {"id": t.id, "label": t.label, "rights": sorted(t.rights), "expires": t.expires.date().isoformat()}
                for t in tokens
            ],
        }
        for a, tokens in found
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    if not rows:
        say("There are no accounts. Make the first: aspectra user add NAME --role admin")
        return
    table = Table("name", "role", "state", "signed in", "tokens", box=None, pad_edge=False)
    for a, tokens in found:
        seen = a.signed_in.strftime("%Y-%m-%d %H:%M") if a.signed_in else "never"
        told = "; ".join(f"{t.id} {t.label}, to {t.expires:%Y-%m-%d}" for t in tokens)
        table.add_row(Text(a.name), a.role.value, a.state, seen, Text(told))
    out.print(table)


@user.command("role")
@click.argument("name")
@click.argument("role", type=ROLE)
@command
def give_role(name: str, role: str) -> None:
    """Give an account another role, from its next request on."""
    accounts().give_role(name, Role(role))
    _note("role", name, role=role)
    say(f"{name} is {role} now.")
    if accounts().named(name).elsewhere:
        say("The provider that signs them in gives the role anew each time.")


@user.command()
@click.argument("name")
@command
def disable(name: str) -> None:
    """Close an account: its sessions end, its tokens open nothing."""
    accounts().disable(name)
    _note("disable", name)
    say(f"{name} is closed. Open it again: aspectra user enable {name}")


@user.command()
@click.argument("name")
@command
def enable(name: str) -> None:
    """Open an account again; its password and tokens are what they were."""
    accounts().enable(name)
    _note("enable", name)
    say(f"{name} is open.")


@user.command()
@click.argument("name")
@command
def password(name: str) -> None:
    """Give an account a new one-time password; its sessions end."""
    made = accounts().renew(name)
    _note("password", name)
    _one_time(made)


@user.command()
@click.argument("name")
@click.option("--label", default="", help="What it is for.")
@click.option(
    "--right", "rights", type=click.Choice([r.value for r in Right]), multiple=True, help="May be given again."
)
@click.option("--days", default=90, show_default=True, help=f"Until it expires; at most {LONGEST_DAYS}.")
@click.option("--purpose", help="Code of the purpose that it is for; needed where a right shows something of patients.")
@click.option("--revoke", type=int, help="The number of a token that shall open nothing any more.")
@command
def token(name: str, label: str, rights: Sequence[str], days: int, purpose: str | None, revoke: int | None) -> None:
    """Make a token with which a program uses the API for an account, and print it; or revoke one."""
    account = accounts().named(name)
    engine = Ledger.from_settings(settings()).engine
    kept = Tokens(engine)
    if revoke is not None:
        kept.revoke(account, revoke)
        _note("revoke", name, token=revoke)
        say(f"Token {revoke} opens nothing any more.")
        return
    stated = Purposes(engine).named(purpose) if purpose else None
    made = kept.make(account, label, [Right(r) for r in rights], days, stated)
    told = {"purpose": stated.code} if stated else {}
    _note("token", name, rights=" ".join(sorted(rights)), days=days, **told)
    click.echo(made)
    click.echo("It is shown this once. Send it as: Authorization: Bearer TOKEN", err=True)


def accounts() -> Accounts:
    return Accounts(Ledger.from_settings(settings()).engine)


def _note(what: str, name: str, **about: str | int) -> None:
    """Keep in the audit trail what was done to the account ``name``, before anything is printed."""
    found = settings()
    entry = Entry(commander(), Action.PEOPLE, about={"what": what, "account": plain(name), **about})
    Trail.from_settings(found, Ledger.from_settings(found)).add(entry)


def _one_time(made: str) -> None:
    click.echo(made)
    click.echo("It is shown this once, and must be changed at the first sign-in.", err=True)
    if not settings().accounts:
        click.echo("Nobody signs in yet: set ASPECTRA_ACCOUNTS=1 and start the page anew.", err=True)


COMMANDS = (user,)

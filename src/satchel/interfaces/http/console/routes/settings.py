"""Settings with their sources; clients, users with their tokens, the audit log."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import RedirectResponse

from satchel.clients.setup.checking import wired_clients
from satchel.clients.setup.wired import CLIENTS, found_on_machine, next_step
from satchel.core.errors import BadInputError, UnknownSettingError
from satchel.core.trust import refuse_agent
from satchel.core.values import NamedTuple
from satchel.features.access.users import ADMIN, ANY, OWNER, ROLES
from satchel.interfaces.http.console.pages import Asked, Page, Undo, plain
from satchel.interfaces.http.console.pages import chosen_theme as theme_of
from satchel.interfaces.http.server.project_pool import served_by
from satchel.storage.files import changed_at
from satchel.storage.settings.loading import origins
from satchel.storage.settings.person_file import put_settings
from satchel.storage.settings.table import PERSONS, SETTINGS, parsed

router = APIRouter(prefix="/console/{project}/settings", include_in_schema=False)
_ENTRIES = 200
#: Section headings, by the prefix of a setting's name.
GROUPS = (
    ("What is remembered", ("memory", "inbox", "sessions", "reflect", "notes", "trust")),
    ("What agents are told", ("brief", "prompt", "prime", "hooks", "instructions", "intent")),
    ("Search", ("recall", "model", "embed", "index", "tokens")),
    ("Code and research", ("code", "pack", "research")),
    ("With others", ("share", "store", "agents", "chat")),
    ("Housekeeping", ("layout", "rotation", "upkeep")),
)


class Row(NamedTuple):
    """A setting: its value, its default, its meaning and the source of the value.

    `place` is person, project, environment or default.
    """

    name: str
    value: object
    default: object
    help: str
    place: str


class ClientState(NamedTuple):
    """An agent client: the number of files that configure Satchel, and the last hook call."""

    label: str
    files: int
    seen: float
    step: str


@router.get("")
def settings(
    asked: Asked,
    q: Annotated[str, Query(max_length=100)] = "",
    section: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """Show the settings of a section, or those that match; changed ones first."""
    if not asked.may(ADMIN):
        return _refused(asked)
    every = _rows(asked)
    sections = Counter(one.name.partition(".")[0] for one in every)
    changed = [one for one in every if one.place != "default"]
    section = section if section in sections else "" if changed or q else next(iter(sections))
    rows = [one for one in every if one.name.startswith(section + ".")] if section else changed
    if q.strip():
        words = q.lower().split()
        rows = [one for one in every if all(w in f"{one.name} {one.help}".lower() for w in words)]
    return asked.show(
        "settings",
        tab="values",
        q=q,
        section=section,
        groups=[(head, [(one, sections[one]) for one in names]) for head, names in GROUPS],
        rows=rows[:80],
        changed=len(changed),
        edits=asked.who.user == OWNER,
    )


def _refused(asked: Page) -> Response:
    detail, theme = "Settings are shown to an admin of this project.", theme_of(asked.request)
    return plain("failed", 403, title="Forbidden", theme=theme, detail=detail, hint="")


def _rows(asked: Page) -> list[Row]:
    project = asked.workspace.project
    came = origins(project.configuration, project.tracked.project_file)
    places = {project.configuration: "person", project.tracked.project_file: "project"}
    values = project.settings.as_dict()

    def place(name: str) -> str:
        return places.get(came[name], "environment") if name in came else "default"

    return [
        Row(one.name, values[one.name], one.default, one.help, place(one.name)) for one in SETTINGS
    ]


@router.post("/value")
def put(
    asked: Asked,
    name: Annotated[str, Form(max_length=100)],
    value: Annotated[str, Form(max_length=4_000)] = "",
    reset: Annotated[str, Form(max_length=1)] = "",
    back: Annotated[str, Form(max_length=2000)] = "settings",
) -> RedirectResponse:
    """Set a value in the user's own file, or remove it."""
    _owner(asked)
    before = next((one for one in _rows(asked) if one.name == name), None)
    if before is None:
        raise UnknownSettingError(f"There is no setting {name[:60]!r}.")
    if before.place == "environment":
        raise BadInputError("An environment variable sets it, so it cannot be changed here.")
    if name in PERSONS:
        refuse_agent(asked.workspace.project.trust)
    new = None if reset else parsed(name, value, "The page")
    section, _, short = name.partition(".")
    put_settings(asked.workspace.project.configuration, section, {short: new})
    asked.served.reopen()
    old = (("name", name), ("value", _written(before.value)))
    undo = Undo("settings/value", old if before.place == "person" else (*old, ("reset", "1")))
    told = f"{name} is back to its default." if reset else f"{name} is {_written(new)}."
    return asked.back(back, told, undo)


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@router.get("/clients")
def clients(asked: Asked) -> Response:
    """Show this machine's agent clients: which report here, and when they last did."""
    asked.owned("A team's server shows nothing about the machine it runs on.")
    project = asked.workspace.project
    wired = wired_clients(project.place.root)
    there = dict.fromkeys([*wired, *found_on_machine()])
    states = [
        ClientState(
            CLIENTS[name].label,
            len(wired.get(name, ())),
            changed_at(project.state.seen(name)),
            next_step(name, project.place.root),
        )
        for name in there
        if name in CLIENTS
    ]
    return asked.show("clients", page="settings", tab="clients", states=states)


@router.get("/users")
def users(asked: Asked) -> Response:
    """Show who may use this server, with roles and tokens."""
    _owner(asked)
    return _users(asked)


def _users(asked: Page, token: str = "", name: str = "") -> Response:
    served = served_by(asked.request)
    told: dict[str, Any] = {"every": served.book.users(), "tokens": served.book.tokens()}
    told |= {"roles": ROLES, "any_": ANY, "served": served.projects}
    return asked.show("users", page="settings", tab="users", token=token, name=name, **told)


@router.post("/users")
def add_user(
    asked: Asked,
    name: Annotated[str, Form(min_length=1, max_length=80)],
    role: Annotated[str, Form(max_length=10)],
    where: Annotated[str, Form(max_length=200)] = ANY,
) -> Response:
    """Add a user and create their token, which is shown only once."""
    _owner(asked)
    book = served_by(asked.request).book
    known = name in book.users()
    book.add(name, role, where)
    return _users(asked, "" if known else book.issue(name), name)


@router.post("/users/{name}/token")
def make_token(asked: Asked, name: str) -> Response:
    """Create a new token for a user; earlier tokens stop working."""
    _owner(asked)
    return _users(asked, served_by(asked.request).book.rotate(name), name)


@router.post("/users/{name}/remove")
def remove_user(asked: Asked, name: str) -> RedirectResponse:
    """Remove all roles of a user and revoke their tokens."""
    _owner(asked)
    book = served_by(asked.request).book
    before = book.users().get(name)
    book.remove(name)
    fields = tuple(("role", f"{role} {where}") for where, role in (before.roles if before else ()))
    told = f"{name} no longer has access. They need a new token to come back."
    return asked.back("settings/users", told, Undo(f"settings/users/{name}/roles", fields))


@router.post("/users/{name}/roles")
def give_roles(
    asked: Asked, name: str, role: Annotated[list[str], Form(max_length=50)]
) -> RedirectResponse:
    """Restore the roles a user had."""
    _owner(asked)
    for one in role:
        held, _, where = one.partition(" ")
        served_by(asked.request).book.add(name, held, where)
    return asked.back("settings/users", f"{name} has their earlier roles again.")


@router.get("/audit")
def audit(asked: Asked) -> Response:
    """Show what was changed and refused on this server, latest first."""
    _owner(asked)
    log = served_by(asked.request).audit
    return asked.show(
        "audit", page="settings", tab="audit", entries=log.entries(_ENTRIES), broken=log.broken()
    )


def _owner(asked: Page) -> None:
    if asked.who.user != OWNER:
        raise BadInputError("Only the person who runs this server can do this.")

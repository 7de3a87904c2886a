"""Checks a server's deployment before it starts: address, TLS, projects, home, database."""

from __future__ import annotations

import os
import ssl
import time
from collections import Counter
from collections.abc import Sequence

from satchel.application.findings import ERROR, NOTE, SEVERITIES, WARNING, Finding
from satchel.application.health.private_state import LEAST_FREE, disk_space_findings, writable
from satchel.core.clock import Clock
from satchel.core.errors import SatchelError
from satchel.core.times import DAY
from satchel.features.access.users import UserStore
from satchel.interfaces.http.main import Binding, checked, encrypts, listen
from satchel.project.server import ServerStore
from satchel.project.store import ProjectStore
from satchel.project.team_store import is_chosen, team_project
from satchel.storage.paths import UserHome
from satchel.workspace import Workspace

#: Days before expiry at which a certificate is reported.
_ENDS_SOON = 14
#: Rounds of a TLS handshake within one process; both sides need two or three.
_ROUNDS = 8


def deployment_findings(
    roots: Sequence[str], home: str, binding: Binding, *, team: bool, workers: int
) -> list[Finding]:
    """Return everything that is wrong with a server before it starts, the worst first.

    Nothing is served, and no table is created or changed.
    """
    found = _address(binding, team=team) + _tls(binding) + _home(home)
    found += _projects(roots, home, workers)
    found += _users(home) if team else []
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity))


def _address(binding: Binding, *, team: bool) -> list[Finding]:
    found = []
    try:
        checked(binding, team=team)
    except SatchelError as error:
        found.append(_failed("address", error))
    try:
        listen(binding).close()
    except SatchelError as error:
        found.append(_failed("address", error))
    return found


def _tls(binding: Binding) -> list[Finding]:
    try:
        encrypts(binding)
    except SatchelError as error:
        return [_failed("TLS", error)]
    if not binding.certificate:
        return []
    why, ends = _as_a_client_sees_it(binding)
    if why:
        step = "Clients that do not trust it by other means refuse it."
        return [Finding(WARNING, "TLS", f"{binding.certificate}: {why}", step)]
    days = int((ends - time.time()) / DAY)
    if days >= _ENDS_SOON:
        return []
    return [Finding(WARNING, "TLS", f"{binding.certificate} ends in {days} days", "Renew it.")]


def _as_a_client_sees_it(binding: Binding) -> tuple[str, float]:
    """Shake hands with the certificate in memory; return why a client refuses, and its end.

    The chain itself is trusted, so that only dates and name can fail.
    """
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(binding.certificate, binding.key)
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    theirs.load_verify_locations(binding.certificate)
    theirs.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    theirs.check_hostname = bool(_name(binding))
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = ours.wrap_bio(up, down, server_side=True)
    client = theirs.wrap_bio(down, up, server_hostname=_name(binding) or None)
    try:
        for _ in range(_ROUNDS):
            for side in (client, server):
                try:
                    side.do_handshake()
                except ssl.SSLWantReadError:
                    continue
    except ssl.SSLCertVerificationError as error:
        return error.verify_message, 0.0
    except ssl.SSLError as error:
        return error.reason or str(error), 0.0
    return "", ssl.cert_time_to_seconds(str((client.getpeercert() or {})["notAfter"]))


def _name(binding: Binding) -> str:
    """Return the name that clients use, as far as it is known."""
    anywhere = binding.host in ("0.0.0.0", "::")  # noqa: S104 -- compared, not bound
    return binding.public or ("" if anywhere else binding.host)


def _home(home: str) -> list[Finding]:
    state = UserHome(home).user_state
    return writable(state) + disk_space_findings(state, LEAST_FREE)


def _users(home: str) -> list[Finding]:
    """Warn about a team's server that nobody can sign in to."""
    try:
        store = ServerStore.of_team(UserHome(home), Clock())
        try:
            there = UserStore(store.ledger("access")).users()
        finally:
            store.close()
    except SatchelError:
        return []  # problems of the database are reported separately
    step = "satchel serve user add NAME, then satchel serve user token NAME"
    return [] if there else [Finding(WARNING, "users", "nobody may sign in yet", step)]


def _projects(roots: Sequence[str], home: str, workers: int) -> list[Finding]:
    """Open each project, and check the databases they are stored in."""
    found = []
    names: Counter[str] = Counter()
    databases: dict[tuple[str, str], None] = {}
    for root in dict.fromkeys(roots):
        try:
            with Workspace.open(root, home=home) as workspace:
                names[os.path.basename(workspace.project.place.root)] += 1
                found += writable(workspace.project.state)
                databases |= _addresses(workspace.project)
        except SatchelError as error:
            found.append(_failed(root, error))
    for name in (one for one, count in names.items() if count > 1):
        what = f"{names[name]} projects have this name: only their ids tell them apart"
        found.append(Finding(NOTE, name, what))
    for url, replica in databases:
        from satchel.application.health.team_database import database_findings

        found += database_findings(url, replica, workers=workers)
    return found


def _addresses(project: ProjectStore) -> dict[tuple[str, str], None]:
    """Return the addresses of a project's database and its replica, if it has one.

    Raises `BadInputError` if the project could not be distinguished from others there.
    """
    if not is_chosen(project.settings, project.place):
        return {}
    team_project(project.place)
    return {(project.settings.text("store.url"), project.settings.text("store.replica_url")): None}


def _failed(subject: str, error: SatchelError) -> Finding:
    return Finding(ERROR, subject, str(error).rstrip("."), error.hint)

"""`serve --check` says what is wrong with a deployment, before anything is served."""

import datetime as dt
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from integration.installed import Machine
from postgresql_server import Server
from satchel.application.findings import Finding
from satchel.application.health import team_database
from satchel.application.health.team_database import database_findings
from satchel.interfaces.http import deployment
from satchel.interfaces.http.deployment import deployment_findings
from satchel.interfaces.http.main import Binding
from satchel.storage.database import migrating
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

pytest_plugins = ["postgresql_fixtures"]

HERE = Binding(port=0)
NAME = "memory.example.org"
NOW = dt.datetime.now(dt.UTC)


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


def found(
    project: Workspace, binding: Binding, *, team: bool = False, workers: int = 1
) -> list[Finding]:
    root, home = project.project.place.root, project.owner().home.path
    every = deployment_findings([root], home, binding, team=team, workers=workers)
    return [one for one in every if one.subject != "users"]


def certificate(folder: Path, *, name: str = NAME, days: int = 90) -> tuple[str, str]:
    """Make a certificate for a name that ends in so many days; return its paths."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - dt.timedelta(days=365))
        .not_valid_after(NOW + dt.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(folder / "cert.pem"), str(folder / "key.pem")


def test_nothing_is_wrong_with_a_server_for_oneself(project: Workspace) -> None:
    assert found(project, HERE) == []


@pytest.mark.parametrize(
    ("binding", "team", "told"),
    [
        (Binding("0.0.0.0", 0), True, "nothing would be encrypted"),  # noqa: S104
        (Binding("0.0.0.0", 0, public=NAME), False, "one token is for one person"),  # noqa: S104
        (Binding("192.0.2.7", 0, public=NAME), True, "not an address of this machine"),
        (Binding(port=0, certificate="/nowhere/cert.pem"), False, "a certificate and its key"),
        (Binding(port=0, certificate="/no/c.pem", key="/no/k.pem"), False, "/no/c.pem"),
    ],
)
def test_an_address_that_would_be_refused_is_told(
    project: Workspace, binding: Binding, *, team: bool, told: str
) -> None:
    (one,) = found(project, binding, team=team)
    assert one.severity == "error"
    assert told in one.what


def test_a_port_that_is_taken_is_told(project: Workspace) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        (one,) = found(project, Binding(port=taken.getsockname()[1]))
    assert "in use" in one.what


@pytest.mark.parametrize(
    ("name", "days", "told"),
    [
        (NAME, 90, ""),
        (NAME, 5, "ends in 4 days"),
        (NAME, -3, "expired"),
        ("other.example.org", 90, "not valid for 'memory.example.org'"),
    ],
)
def test_a_certificate_is_seen_as_clients_see_it(
    project: Workspace, tmp_path: Path, name: str, days: int, told: str
) -> None:
    cert, key = certificate(tmp_path, name=name, days=days)
    at = Binding("0.0.0.0", 0, cert, key, NAME)  # noqa: S104
    said = [one.what for one in found(project, at, team=True)]
    assert [told in one for one in said] == ([True] if told else [])


def test_a_certificate_nobody_looks_at_is_noticed(
    project: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded bug: the files are read, but no client's eyes see them."""
    ends = NOW.timestamp() + 1e9
    monkeypatch.setattr(deployment, "_as_a_client_sees_it", lambda _: ("", ends))
    cert, key = certificate(tmp_path, days=-3)
    assert found(project, Binding("0.0.0.0", 0, cert, key, NAME), team=True) == []  # noqa: S104


def test_what_is_no_project_is_told_once(project: Workspace, tmp_path: Path) -> None:
    home = project.owner().home.path
    (one,) = deployment_findings([str(tmp_path / "gone")] * 2, home, HERE, team=False, workers=1)
    assert (one.severity, one.subject) == ("error", str(tmp_path / "gone"))


# The database


def of_others(findings: list[Finding]) -> list[Finding]:
    """Leave out that the tests' own server does not wait for its disk, and lets in a superuser."""
    assert any("`fsync` is off" in one.what for one in findings)
    return [one for one in findings if not re.search("`fsync`|is not walled", one.what)]


def test_a_database_on_the_newest_version_is_fine(postgresql_url: str) -> None:
    assert of_others(database_findings(postgresql_url)) == []


def test_an_empty_database_is_told_and_left_empty(empty_postgresql_url: str) -> None:
    (one,) = of_others(database_findings(empty_postgresql_url))
    assert (one.severity, one.what) == ("note", "the tables will be created at startup")
    with psycopg.connect(empty_postgresql_url) as connection:
        assert connection.execute("SELECT to_regnamespace('satchel')").fetchone() == (None,)


def test_a_user_who_may_make_no_tables_is_told(
    postgresql_server: Server, empty_postgresql_url: str
) -> None:
    role = f"reader_{os.getpid()}"
    with psycopg.connect(empty_postgresql_url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
        connection.execute(f"CREATE ROLE {role} LOGIN")
    try:
        url = empty_postgresql_url.replace("postgres@", f"{role}@")
        (one,) = of_others(database_findings(url))
        assert (one.severity, one.what) == ("error", "this user may not create or alter tables")
    finally:
        with psycopg.connect(postgresql_server.url(), autocommit=True) as connection:
            connection.execute(f"DROP ROLE {role}")


def test_a_newer_database_more_workers_than_it_takes_and_none_are_told(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = of_others(database_findings(postgresql_url, workers=64))
    assert "64 workers may open 1024 connections" in one.what
    monkeypatch.setattr(migrating, "newest", lambda: 3)
    (one,) = of_others(database_findings(postgresql_url))
    assert (one.severity, "this Satchel knows 3" in one.what) == ("error", True)
    (one,) = database_findings("postgresql://satchel@127.0.0.1:1/memory")
    assert one.severity == "error"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://a@/memory", False),
        ("postgresql://a@localhost/memory", False),
        ("postgresql://a@/memory?host=/run/postgresql", False),
        ("postgresql://a@db.example.org/memory?sslmode=verify-full", False),
        ("postgresql://a@db.example.org/memory?sslmode=require", True),
        ("postgresql://a@db.example.org/memory", True),
        ("postgresql://a@localhost,db.example.org/memory", True),
    ],
)
def test_an_address_without_a_check_of_the_server_is_told(address: str, *, told: bool) -> None:
    assert bool(team_database._encryption("database", address)) is told


def test_a_server_for_a_team_is_checked_as_a_whole(
    project: Workspace, postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SATCHEL_STORE_URL", postgresql_url)
    monkeypatch.setenv("SATCHEL_STORE_PROJECTS", "*")
    assert of_others(found(project, HERE, team=True)) == []


def test_a_team_s_server_that_nobody_may_sign_in_to_says_so(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    at = machine.repository("shop")
    check = ("serve", "--team", "--check", "--port", "0")
    told = machine.run(*check, at=at).out
    assert "nobody may sign in yet" in told
    assert "satchel serve user add NAME" in told
    machine.ok("serve", "user", "add", "ann", at=at)
    assert "nobody may sign in yet" not in machine.run(*check, at=at).out


def test_the_command_prints_findings_and_serves_nothing(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    at = machine.repository("shop")
    said = machine.ok("serve", "--check", "--port", "0", at=at)
    assert said == "1 project to serve. Nothing is wrong.\n"
    done = machine.run("serve", "--check", "--host", "0.0.0.0", "--port", "0", at=at)  # noqa: S104
    assert done.code == 7
    assert done.out.splitlines()[0].startswith("error: address: 0.0.0.0 can be reached by others")
    told = machine.run("serve", "--check", "--port", "0", "--json", at=at)
    assert told.json == {"findings": []}

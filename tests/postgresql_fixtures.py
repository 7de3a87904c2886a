"""Fixtures of a real PostgreSQL server: say `pytest_plugins = ["postgresql_fixtures"]`."""

import os
import tempfile
from collections.abc import Iterator

import pytest

from postgresql_server import PREFIX, TEMPLATE, Server, shared_server


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Server]:
    """The server that every worker of this run shares. Not to be crashed."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or f"{os.getpid()}"
    with shared_server(os.path.join(tempfile.gettempdir(), PREFIX + run[:12])) as server:
        yield server


@pytest.fixture
def postgresql_url(postgresql_server: Server) -> Iterator[str]:
    """Address of a new database on the newest version, dropped afterwards."""
    url = postgresql_server.database(TEMPLATE)
    yield url
    postgresql_server.drop(url)


@pytest.fixture
def empty_postgresql_url(postgresql_server: Server) -> Iterator[str]:
    """Address of a new database with nothing in it, dropped afterwards."""
    url = postgresql_server.database()
    yield url
    postgresql_server.drop(url)

"""T14: whatever is sent to the API, it answers as its description says, and never with a 5xx."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from reliability.stand import Stand, say, scale
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool

pytestmark = pytest.mark.torture
_EXAMPLES = scale(15, 200)
_TOO_LARGE = 413


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProjectPool]:
    stand = Stand(os.fspath(tmp_path_factory.mktemp("t14")))
    with stand.workspace() as workspace:
        workspace.learn("the linter runs before every push")
        root, home = workspace.project.place.root, workspace.owner().home.path
    made = ProjectPool([root], home, hosts=["testserver", "localhost"])
    made.limit.burst, made.limit.per_second = 10**9, 1e9
    yield made
    made.close()


def broken(app: object, headers: dict[str, str], examples: int, *, path: str) -> dict[str, str]:
    """Send examples, good and bad, to every operation; return what was wrong with which."""
    loaded = schemathesis.openapi.from_asgi(path, app, headers=headers)
    wrong: dict[str, str] = {}
    for result in loaded.get_all_operations():
        operation = result.ok()  # type: ignore[union-attr]
        if operation.path.endswith(("/events", "/stream")):
            continue  # they end when the client goes

        @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
               | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))  # fmt: skip
        @settings(max_examples=examples, deadline=None, derandomize=True, database=None,
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        def every(case: Any) -> None:
            response = case.call(headers=headers)
            # A body that is too large is refused before anybody looks what else is wrong with it.
            unread = [negative_data_rejection] if response.status_code == _TOO_LARGE else []
            case.validate_response(response, excluded_checks=unread, headers=headers)

        try:
            every()
        except (AssertionError, BaseExceptionGroup) as error:
            told = getattr(error, "exceptions", [error])
            wrong[operation.label] = (str(error) + "; ".join(map(str, told)))[-900:]
    return wrong


def test_every_operation_answers_as_it_says(served: ProjectPool) -> None:
    headers = {"Authorization": f"Bearer {served.token}"}
    app = application(served)
    wrong = broken(app, headers, _EXAMPLES, path="/api/openapi.json")
    assert not wrong, "\n".join(wrong.values())
    paths = TestClient(app, headers=headers).get("/api/openapi.json").json()["paths"]
    count = sum(len(methods) for methods in paths.values())
    assert count > 30
    say("T14", count * _EXAMPLES, f"{count} operations, {_EXAMPLES} examples each, 0 answers of 5xx, "
        "0 that are not described")  # fmt: skip


def test_a_seeded_bug_is_caught() -> None:
    """A route that fails, and one that answers what it does not describe."""
    described = {
        "openapi": "3.1.0", "info": {"title": "x", "version": "1"},
        "paths": {
            name: {"get": {"responses": {"200": {"description": "ok"}}}} for name in ("/a", "/b")
        },
    }  # fmt: skip
    app = Starlette(
        routes=[
            Route("/openapi.json", lambda _: JSONResponse(described)),
            Route("/a", lambda _: JSONResponse({}, status_code=500)),
            Route("/b", lambda _: JSONResponse({}, status_code=418)),
        ]
    )
    assert set(broken(app, {}, 2, path="/openapi.json")) == {"GET /a", "GET /b"}

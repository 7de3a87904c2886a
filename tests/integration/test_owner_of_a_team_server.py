"""A team's server tells its users nothing that its owner keeps for themselves."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from satchel.application.learning.reviewing.review import Review
from satchel.features.injections.injection_ledger import Injection
from satchel.features.proposals.values import (
    CREATE,
    HOME,
    KNOWLEDGE,
    LEARNINGS,
    PROJECT,
    Edit,
    Proposal,
)
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.interfaces.http.shown_injections import as_readable
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

API = "/api/projects/current"


@pytest.fixture
def project() -> Iterator[Workspace]:
    with temporary_workspace(git=True) as workspace:
        yield workspace


def bearer(served: ProjectPool) -> dict[str, str]:
    return {"authorization": f"Bearer {served.token}"}


def test_a_team_s_server_shows_every_figure_and_nothing_of_its_owner(project: Workspace) -> None:
    project.learn("the harbour relay listens on 9000")
    base = Path(project.owner().home.knowledge_base(project.project.settings.text("layout.preset")))
    note = base / "learnings" / "debugging-sessions" / "relay.md"
    note.parent.mkdir(parents=True)
    note.write_text("---\ntitle: My diary\n---\nIt wakes me.\n")
    served = ProjectPool(
        [project.project.place.root], project.owner().home.path, team=True, hosts=["testserver"]
    )
    with TestClient(application(served), headers=bearer(served)) as client:
        for path in (f"{API}/stats", f"{API}/health", f"/console/{project.project.key}/home"):
            answer = client.get(path)
            assert answer.status_code == 200, path
            assert str(base) not in answer.text
        notes = Path(project.project.tracked.solutions)
        notes.mkdir(parents=True, exist_ok=True)
        (notes / "broken.md").write_bytes(b"---\ntitle: [\n---\n\xff")
        told = client.get(f"{API}/health")
        assert "broken.md" in told.text
        assert project.project.place.root not in told.text
        assert project.owner().home.path not in told.text


def _heron(below: str) -> Proposal:
    edit = Edit(CREATE, below, f"{below}-heron.md", "A purple heron.\n")
    return Proposal("memory", KNOWLEDGE, f"heron of {below}", "seen", "high", (edit,), key=below)


def test_a_team_s_server_finds_nothing_that_its_owner_keeps_for_every_project(
    project: Workspace,
) -> None:
    project.learn("the harbour relay listens on 9000")
    project.remember("I prefer purple herons", kind="preference", user=True)
    with Review(project) as review:
        places = (PROJECT, LEARNINGS, HOME)
        made = review.queue.propose([_heron(below) for below in places])
    served = ProjectPool(
        [project.project.place.root], project.owner().home.path, team=True, hosts=["testserver"]
    )
    with TestClient(application(served), headers=bearer(served)) as client:
        pages = f"/console/{project.project.key}"
        for path in ("memory", "find", "explore", "explore/research", "settings"):
            page = client.get(f"{pages}/{path}", params={"q": "purple"})
            assert page.status_code == 200, path
            assert "herons" not in page.text, path
        for tier in ("", "warm"):
            found = client.get(f"{API}/search", params={"q": "purple", "tier": tier})
            assert "herons" not in found.text
        told = client.get(f"{API}/proposals").json()["proposals"]
        assert [one["title"] for one in told] == ["heron of project"]
        for one in made[1:]:
            answer = client.post(f"{API}/proposals/{one.id}", json={"decision": "accept"})
            assert answer.status_code == 404
        inbox = client.get(f"{pages}/inbox").text
        assert "heron of project" in inbox
        assert "heron of home" not in inbox
        assert "heron of learnings" not in inbox
    with Review(project) as review:
        assert len(review.pending()) == 3, "the owner sees their own"


def test_what_was_put_before_the_owner_s_agents_is_not_told_to_others(project: Workspace) -> None:
    project.remember("Never deploy on Fridays", kind="constraint")
    project.remember("I prefer purple herons", kind="preference", user=True)
    project.briefs.note_injection(project.briefs.session(), session="s1", event="SessionStart")
    shown = {}
    for team in (False, True):
        served = ProjectPool(
            [project.project.place.root], project.owner().home.path, team=team, hosts=["testserver"]
        )
        with TestClient(application(served), headers=bearer(served)) as client:
            shown[team] = client.get(f"/console/{project.project.key}/sessions/s1").text
    assert "purple herons" in shown[False]
    assert "purple herons" not in shown[True]
    assert all("Never deploy on Fridays" in text for text in shown.values())


def test_a_user_is_not_shown_what_the_owner_said_in_a_session(project: Workspace) -> None:
    heard = "Never tell the herons where the ladder is."
    project.injections.note(Injection(1, "s-1", "UserPromptSubmit", "", 9, 9, 0, (), heard=heard))
    served = ProjectPool(
        [project.project.place.root], project.owner().home.path, team=True, hosts=["testserver"]
    )
    with TestClient(application(served), headers=bearer(served)) as client:
        page = client.get(f"/console/{project.project.key}/sessions/s-1")
    assert page.status_code == 200
    assert "herons" not in page.text
    assert as_readable(project, project.injections.all()[-1]).heard == heard


def test_over_mcp_no_path_is_told_and_nothing_kept_for_one_person(project: Workspace) -> None:
    served = ProjectPool(
        [project.project.place.root], project.owner().home.path, team=True, hosts=["testserver"]
    )
    with TestClient(application(served), headers=bearer(served)) as client:

        def asked(method: str, name: str, **given: object) -> str:
            params = {"name": name, "arguments": given}
            call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
            answer = client.post(f"{API}/mcp", json=call, headers={"accept": "application/json"})
            assert answer.status_code == 200, answer.text
            return answer.text

        assert "call the tool `remember`" in asked("prompts/get", "prime")
        refused = asked("tools/call", "remember", content="I like tabs", for_user=True)
        kept = client.get(f"{API}/memory").text
    assert "keeps nothing personal" in refused
    assert "tabs" not in kept

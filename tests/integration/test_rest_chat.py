"""Chats over both protocols of models: what the model is told, what is kept, what goes wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from integration.chat_server import PIECES, Manners, chat_server
from satchel.interfaces.http.main import application
from satchel.interfaces.http.server.project_pool import ProjectPool
from satchel.testing import temporary_workspace

API = "/api/projects/current"


@pytest.fixture(params=["anthropic", "openai"])
def chatting(
    request: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[TestClient, Manners, str]]:
    monkeypatch.setenv("CHAT_KEY", "secret-key")
    with chat_server() as (url, manners):
        chat = f"""[chat]
provider = "{request.param}"
url = "{url}"
model = "some-model"
key_name = "CHAT_KEY"
price_input = 3.0
price_output = 15.0
"""
        with temporary_workspace(git=True) as workspace:
            # Only a person chooses who is asked, and with which key: no repository does.
            Path(workspace.owner().home.path).mkdir(parents=True, exist_ok=True)
            Path(workspace.owner().home.configuration).write_text(chat, encoding="utf-8")
            workspace.remember("never touch the tunnel by hand", kind="constraint")
            tunnel = "def open_tunnel(key):\n    return key\n"
            Path(workspace.project.place.root, "tunnel.py").write_text(tunnel, encoding="utf-8")
            served = ProjectPool(
                [workspace.project.place.root], workspace.owner().home.path, hosts=["testserver"]
            )
            headers = {"authorization": f"Bearer {served.token}"}
            with TestClient(application(served), headers=headers) as client:
                yield client, manners, request.param


def asked(client: TestClient) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """Say something, and read the answer's events."""
    session = client.post(f"{API}/sessions", json={"title": "t"}).json()["id"]
    assert (
        client.post(
            f"{API}/chat/{session}", json={"message": "how do I reach staging?"}
        ).status_code
        == 202
    )
    return session, events_of(client, session)


def events_of(client: TestClient, session: str) -> list[tuple[str, dict[str, Any]]]:
    text = client.get(f"{API}/chat/{session}/stream").text
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_an_answer_is_streamed_and_kept_with_what_it_cost(
    chatting: tuple[TestClient, Manners, str],
) -> None:
    client, manners, provider = chatting
    session, events = asked(client)
    assert "".join(data["text"] for name, data in events if name == "delta") == "".join(PIECES)
    assert events[-1][0] == "done"
    path, headers, body = manners.asked[0]
    system = body["system"] if provider == "anthropic" else body["messages"][0]["content"]
    assert "never touch the tunnel by hand" in system
    assert body["messages"][-1] == {"role": "user", "content": "how do I reach staging?"}
    if provider == "anthropic":
        assert (path, headers["x-api-key"]) == ("/v1/messages", "secret-key")
        assert "authorization" not in headers
    else:
        assert (path, headers["authorization"]) == ("/chat/completions", "Bearer secret-key")
    shown = client.get(f"{API}/sessions/{session}").json()
    assert [one["role"] for one in shown["messages"]] == ["user", "assistant"]
    metrics = shown["metrics"]
    assert (metrics["totalInputTokens"], metrics["totalOutputTokens"]) == (120, 7)
    assert metrics["totalCostUsd"] == pytest.approx((120 * 3 + 7 * 15) / 1e6)
    assert events_of(client, session)[-1] == events[-1]  # asked again, it is not paid again
    assert len(manners.asked) == 1


def test_a_chat_sees_its_task_and_the_code(chatting: tuple[TestClient, Manners, str]) -> None:
    client, manners, provider = chatting
    task = client.post(
        f"{API}/tasks",
        json={
            "title": "Open the tunnel",
            "description": "With the new key.",
            "acceptance": "- nobody touches it by hand",
        },
    ).json()["id"]
    session = client.post(f"{API}/sessions", json={"beadId": task}).json()["id"]
    client.post(f"{API}/chat/{session}", json={"message": "where is open_tunnel implemented?"})
    assert events_of(client, session)[-1][0] == "done"
    body = manners.asked[0][2]
    system = body["system"] if provider == "anthropic" else body["messages"][0]["content"]
    assert "Open the tunnel" in system
    assert "With the new key." in system
    assert "- nobody touches it by hand" in system
    code = system.partition("<code-context>")[2].partition("</code-context>")[0]
    assert "def open_tunnel" in code


def test_a_stream_that_is_cut_keeps_what_came(chatting: tuple[TestClient, Manners, str]) -> None:
    client, manners, _ = chatting
    manners.cut = 4
    session, events = asked(client)
    assert "stopped in the middle" in dict(events)["error"]["detail"]
    kept = client.get(f"{API}/sessions/{session}").json()["messages"][-1]["content"]
    assert "".join(PIECES).startswith(kept.strip())
    assert kept


def test_errors_and_limits_of_the_model_are_told(chatting: tuple[TestClient, Manners, str]) -> None:
    client, manners, _ = chatting
    manners.statuses = [429]
    assert asked(client)[1][-1][0] == "done"  # asked again after the pause that it wanted
    manners.statuses = [401]
    assert "401" in dict(asked(client)[1])["error"]["detail"]
    manners.error = "overloaded"
    assert "overloaded" in dict(asked(client)[1])["error"]["detail"]
    manners.error, manners.nonsense = "", True
    assert "cannot be read" in dict(asked(client)[1])["error"]["detail"]


def test_without_a_model_a_chat_says_how_to_choose_one() -> None:
    with temporary_workspace(git=True) as workspace:
        root, home = workspace.project.place.root, workspace.owner().home.path
        served = ProjectPool([root], home, hosts=["testserver"])
        headers = {"authorization": f"Bearer {served.token}"}
        with TestClient(application(served), headers=headers) as client:
            (event,) = asked(client)[1]
    assert event[0] == "error"
    assert "chat.provider" in event[1]["hint"]

"""Without a database, too, a request with a key is done once, though its answer was lost."""

import time

import pytest

from integration.two_machines import API, BODY, machine
from satchel.core.ids import new_ulid
from satchel.engine.search.documents import Filter
from satchel.features.access.idempotency import IdempotencyStore, RequestName
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace


def repeated_at_home(project: Workspace, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[int]]:
    """Lose the answers of what is made with a key; return its ids, and how much there is then."""
    keep, told = IdempotencyStore._keep, set[str]()

    def claimed_alone(store: IdempotencyStore, fd: int, held: dict[str, object]) -> None:
        if "status" not in held:
            keep(store, fd, held)

    root, home = project.project.place.root, project.owner().home.path
    with machine(root, home) as one:
        asks = {"authorization": f"Bearer {one.served.token}"}
        first = {"title": "one", "start": True}
        began = one.client.post(f"{API}/sessions", headers=asks, json=first).json()
        monkeypatch.setattr(IdempotencyStore, "_keep", claimed_alone)
        for path, body in (
            (f"{API}/memory", BODY),
            (f"{API}/sessions", {"title": "another", "start": True}),
            (f"{API}/chat/{began['id']}", {"message": "Where does the tunnel end?"}),
        ):
            key = {**asks, "idempotency-key": "key"}
            answers = [one.client.post(path, headers=key, json=body) for _ in range(3)]
            assert all(answer.is_success for answer in answers), answers[-1].text
            told |= {f"{path} {answer.json()['id']}" for answer in answers}
    with project.sessions as sessions:
        said = sum(len(sessions.store.messages(one.id)) for one in sessions.store.every())
        begun = len(list(sessions.store.every()))
    return len(told), [len(project.memories.list(Filter(), 10, all_versions=True)), begun, said]


def test_in_a_home_too_what_was_written_is_not_written_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with temporary_workspace(git=True) as project:
        assert repeated_at_home(project, monkeypatch) == (3, [1, 2, 1])


def test_in_a_home_too_an_id_that_is_not_made_of_the_key_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Seeded bug."""
    monkeypatch.setattr(RequestName, "ident", lambda *_: new_ulid(int(time.time() * 1000)))
    with temporary_workspace(git=True) as project:
        ids, there = repeated_at_home(project, monkeypatch)
    assert (ids, there[1:]) == (9, [4, 3])

"""Answers by idempotency key: once among threads, again after a kill, gone after a day."""

import contextlib
import os
import resource
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from satchel.core.clock import FixedClock
from satchel.core.errors import ConflictError, NotWritableError
from satchel.core.ids import is_ulid
from satchel.features.access.idempotency import IdempotencyStore, RequestName, StoredResponse

NAME = RequestName("p-1", "ada", "POST", "/memory", "key")
OTHER = NAME._replace(key="other")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def kept(tmp_path: Path, clock: FixedClock) -> IdempotencyStore:
    return IdempotencyStore(str(tmp_path / "answers"), clock)


def test_what_was_answered_is_answered_again(kept: IdempotencyStore) -> None:
    done: list[int] = []

    def do(_: str) -> StoredResponse:
        done.append(1)
        return StoredResponse(201, {"id": len(done), "text": "schön \ud800"})

    first = kept.once(NAME, "a", do)
    assert first.value["id"] == 1
    assert kept.once(NAME, "a", do).value["id"] == 1
    assert kept.once(OTHER, "a", do).value["id"] == 2
    with pytest.raises(ConflictError, match="another request"):
        kept.once(NAME, "b", do)


def test_what_is_being_done_is_not_done_beside_it(kept: IdempotencyStore) -> None:
    begun, go = threading.Event(), threading.Event()

    def slowly(_: str) -> StoredResponse:
        begun.set()
        assert go.wait(20)
        return StoredResponse(201, 1)

    thread = threading.Thread(target=kept.once, args=(NAME, "a", slowly))
    thread.start()
    assert begun.wait(20)
    with pytest.raises(ConflictError, match="being answered"):
        kept.once(NAME, "a", lambda _: StoredResponse(201, 2))
    go.set()
    thread.join()
    assert kept.once(NAME, "a", lambda _: StoredResponse(201, 2)) == StoredResponse(201, 1)


def test_what_failed_and_what_was_cut_off_is_done_again(
    kept: IdempotencyStore, tmp_path: Path
) -> None:
    with pytest.raises(ZeroDivisionError):
        kept.once(NAME, "a", lambda _: StoredResponse(1 // 0, None))
    assert kept.once(NAME, "a", lambda _: StoredResponse(201, 2)) == StoredResponse(201, 2)
    (path,) = (tmp_path / "answers").iterdir()
    path.write_bytes(path.read_bytes()[:-9])
    assert kept.once(NAME, "a", lambda _: StoredResponse(201, 3)) == StoredResponse(201, 3)


def test_what_is_done_again_writes_under_the_same_id(
    kept: IdempotencyStore, clock: FixedClock
) -> None:
    told: list[str] = []

    def killed(ident: str) -> StoredResponse:
        told.append(ident)
        raise KeyboardInterrupt

    for asked in ("a", "a", "b"):
        with pytest.raises(KeyboardInterrupt):
            kept.once(NAME, asked, killed)
        clock.advance(60)
    assert told[0] == told[1]
    assert told[2] != told[0], "another body writes something else"
    assert all(map(is_ulid, told))


def test_answers_are_kept_for_a_day(
    kept: IdempotencyStore, clock: FixedClock, tmp_path: Path
) -> None:
    kept.once(NAME, "a", lambda _: StoredResponse(201, 1))
    (path,) = (tmp_path / "answers").iterdir()
    os.utime(path, (clock.now() - 90_000,) * 2)
    clock.advance(90_000)
    again = IdempotencyStore(str(tmp_path / "answers"), clock)
    again.once(OTHER, "a", lambda _: StoredResponse(201, 2))
    assert not path.exists()
    assert again.once(NAME, "b", lambda _: StoredResponse(201, 3)) == StoredResponse(201, 3)


@contextlib.contextmanager
def files_of(most: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_was_done_is_answered_though_its_answer_cannot_be_kept(
    kept: IdempotencyStore, clock: FixedClock
) -> None:
    """The size of a file is limited, as a full disk does."""
    told: list[str] = []

    def do(ident: str) -> StoredResponse:
        told.append(ident)
        return StoredResponse(201, {"id": 1, "text": "x" * 99})

    with files_of(120):
        first = kept.once(NAME, "a", do)
    assert first.value["id"] == 1
    clock.advance(60)
    assert kept.once(NAME, "a", do) == first
    assert told[0] == told[1], "when it began was kept: what is written again has the same id"


def test_what_could_be_done_twice_is_not_done(kept: IdempotencyStore) -> None:
    """Without a mark of when it began, a repeated request would write something new."""
    with files_of(10), pytest.raises(NotWritableError):
        kept.once(NAME, "a", lambda _: pytest.fail("it is not done"))
    assert kept.once(NAME, "a", lambda _: StoredResponse(201, 2)) == StoredResponse(201, 2)


def test_no_answer_is_kept_with_a_secret(kept: IdempotencyStore, tmp_path: Path) -> None:
    token = "ghp_" + "aB3dE5fG7h" * 4
    said = kept.once(NAME, "a", lambda _: StoredResponse(201, {"title": f"with {token}"}))
    assert token in said.value["title"], "whoever sent it sees what they sent"
    (path,) = (tmp_path / "answers").iterdir()
    assert token not in path.read_text()

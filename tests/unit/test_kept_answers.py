"""Answers by idempotency key: once among threads, again after a kill, gone after a day."""

import os
import resource
import threading
from pathlib import Path

import pytest

from satchel.core.clock import FixedClock
from satchel.core.errors import ConflictError
from satchel.features.access.idempotency import IdempotencyStore, StoredResponse

NAME = ("ada", "POST", "/memory", "p-1", "key")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def kept(tmp_path: Path, clock: FixedClock) -> IdempotencyStore:
    return IdempotencyStore(str(tmp_path / "answers"), clock)


def test_what_was_answered_is_answered_again(kept: IdempotencyStore) -> None:
    done: list[int] = []

    def do() -> StoredResponse:
        done.append(1)
        return StoredResponse(201, {"id": len(done), "text": "schön \ud800"})

    first = kept.once(NAME, "a", do)
    assert first.value["id"] == 1
    assert kept.once(NAME, "a", do).value["id"] == 1
    assert kept.once((*NAME[:-1], "other"), "a", do).value["id"] == 2
    with pytest.raises(ConflictError, match="another request"):
        kept.once(NAME, "b", do)


def test_what_is_being_done_is_not_done_beside_it(kept: IdempotencyStore) -> None:
    begun, go = threading.Event(), threading.Event()

    def slowly() -> StoredResponse:
        begun.set()
        assert go.wait(20)
        return StoredResponse(201, 1)

    thread = threading.Thread(target=kept.once, args=(NAME, "a", slowly))
    thread.start()
    assert begun.wait(20)
    with pytest.raises(ConflictError, match="being answered"):
        kept.once(NAME, "a", lambda: StoredResponse(201, 2))
    go.set()
    thread.join()
    assert kept.once(NAME, "a", lambda: StoredResponse(201, 2)) == StoredResponse(201, 1)


def test_what_failed_and_what_was_cut_off_is_done_again(
    kept: IdempotencyStore, tmp_path: Path
) -> None:
    with pytest.raises(ZeroDivisionError):
        kept.once(NAME, "a", lambda: StoredResponse(1 // 0, None))
    assert kept.once(NAME, "a", lambda: StoredResponse(201, 2)) == StoredResponse(201, 2)
    (path,) = (tmp_path / "answers").iterdir()
    path.write_bytes(path.read_bytes()[:-9])
    assert kept.once(NAME, "a", lambda: StoredResponse(201, 3)) == StoredResponse(201, 3)


def test_answers_are_kept_for_a_day(
    kept: IdempotencyStore, clock: FixedClock, tmp_path: Path
) -> None:
    kept.once(NAME, "a", lambda: StoredResponse(201, 1))
    (path,) = (tmp_path / "answers").iterdir()
    os.utime(path, (clock.now() - 90_000,) * 2)
    clock.advance(90_000)
    again = IdempotencyStore(str(tmp_path / "answers"), clock)
    again.once((*NAME[:-1], "other"), "a", lambda: StoredResponse(201, 2))
    assert not path.exists()
    assert again.once(NAME, "b", lambda: StoredResponse(201, 3)) == StoredResponse(201, 3)


def test_what_was_done_is_answered_though_its_answer_cannot_be_kept(kept: IdempotencyStore) -> None:
    """The size of a file is limited, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        answer = kept.once(NAME, "a", lambda: StoredResponse(201, {"id": 1}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert answer == StoredResponse(201, {"id": 1})

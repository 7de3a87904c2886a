"""Responses by idempotency key in a database: done once, whichever machine's server is asked.

A worker takes a request in the database before it does it, and gives signs of life while it does.
Another takes it over once there was none for `SILENCE` seconds: the first was killed. It does the
request under the same id, so that what the first had written already is found, not written again.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator

from satchel.core.errors import SatchelError
from satchel.features.access.idempotency import (
    Idempotency,
    IdempotencyStore,
    RequestName,
    StoredResponse,
    being_answered,
    mark_of,
    used_otherwise,
)
from satchel.project.server import ServerStore
from satchel.project.server_documents import SharedDocuments

#: Seconds without a sign of life after which a request is another's to do, and between two signs.
SILENCE, SIGN_EVERY = 15.0, 4.0
_BYTES = 16
#: Ended answers of a project are looked for whenever so many were kept.
_SWEEP = 200


class SharedIdempotency:
    """The stored responses of every server of a database.

    Args:
        responses: those of a project.
    """

    def __init__(self, responses: Callable[[str], SharedDocuments]) -> None:
        self._responses = responses
        self._kept: Counter[str] = Counter()

    def once(
        self, name: RequestName, asked: str, do: Callable[[str], StoredResponse]
    ) -> StoredResponse:
        """Run a request, or return the stored response; see `Idempotency`."""
        answers, holder = self._responses(name.project), os.urandom(_BYTES).hex()
        key, mark = name.mark, mark_of(asked)
        began = answers.claim(key, holder, mark, SILENCE)
        if not began:
            return _answered(answers, key, mark)
        try:
            with _alive(lambda: answers.renew(key, holder)):
                answer = do(name.ident(began, asked))
        except BaseException:
            with contextlib.suppress(SatchelError):
                answers.release(key, holder)
            raise
        # What is done is done: whoever asks again finds what was written, under its id.
        with contextlib.suppress(SatchelError):
            answers.keep(key, holder, answer._asdict())
            if self._kept[name.project] % _SWEEP == 0:
                answers.sweep()
            self._kept[name.project] += 1
        return answer


def idempotency_of(store: ServerStore) -> Idempotency:
    """Return a server's responses, where its state lies."""
    if store.database is None:
        return IdempotencyStore(store.answers, store.clock)
    return SharedIdempotency(store.shared_answers)


def _answered(answers: SharedDocuments, key: str, mark: str) -> StoredResponse:
    held = answers.claimed(key)
    if held is not None and held[0] not in ("", mark):
        raise used_otherwise()
    if held is None or held[1] is None:
        raise being_answered()
    return StoredResponse(int(held[1]["status"]), held[1]["value"])


@contextlib.contextmanager
def _alive(renew: Callable[[], None]) -> Iterator[None]:
    """Give signs of life for what takes longer than most requests."""
    ended = threading.Event()

    def signs() -> None:
        while not ended.wait(SIGN_EVERY):
            with contextlib.suppress(SatchelError):
                renew()

    threading.Thread(target=signs, name="idempotency", daemon=True).start()
    try:
        yield
    finally:
        ended.set()

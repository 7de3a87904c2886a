"""Responses by idempotency key in a database: a request runs once, on whichever machine's server.

A worker claims a request in the database before running it, and sends heartbeats meanwhile. After
`SILENCE` seconds without one, the worker was killed and another takes over. It runs the request
under the same id, so that what the first had already written is found, not written again.
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
    kept_fields,
    mark_of,
    used_otherwise,
)
from satchel.project.server import ServerStore
from satchel.project.server_documents import SharedDocuments

#: Seconds without a heartbeat after which another may take over a request, and between heartbeats.
SILENCE, SIGN_EVERY = 15.0, 4.0
_BYTES = 16
#: After how many stored answers of a project to look for expired ones.
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
        # The work is done: a repeated request finds what was written, under its id.
        with contextlib.suppress(SatchelError):
            answers.keep(key, holder, kept_fields(answer))
            if self._kept[name.project] % _SWEEP == 0:
                answers.sweep()
            self._kept[name.project] += 1
        return answer


def idempotency_of(store: ServerStore) -> Idempotency:
    """Return a server's responses, where its state is stored."""
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
    """Send heartbeats for long requests."""
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

"""The configured models, opened on first use, and the vectors made with them."""

from __future__ import annotations

from _thread import RLock

from satchel.core.errors import BusyError, NotWritableError, SatchelError
from satchel.core.values import NamedTuple
from satchel.storage.locks import FileLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from satchel.engine.inference.contracts import Embedder, Generator
    from satchel.engine.inference.model_choice import ModelChoice
    from satchel.engine.inference.static import StaticTable
    from satchel.engine.search.contracts import DocumentVectors, SearchIndex
    from satchel.storage.settings.table import Settings

#: Longest that a caller waits for another process that is embedding, seconds.
LOCK_SECONDS = 300.0


class EmbeddingReport(NamedTuple):
    """The result of embedding: documents done, and documents waiting.

    `busy` is true if another process is embedding; `why` says why there is no model.
    """

    done: int
    left: int
    busy: bool = False
    why: str = ""


class Models:
    """The models of a project or user. Threads share them: each is loaded once."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._loading = RLock()
        self._embedder: Embedder | None = None
        self._opened = False
        self._vectors: dict[int, tuple[SearchIndex, DocumentVectors]] = {}
        self._table: StaticTable | None = None
        #: The last reworded question, with its rewordings.
        self._wordings: dict[str, Sequence[str]] = {}
        #: The reason if a requested model is missing.
        self.why = ""

    def embedder(self) -> Embedder | None:
        """The embedding model; None if none is configured or installed."""
        with self._loading:
            if not self._opened:
                self._opened = True
                self._embedder = self._open_embedder()
        return self._embedder

    def _open_embedder(self) -> Embedder | None:
        from satchel.engine.inference.model_choice import EMBED, open_embedder

        choice, key = self._choice("model.embed", EMBED)
        threads = self._settings.integer("model.threads")
        opened = open_embedder(choice, key=key, threads=threads, tell=self._note)
        if opened is None and not self.why:
            self.why = "The setting model.embed is `none`."
        return opened

    def _choice(self, setting: str, task: str) -> tuple[ModelChoice, str]:
        """Return the model that a setting names, with its key."""
        from satchel.engine.inference.model_choice import choice_of
        from satchel.storage.settings.environment import secret_named

        key_name = self._settings.text("model.key_name")
        choice = choice_of(
            self._settings.text(setting),
            task,
            url=self._settings.text("model.url"),
            plain_http=self._settings.flag("model.plain_http"),
        )
        return choice, secret_named(key_name)

    @property
    def reranks(self) -> bool:
        """Whether a separate reranker is configured; late interaction is part of search."""
        return self._settings.text("model.rerank") not in ("none", "built-in-maxsim")

    def reranking(self) -> Callable[[str, Sequence[str]], Sequence[float]] | None:
        """Return a separate reranker's scoring function; late interaction needs none."""
        if not self.reranks:
            return None
        from satchel.engine.inference.failures import ModelUnavailableError
        from satchel.engine.inference.model_choice import RERANK, open_reranker

        choice, key = self._choice("model.rerank", RERANK)
        opened = open_reranker(choice, key=key, tell=self._note)
        if opened is None:
            return None

        def scores(question: str, texts: Sequence[str]) -> Sequence[float]:
            """Score texts; if the model fails, their order is unchanged."""
            try:
                return opened.scores(question, texts)
            except ModelUnavailableError as error:
                self._note(_format_error(error))
                return ()

        return scores

    def expansion(self) -> Callable[[str], Sequence[str]] | None:
        """Return the query expansion function, if enabled."""
        generator = self.generator() if self._settings.flag("model.expand") else None
        if generator is None:
            return None
        from satchel.engine.inference.expansion import expanded

        def wordings(asked: str) -> Sequence[str]:
            """Expand a question, once for all indexes."""
            if asked not in self._wordings:
                self._wordings = {asked: expanded(asked, generator, tell=self._note)}
            return self._wordings[asked]

        return wordings

    def generator(self) -> Generator | None:
        """The generating model; None if none is configured."""
        from satchel.engine.inference.model_choice import GENERATE, open_generator

        choice, key = self._choice("model.generate", GENERATE)
        return open_generator(choice, key=key)

    def _note(self, why: str) -> None:
        self.why = why

    def table(self) -> StaticTable | None:
        """The static table for cold searches; None if not installed or not wanted."""
        with self._loading:
            if self._table is None and self._settings.text("model.embed") != "none":
                from satchel.engine.inference.static import open_table

                self._table = open_table()
        return self._table

    def vectors(self, index: SearchIndex) -> DocumentVectors | None:
        """An index's vectors under the configured model; None without one."""
        held = self._vectors.get(id(index))
        if held is not None and held[0] is index:
            return held[1]
        embedder = self.embedder()
        if embedder is None:
            return None
        table = self.table()
        codes = (
            None if table is None else lambda texts: list(map(bytes, table.codes_of_many(texts)))
        )
        from satchel.engine.inference.failures import ModelUnavailableError

        try:
            made = index.vectors(embedder, codes)
        except (BusyError, ModelUnavailableError, NotWritableError) as error:
            # If a server is down or a disk full, words answer without vectors.
            self._note(_format_error(error))
            return None
        made.tell = self._note
        self._vectors[id(index)] = (index, made)
        return made

    def embed(
        self,
        index: SearchIndex,
        lock: str,
        *,
        patience: float = 0.0,
        progress: Callable[[int, int], None] | None = None,
    ) -> EmbeddingReport:
        """Embed an index's waiting documents.

        One process at a time. Finished work is kept if interrupted.

        Args:
            lock: path of the lock file.
            patience: seconds to wait for another process; 0 leaves the work to it.
            progress: called with how many of how many are done.

        Raises:
            BusyError: another process took longer than `patience`.
        """
        vectors = self.vectors(index)
        try:
            # Even without a model: the file's time says when somebody last tried.
            with FileLock(lock, timeout=patience if vectors else 0.0):
                if vectors is None:
                    return EmbeddingReport(0, 0, why=self.why)
                return _embedded(vectors, progress)
        except BusyError as error:
            if not patience or vectors is None:
                return EmbeddingReport(
                    0, vectors.waiting() if vectors else 0, busy=True, why=self.why
                )
            raise BusyError(
                f"Another process has been making vectors for more than {patience:.0f} s.",
                hint="Let it finish, or stop it; then run the command again. Nothing is lost.",
            ) from error
        except NotWritableError as error:
            return EmbeddingReport(
                0, vectors.waiting() if vectors else 0, why=self.why or str(error)
            )


def _embedded(
    vectors: DocumentVectors, progress: Callable[[int, int], None] | None
) -> EmbeddingReport:
    """Embed until nothing waits or an error occurs; finished work is kept."""
    from satchel.engine.inference.failures import ModelUnavailableError

    total, done = vectors.waiting(), 0
    try:
        while more := vectors.embed_waiting():
            done += more
            if progress is not None:
                progress(done, max(total, done))
    except BusyError:
        return EmbeddingReport(done, vectors.waiting(), busy=True)
    except (ModelUnavailableError, NotWritableError) as error:
        return EmbeddingReport(done, vectors.waiting(), why=_format_error(error))
    return EmbeddingReport(done, vectors.waiting())


def _format_error(error: SatchelError) -> str:
    return f"{str(error).rstrip('.')}. {error.hint}".strip()

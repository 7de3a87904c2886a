"""Opens the model that a setting names.

A setting is `built-in`, `static`, `none`, a preset's name, `PROVIDER:MODEL`, or `PROVIDER:PRESET`
for a preset at a provider other than its usual one.
"""

from __future__ import annotations

from collections.abc import Callable

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.engine.inference.contracts import Embedder, Generator, Reranker

#: What a model does.
EMBED, RERANK, GENERATE = "embed", "rerank", "generate"


class Preset(NamedTuple):
    """A known model.

    Fields:
        task: `embed`, `rerank` or `generate`.
        provider: its default provider.
        names: the model's name by provider.
        dimensions: length of a vector; 0 where there is none.
        query_prefix: prepended to texts that ask.
        document_prefix: prepended to texts that answer.
    """

    task: str
    provider: str
    names: dict[str, str]
    dimensions: int = 0
    query_prefix: str = ""
    document_prefix: str = ""


PRESETS: dict[str, Preset] = {
    "built-in": Preset(EMBED, "built-in", {"built-in": "all-MiniLM-L6-v2"}, 384),
    "static": Preset(EMBED, "static", {"static": "all-MiniLM-L6-v2"}, 384),
    "bge-small-en-v1.5": Preset(
        EMBED,
        "fastembed",
        {
            "fastembed": "BAAI/bge-small-en-v1.5",
            "sentence-transformers": "BAAI/bge-small-en-v1.5",
            "openai": "bge-small-en-v1.5",
        },
        384,
        query_prefix="Represent this sentence for searching relevant passages: ",
    ),
    "embedding-gemma-300M": Preset(
        EMBED,
        "ollama",
        {
            "ollama": "embeddinggemma",
            "sentence-transformers": "google/embeddinggemma-300m",
            "openai": "embeddinggemma-300M",
        },
        768,
        query_prefix="task: search result | query: ",
        document_prefix="title: none | text: ",
    ),
    "all-mpnet-base-v2": Preset(
        EMBED,
        "sentence-transformers",
        {
            "sentence-transformers": "sentence-transformers/all-mpnet-base-v2",
            "openai": "all-mpnet-base-v2",
        },
        768,
    ),
    "qwen3-reranker-0.6b": Preset(
        RERANK,
        "openai",
        {"openai": "qwen3-reranker-0.6b", "sentence-transformers": "Qwen/Qwen3-Reranker-0.6B"},
    ),
    "qmd-query-expansion-1.7B": Preset(
        GENERATE,
        "openai",
        {"openai": "qmd-query-expansion-1.7B", "ollama": "qmd-query-expansion-1.7B"},
    ),
}


NONE = "none"
BUILT_IN = "built-in"
STATIC = "static"
MAXSIM = "built-in-maxsim"
#: Providers whose models have names, by task.
PROVIDERS = {
    EMBED: ("ollama", "openai", "sentence-transformers", "fastembed"),
    RERANK: ("openai", "sentence-transformers"),
    GENERATE: ("ollama", "openai"),
}
#: Choices without a model's name, by task.
_PLAIN = {EMBED: (NONE, BUILT_IN, STATIC), RERANK: (NONE, MAXSIM), GENERATE: (NONE,)}
_USUAL_URLS = {"ollama": "http://127.0.0.1:11434", "openai": "http://127.0.0.1:8080"}
_NOT_BUILT = (
    "The built-in model is not installed: search works with keywords and graph only. "
    "`make` builds it when the network is there."
)


class ModelChoice(NamedTuple):
    """A model, and how to reach it.

    Fields:
        provider: `built-in`, `static`, `none`, `built-in-maxsim`, or one of PROVIDERS.
        model: its name there.
        url: the server's URL; empty for the provider's default on this machine.
        dimensions: length of a vector; 0 asks the model.
        query_prefix: prepended to texts that ask.
        document_prefix: prepended to texts that answer.
        plain_http: allow unencrypted http to other machines.
    """

    provider: str
    model: str = ""
    url: str = ""
    dimensions: int = 0
    query_prefix: str = ""
    document_prefix: str = ""
    plain_http: bool = False


def choice_of(
    text: str, task: str = EMBED, *, url: str = "", plain_http: bool = False
) -> ModelChoice:
    """Parse a setting.

    Args:
        text: `built-in`, `ollama:nomic-embed-text`, a preset's name, ...
        task: `embed`, `rerank` or `generate`.
        url: of the server, for providers that have one.
        plain_http: allow unencrypted http to other machines.

    Raises:
        BadInputError: there is no such provider or preset for this task.
    """
    text = text.strip()
    if text in _PLAIN[task]:
        return ModelChoice(text)
    provider, colon, name = text.partition(":")
    preset = PRESETS.get(name if colon else text)
    if preset is not None and preset.task == task:
        provider = provider if colon else preset.provider
        name = preset.names.get(provider, "")
    else:
        preset = Preset(task, provider, {})
    if provider not in PROVIDERS[task] or not name:
        offered = [*_PLAIN[task], *(n for n, p in PRESETS.items() if p.task == task)]
        raise BadInputError(
            f"`{text}` names no model to {task} with.",
            hint=f"Use PROVIDER:MODEL with a provider of {', '.join(PROVIDERS[task])}; "
            f"or one of {', '.join(dict.fromkeys(offered))}.",
        )
    return ModelChoice(
        provider,
        name,
        url or _USUAL_URLS.get(provider, ""),
        dimensions=preset.dimensions,
        query_prefix=preset.query_prefix,
        document_prefix=preset.document_prefix,
        plain_http=plain_http,
    )


def open_embedder(
    choice: ModelChoice,
    *,
    key: str = "",
    threads: int = 0,
    tell: Callable[[str], None] | None = None,
) -> Embedder | None:
    """Open the embedding model.

    Servers and packages load their model on first use, not here.

    Args:
        key: the key itself, if one is needed.
        threads: how many a model in this process may use; 0 for its default.
        tell: called with the reason if the chosen model is missing.

    Returns:
        The model; None if none was chosen or it is not installed.
    """
    if choice.provider == BUILT_IN:
        from satchel.engine.inference.built_in import open_built_in

        model = open_built_in(threads)
        if model is None:
            _say(tell, _NOT_BUILT)
        return model
    if choice.provider == STATIC:
        from satchel.engine.inference.static import StaticEmbedder, open_table

        table = open_table()
        if table is None:
            _say(tell, _NOT_BUILT)
            return None
        return StaticEmbedder(table)
    if choice.provider == NONE:
        return None
    if choice.provider in ("sentence-transformers", "fastembed"):
        return _of_a_package(choice, threads, tell)
    from satchel.engine.inference.http_calls import Endpoint
    from satchel.engine.inference.http_endpoints import HttpEmbedder

    return HttpEmbedder(
        Endpoint(choice.url, key=key, plain_http=choice.plain_http),
        choice.provider,
        choice.model,
        dimensions=choice.dimensions,
        query_prefix=choice.query_prefix,
        document_prefix=choice.document_prefix,
    )


def _of_a_package(
    choice: ModelChoice, threads: int, tell: Callable[[str], None] | None
) -> Embedder | None:
    """Open an embedder run by another Python package."""
    from satchel.engine.inference import packages

    if not packages.is_installed(choice.provider):
        _say(tell, _package(choice.provider))
        return None
    prefixes = {"query_prefix": choice.query_prefix, "document_prefix": choice.document_prefix}
    if choice.provider == packages.FASTEMBED:
        return packages.FastembedEmbedder(choice.model, threads=threads, **prefixes)
    return packages.SentenceTransformersEmbedder(
        choice.model, dimensions=choice.dimensions, **prefixes
    )


def open_reranker(
    choice: ModelChoice, *, key: str = "", tell: Callable[[str], None] | None = None
) -> Reranker | None:
    """Open the reranking model; see `open_embedder`."""
    if choice.provider in (NONE, MAXSIM):
        return None  # late interaction is part of search; see `VectorScoring`
    if choice.provider == "sentence-transformers":
        from satchel.engine.inference import packages

        if not packages.is_installed(choice.provider):
            _say(tell, _package(choice.provider))
            return None
        return packages.CrossEncoderReranker(choice.model)
    from satchel.engine.inference.http_calls import Endpoint
    from satchel.engine.inference.http_endpoints import HttpReranker

    return HttpReranker(Endpoint(choice.url, key=key, plain_http=choice.plain_http), choice.model)


def open_generator(choice: ModelChoice, *, key: str = "") -> Generator | None:
    """Open the generating model; None if none is configured."""
    if choice.provider == NONE:
        return None
    from satchel.engine.inference.http_calls import Endpoint
    from satchel.engine.inference.http_endpoints import HttpGenerator

    endpoint = Endpoint(choice.url, key=key, plain_http=choice.plain_http)
    return HttpGenerator(endpoint, choice.provider, choice.model)


def _say(tell: Callable[[str], None] | None, why: str) -> None:
    if tell:
        tell(why)


def _package(name: str) -> str:
    return f"The package {name} is not installed: `pip install {name}`, or choose `built-in`."

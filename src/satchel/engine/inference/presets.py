"""Known models by name: each provider's name for them, and their prompts.

The prefixes are those of the models' own cards. Nothing here is downloaded; a preset only saves
looking these names up.
"""

from __future__ import annotations

from satchel.core.values import NamedTuple

#: What a model does.
EMBED, RERANK, GENERATE = "embed", "rerank", "generate"


class Preset(NamedTuple):
    """A known model.

    Fields:
        task: `embed`, `rerank` or `generate`.
        provider: who runs it unless the person says otherwise.
        names: the model's name by provider.
        dimensions: length of a vector; 0 where there is none.
        query_prefix: prepended to texts that ask.
        document_prefix: prepended to texts that answer.
        pooling: how token vectors become one, for servers that must be told: mean, cls, last.
    """

    task: str
    provider: str
    names: dict[str, str]
    dimensions: int = 0
    query_prefix: str = ""
    document_prefix: str = ""
    pooling: str = ""


PRESETS: dict[str, Preset] = {
    "built-in": Preset(EMBED, "built-in", {"built-in": "all-MiniLM-L6-v2"}, 384, pooling="mean"),
    "static": Preset(EMBED, "static", {"static": "all-MiniLM-L6-v2"}, 384, pooling="sum"),
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
        pooling="cls",
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
        pooling="mean",
    ),
    "all-mpnet-base-v2": Preset(
        EMBED,
        "sentence-transformers",
        {
            "sentence-transformers": "sentence-transformers/all-mpnet-base-v2",
            "openai": "all-mpnet-base-v2",
        },
        768,
        pooling="mean",
    ),
    "qwen3-reranker-0.6b": Preset(
        RERANK,
        "openai",
        {"openai": "qwen3-reranker-0.6b", "sentence-transformers": "Qwen/Qwen3-Reranker-0.6B"},
        pooling="last",
    ),
    "qmd-query-expansion-1.7B": Preset(
        GENERATE,
        "openai",
        {"openai": "qmd-query-expansion-1.7B", "ollama": "qmd-query-expansion-1.7B"},
    ),
}

"""Reranking by late interaction: each query token is matched with its best text token.

The score is the mean over the query's tokens of the greatest cosine with a token of the text
(MaxSim of ColBERT, Khattab and Zaharia 2020, over an encoder that was not trained for it).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from satchel.engine.inference.contracts import Rows, TokenEmbedder


class MaxSimReranker:
    """Scores from -1 to 1.

    Args:
        embedder: gives the vectors of tokens.
    """

    __slots__ = ("_embedder",)

    def __init__(self, embedder: TokenEmbedder) -> None:
        self._embedder = embedder

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the score per text; 0 if query or text has no token."""
        asked, *tokens = self._embedder.token_vectors([query, *texts])
        return scores_of_tokens(asked, tokens)


def scores_of_tokens(asked: Rows, texts: Sequence[Rows]) -> list[float]:
    """Return the score per text from precomputed vectors (in an index, say).

    Args:
        asked: unit vectors of the query's tokens [tokens, dimensions].
        texts: unit vectors of each text's tokens [tokens, dimensions].
    """
    if not len(asked):
        return [0.0] * len(texts)
    return [
        float((asked @ tokens.T).max(axis=1).mean()) if len(tokens) else 0.0 for tokens in texts
    ]

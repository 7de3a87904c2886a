"""Counts tokens: exactly with a model's tokenizer file, otherwise as a labelled estimate.

Vendors of closed models publish no tokenizer, so for them every local count is an estimate. The
estimate is bytes / 4, raised for families that split text finer; it errs on the high side for prose
and code, so that what is said to fit does fit.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from satchel.core.errors import BadInputError
from satchel.core.token_budget import estimate_tokens
from satchel.core.values import NamedTuple

#: Family -> tokens its models make of text estimated at 100 by bytes / 4. Vendors publish no
#: tokenizer to measure with: the figures are on the high side of what their documentation says
#: about characters per token (Claude 3.5, the others 4).
FAMILIES = {"claude": 115, "gpt": 100, "gemini": 100, "llama": 105, "qwen": 105, "mistral": 110}


class TokenCount(NamedTuple):
    """How tokens are counted: the function, the model, and whether it is exact."""

    count: Callable[[str], int]
    name: str
    exact: bool

    @property
    def label(self) -> str:
        """Return the label for counts: `estimated for claude`, or the tokenizer's name."""
        return f"by {self.name}" if self.exact else f"estimated for {self.name}"


def token_count_for(model: str, tokenizer: str = "") -> TokenCount:
    """Return how to count tokens for a model.

    Args:
        model: name of a model or its family; "" for any.
        tokenizer: path of a Hugging Face `tokenizer.json`; "" to estimate.

    Raises `BadInputError` if the file cannot be used.
    """
    if tokenizer:
        return _exact(os.path.expanduser(tokenizer))
    family = next((name for name in FAMILIES if name in model.lower()), "")
    share = FAMILIES.get(family, 100)
    if share == 100:  # noqa: PLR2004 -- per cent
        return TokenCount(estimate_tokens, family or "any model", exact=False)
    return TokenCount(lambda text: (estimate_tokens(text) * share + 99) // 100, family, exact=False)


def _exact(path: str) -> TokenCount:
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise BadInputError(
            "Exact counts need `tokenizers`, which is not installed.",
            hint="pip install 'satchel[tokenizers]'",
        ) from None
    if not os.path.isfile(path):
        raise BadInputError(
            f"There is no tokenizer at {path}.",
            hint="`tokens.tokenizer` takes the path of a tokenizer.json; empty estimates.",
        )
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # noqa: BLE001 -- the library raises plain Exception
        raise BadInputError(
            f"{path} is not a tokenizer: {error}.",
            hint="It should be a Hugging Face tokenizer.json.",
        ) from None
    name = os.path.basename(os.path.dirname(path)) or os.path.basename(path)
    return TokenCount(
        lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids), name, exact=True
    )

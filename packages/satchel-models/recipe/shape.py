"""The figures of the model's own config.json, and what its weights are to us."""

from __future__ import annotations

import numpy as np

LAYERS = 6
HIDDEN = 384
HEADS = 12
EPSILON = 1e-12
#: The token that opens a text, and the one that closes it.
OPEN, CLOSE = 101, 102

#: float32 arrays by the names that the checkpoint gives them.
Weights = dict[str, np.ndarray]

"""Words that mean the opposite of each other in a rule."""

from __future__ import annotations

_PAIRS = (
    ("tabs", "spaces"),
    ("tab", "space"),
    ("single", "double"),
    ("before", "after"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("allow", "forbid"),
    ("allowed", "forbidden"),
    ("on", "off"),
    ("true", "false"),
    ("first", "last"),
    ("sync", "async"),
    ("always", "never"),
    ("include", "exclude"),
    ("add", "remove"),
    ("merge", "rebase"),
    ("camelcase", "snake_case"),
    ("let", "const"),
    ("required", "optional"),
    ("public", "private"),
    ("with", "without"),
    ("use", "avoid"),
    ("upper", "lower"),
    ("uppercase", "lowercase"),
    ("more", "less"),
    ("above", "below"),
    ("yes", "no"),
    ("ascending", "descending"),
    ("mutable", "immutable"),
    ("parallel", "serially"),
    ("sequentially", "concurrently"),
)
#: Word -> its opposite.
OPPOSITE = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}

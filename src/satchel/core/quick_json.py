"""JSON without importing `json`, which costs as much as half a bare Python start.

CPython's `json` is a thin wrapper around two C functions; hooks call those directly. Interpreters
without them fall back to the package.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    from _json import encode_basestring as _encode_text
    from _json import encode_basestring_ascii as _encode_ascii
    from _json import make_encoder as _make_encoder
    from _json import make_scanner as _make_scanner
except ImportError:  # another Python than CPython
    _make_scanner = None  # type: ignore[assignment,misc]

_BLANK = " \t\r\n"


def _finite(text: str) -> float:
    """Parse a number, rejecting those that cannot be written again, such as 1e999."""
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text[:20]} is out of range")
    return number


class _Reading:
    """The settings that the C scanner reads from its decoder."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = staticmethod(_finite)
    parse_int = int
    memo: dict[str, str] = {}  # noqa: RUF012

    @staticmethod
    def parse_constant(name: str) -> float:
        raise ValueError(f"{name} is not JSON")


def loads(text: str) -> Any:
    """Parse a JSON value. Raises ValueError, also for trailing text or deep nesting."""
    text = text.strip(_BLANK + "\ufeff")
    if not text:
        raise ValueError("nothing is not JSON")  # usually the file does not exist
    if _make_scanner is None:
        import json

        return json.loads(text, strict=False, parse_float=_finite)
    try:
        value, end = _make_scanner(_Reading)(text, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError):
        # The scanner builds its errors with the package, and crashes if that is not loaded.
        import json

        return json.loads(text, strict=False, parse_float=_finite)
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    if end != len(text):
        raise ValueError("more than one JSON value")
    return value


def dumps(value: Any) -> str:
    """Encode a value as compact JSON, leaving non-ASCII as is. Raises ValueError or TypeError."""
    if _make_scanner is None:
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    encoder = _make_encoder({}, _unsupported, _encode_text, None, ":", ",", False, False, False)
    return "".join(encoder(value, 0))


def canonical(value: Any) -> str:
    """Encode a value canonically for hashing: ASCII, sorted keys, no spaces."""
    if _make_scanner is None:
        import json

        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    encoder = _make_encoder({}, _unsupported, _encode_ascii, None, ":", ",", True, False, False)
    return "".join(encoder(value, 0))


def _unsupported(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} has no JSON form")

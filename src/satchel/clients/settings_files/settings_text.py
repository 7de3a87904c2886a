"""Claude Code's settings: strict JSON, of which only the hooks are changed."""

import json
from typing import Any

from satchel.clients.settings_files.jsonc import NEXT_STEP, Document, decoded, with_changes
from satchel.core.errors import ConflictError

_BOM = b"\xef\xbb\xbf"


def parse_settings(raw: bytes, path: str) -> dict[str, Any]:
    """Parse a settings file.

    Raises:
        ConflictError: it is not a JSON object, or repeats a name; the message says where.
    """
    text = decoded(raw.removeprefix(_BOM), path)
    if not text.strip():
        return {}

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ConflictError(f"{path}: {twice!r} occurs twice", hint=NEXT_STEP)
        return found

    try:
        data = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        what = "comments are not JSON" if text[error.pos : error.pos + 1] == "/" else error.msg
        raise ConflictError(
            f"{path} is not valid JSON: line {error.lineno}, column {error.colno}: {what}",
            hint=NEXT_STEP,
        ) from None
    except RecursionError:
        raise ConflictError(f"{path} is nested too deeply", hint=NEXT_STEP) from None
    if not isinstance(data, dict):
        raise ConflictError(f"{path} contains no JSON object", hint=NEXT_STEP)
    return data


def with_hooks_set(raw: bytes, path: str, hooks: Any) -> bytes:
    """Return the file with these hooks, changed only where they differ; None removes them."""
    document = Document(raw, path)
    if hooks is None:
        return document.without(("hooks",)).raw
    return with_changes(document, ("hooks",), hooks).raw

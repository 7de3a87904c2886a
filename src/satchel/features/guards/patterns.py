r"""Guard patterns: regular expressions in RE2 syntax, which run in linear time.

A guard sees arbitrary text before every tool call: a pattern must not be able to delay the agent.
RE2 rejects patterns that would need backtracking. Here `^` and `$` match at every line; `\w` and
`\b` are ASCII only.
"""

from __future__ import annotations

from satchel.core.errors import BadInputError
from satchel.core.globs import regex_of
from satchel.core.values import Any

#: Characters of a pattern.
LONGEST = 500
#: Largest compiled pattern, in bytes.
_MOST_BYTES = 1 << 20
_LINES = "(?m)"


def check_pattern(pattern: str) -> None:
    """Raise `BadInputError` with the reason if a pattern is unusable."""
    import re2

    if len(pattern) > LONGEST:
        raise BadInputError(f"it has {len(pattern)} characters; at most {LONGEST} are allowed")
    try:
        _compiled(pattern)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if isinstance(error, re2.error) else "it is not Unicode"
        told = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        told = told.replace(_LINES, "", 1)
        hint = "Use `unless` for exceptions." if "(?" in told else ""
        raise BadInputError(told, hint=hint) from None


def pattern_matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches anywhere in a text."""
    found: bool = _compiled(pattern).search(text.encode("utf-8", "replace")) is not None
    return found


def _compiled(pattern: str) -> Any:
    # Here, not at the top: most tool calls concern no guard.
    import re2

    options = re2.Options()
    options.max_mem = _MOST_BYTES
    options.log_errors = False
    options.never_capture = True
    return re2.compile(_LINES + pattern, options)


def from_glob(glob: str) -> str:
    """Return the pattern of a glob over paths: `**` crosses directories, `*` and `?` do not."""
    glob = glob.removeprefix("./")
    if glob.endswith("/"):
        glob += "**"
    anywhere = "(?:^|/)" if "/" not in glob else "^/?" if glob.startswith("/") else "^"
    return anywhere + regex_of(glob).removeprefix("/" if glob.startswith("/") else "") + "$"

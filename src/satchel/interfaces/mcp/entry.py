"""`satchel mcp`: serve, list the tools, or print client settings.

For a server over standard input, standard output is taken over first, before importing anything
that could write to it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from satchel.core.errors import SatchelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.interfaces.mcp.streams import Wire

_HELP = ("-h", "--help")


def run_mcp(words: Sequence[str]) -> int:
    """Run `satchel mcp` with these arguments; return the exit code."""
    from satchel.interfaces.mcp.streams import take_standard_streams

    wire: Wire | None = None
    try:
        if not any(word in _HELP for word in words):
            wire = take_standard_streams()
        from satchel.interfaces.mcp.commands import run

        return run(words, wire)
    except SatchelError as error:
        _complain(error, as_json="--json" in words)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 0


def _complain(error: SatchelError, *, as_json: bool) -> None:
    from satchel.core.trust import clean_text

    told = {"error": clean_text(str(error)), "hint": clean_text(error.hint)}
    if as_json:
        from satchel.core.quick_json import dumps

        print(dumps({**told, "exit_code": error.exit_code}), file=sys.stderr)
        return
    print(f"satchel: {told['error']}", file=sys.stderr)
    if error.hint:
        print(f"\nhint: {told['hint']}", file=sys.stderr)

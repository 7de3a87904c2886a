"""Exit paths: how a command reports failures, workarounds and lost output."""

from __future__ import annotations

import os
import sys

from satchel.core.errors import SatchelError, StoreError
from satchel.storage.files import not_usable


def report_workarounds() -> None:
    """Print on standard error what an answer may lack, and why."""
    faults = sys.modules.get("satchel.storage.inbox.faults")
    worked_around = [] if faults is None else faults.worked_around
    if not worked_around:
        return
    from satchel.core.trust import clean_line

    while worked_around:
        print(f"satchel: {clean_line(worked_around.pop(0))}", file=sys.stderr)


def refused(error: OSError, *, as_json: bool) -> int:
    """Print an error and return its exit code."""
    if isinstance(error, BrokenPipeError):
        # The reader closed the pipe (`satchel recall x | head`): not an error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    reason = os.strerror(error.errno or 0)
    if isinstance(error.filename, str):
        # Whether it was being read or written is not known here.
        hint = not_usable(error.filename, error, writing=True).hint
        told = StoreError(f"{error.filename} could not be used: {reason}.", hint=hint)
    elif isinstance(error, FileNotFoundError):
        text = "The current directory no longer exists."
        told = StoreError(text, hint="Change to another directory.")
    elif _output_is_lost():
        hint = "The command itself succeeded; only its output was lost."
        complain(StoreError(f"The output could not be written: {reason}.", hint=hint))
        # Discard unwritten output, so that the interpreter does not retry at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return StoreError.exit_code
    else:
        hint = "It may have stopped half-way; run `satchel doctor` to find the cause."
        told = StoreError(f"The operating system reported an error: {reason}.", hint=hint)
    complain(told, as_json=as_json)
    return StoreError.exit_code


def _output_is_lost() -> bool:
    """Return whether the output itself failed; if so, writing again is pointless."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return True
    return False


def complain(error: SatchelError, *, as_json: bool = False) -> None:
    """Print an error and its hint on standard error."""
    from satchel.core.trust import clean_text

    if as_json:
        from satchel.core.quick_json import dumps

        told = {"error": clean_text(str(error)), "hint": clean_text(error.hint)}
        print(dumps({**told, "exit_code": error.exit_code}), file=sys.stderr)
        return
    from satchel.interfaces.cli.wrapping import print_wrapped

    print_wrapped(f"satchel: {clean_text(str(error))}", to=sys.stderr)
    if error.hint:
        print_wrapped(f"\nhint: {clean_text(error.hint)}", to=sys.stderr)

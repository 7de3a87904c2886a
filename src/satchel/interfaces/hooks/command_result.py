"""The result of a shell command, as its client reports it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from satchel.interfaces.hooks.call import HookCall

#: How clients report a command's exit in an answer's text.
_ENDED = ("exited with code", "exit code:", "exit code")
_ENDS = 400
#: How the lines begin in which usual tools say that they failed.
_FAILS = (
    *("FAIL", "--- FAIL", "FAILED", "BUILD FAILED", "E   ", "ERROR", "error:", "error[", "Error:"),
    *(
        "panic:",
        "fatal:",
        "Traceback (",
        "make: ***",
        "npm ERR!",
        "npm error",
        "FATAL",
        "FAILURE:",
        "* What went wrong",
    ),
    *("AssertionError", "ModuleNotFoundError", "ImportError", "SyntaxError", "TypeError"),
)
_TEXTS = ("text_result_for_llm", "textResultForLlm", "llmContent", "output")
#: Where clients put a command's error output.
_COMPLAINTS = ("stderr", *_TEXTS)
#: Where they tell what it printed.
PRINTED = ("stdout", *_COMPLAINTS)
#: A failure without an exit code.
FAILED = -1


def exit_code(call: HookCall) -> int:
    """Return a command's exit code; 0 unless it is known to have failed."""
    if call.event == "PostToolUseFailure":
        if call.value("is_interrupt"):
            return 0
        return _code_in(call.text("error")) or FAILED
    answer = call.value("tool_response")
    return _code_of(call.value("tool_result") if answer is None else answer)


def prints_failure(call: HookCall) -> bool:
    """Return whether a command printed what failures begin with, where no exit code is told."""
    answer = call.value("tool_response")
    if not isinstance(answer, str):
        return False
    lines = f"{answer[:_ENDS]}\n{answer[-_ENDS:]}".splitlines()
    return any(line.startswith(_FAILS) for line in lines)


def texts_of(call: HookCall, names: tuple[str, ...]) -> list[str]:
    """Return what a client reports about a command: the error, the answer, and these fields."""
    answer = call.value("tool_response")
    answer = call.value("tool_result") if answer is None else answer
    said = [call.text("error"), answer]
    if isinstance(answer, dict):
        said += [answer.get(name) for name in names]
    return [text for text in said if isinstance(text, str)]


def not_found(call: HookCall, programs: tuple[str, ...]) -> str:
    """Return the programs that the shell reports as not found, surrounded by spaces."""
    texts = texts_of(call, _COMPLAINTS)
    lines = "\n".join(f"{text[:_ENDS]}\n{text[-_ENDS:]}" for text in texts).splitlines()
    missing = []
    for name in programs:
        ends = (f" {name}: command not found", f" {name}: not found", f" not found: {name}")
        if any(f" {line.strip()}".endswith(ends) for line in lines):
            missing.append(name)
    return " ".join(missing)


def _code_of(answer: Any) -> int:
    if isinstance(answer, dict):
        code = answer.get("exit_code", answer.get("exitCode"))
        if isinstance(code, int):
            return code
        kind = answer.get("result_type", answer.get("resultType"))
        text = next((answer[name] for name in _TEXTS if name in answer), "")
        told = _code_in(text) if isinstance(text, str) else 0
        return told or (FAILED if answer.get("error") or kind in ("failure", "error") else 0)
    return _code_in(answer) if isinstance(answer, str) else 0


def _code_in(text: str) -> int:
    ends = f"{text[:_ENDS]}\n{text[-_ENDS:]}".lower()
    for words in _ENDED:
        _, found, rest = ends.rpartition(words)
        if found:
            told = "".join(rest.strip(" :\t").split(None, 1)[:1]).rstrip(".>)\n")
            digits = told.lstrip("-")
            return int(told) if digits.isdigit() and len(digits) < 10 else 0  # noqa: PLR2004
    return 0

"""Names the file or command of a refused call where a person only points at it. Pure.

"This file is generated" says nothing to those who did not see the call.
"""

from __future__ import annotations

import re

from satchel.application.learning.signals.calls import commands_in, last_edited
from satchel.storage.kept_patterns import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from satchel.clients.transcript_format.values import Turn

_THIS_FILE = spoken(r"\bthis (?:file|one)\b")
#: "That's exactly one of the generated files".
_IT_IS = spoken(
    r"\A(?:(?:no|nope|wait|sorry)\b[\s,.]{1,4}){0,2}(?:that|this|it)"
    r"(?:['\u2019]?s| is) (?=(?:(?:exactly|just|also|still) )?"
    r"(?:one of|an?\s|generated\b|vendored\b|written by|owned by))"
)
#: An option, which says little without its program: "no -auto-approve".
_OPTION = re.compile(r"(?<![\w`-])-{1,2}[a-z][\w-]{2,40}")
#: "never run this", "this command", "this skips the backup".
_THIS_COMMAND = spoken(
    r"(?<=\brun\s)(?:this|that|it)\b|\bthis (?:command|one)\b"
    r"|\b(?:this|that)(?= (?:needs|has|does|wipes|skips|locks|deletes|breaks|takes|goes|runs|kills"
    r"|drops|costs|touches|overwrites|uses|requires|works)\b)"
)
#: May stand between a sentence's beginning and what is run.
_ORDERED = r"(?:(?:no|nope|please|never|always|only|don't|dont|do\s+not)\b[\s,]{1,4}){0,3}"
#: A longer one would hide what is said about it.
_LONGEST_NAME = 60


def naming_the_call(turn: Turn, before: Turn | None) -> Turn:
    """Return what was said while refusing a call, with the name of the file or the command.

    Args:
        turn: of a person.
        before: the turn of the refused call.
    """
    if before is None or not turn.rejects:
        return turn
    edited = last_edited(before)
    command = (commands_in(before) or [""])[-1]
    pattern, name = (_THIS_FILE, edited) if edited else (_THIS_COMMAND, f"`{command}`")
    if not (edited or command) or "\n" in name:
        return turn
    text = turn.text if edited else _with_program(turn.text, command)
    if len(name) <= _LONGEST_NAME:
        text = _IT_IS.sub(f"{name} is ", text) if edited else text
        text = pattern.sub(lambda _: name, text)
    return turn._replace(text=text)


def _with_program(text: str, command: str) -> str:
    """Name the program of a subcommand that begins a sentence: "apply only happens in CI"."""
    program, step, *_ = [*command.split(), "", ""]
    if not (program.isalpha() and step.isalpha()) or re.search(rf"\b{program}\b", text):
        return text
    option = _OPTION.search(text)
    if option and option[0] in command.split():
        return f"{text[: option.start()]}`{program} {step} {option[0]}`{text[option.end() :]}"
    begins = rf"(?P<before>(?:^|[.!?;,]\s+){_ORDERED})(?:{step})\b(?=\s+(?!it\b|this\b|that\b)\w)"
    return re.sub(
        begins, lambda found: f"{found['before']}`{program} {step}`", text, flags=re.IGNORECASE
    )

"""Session prompts of Beads Console: Markdown with `{{variables}}`, at start and end. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from satchel.core.errors import BadInputError
from satchel.core.values import NamedTuple
from satchel.engine.markdown.front_matter import read_fields, split

START, END = "start", "end"
_VARIABLE = re.compile(r"\{\{\s*([a-z_][a-z0-9_]*)\s*\}\}")
#: Newer names of variables -> the original ones.
ALIASES = {
    "task_id": "bead_id",
    "task_title": "bead_title",
    "task_description": "bead_description",
    "acceptance_criteria": "bead_acceptance_criteria",
}
VARIABLES = tuple(
    "project_name bead_id bead_title bead_description bead_acceptance_criteria bead_status "  # noqa: SIM905
    "epic_id intent_brief memory_brief next_steps branch date agent_name skill_level".split()
)
#: Where there is no file.
DEFAULTS = {
    START: """## Session Context

You are continuing work on the {{project_name}} project.

### Current Task
{{bead_title}}
{{bead_description}}

### Acceptance Criteria
{{bead_acceptance_criteria}}

### Relevant Intent
{{intent_brief}}

### Memory Context
{{memory_brief}}
""",
    END: """## Before you finish

Leave {{project_name}} so that the next session can go on:

1. Write down what was learnt: `satchel learn "..."`.
2. Write down decisions with their reasons: `satchel remember --kind decision "..."`.
3. Leave the next steps: `satchel remember --kind next_step "..."`.
4. Say how the task stands. {{bead_id}}
""",
}


class Template(NamedTuple):
    """A session prompt. `kind` is start or end; it is used only if `enabled`."""

    kind: str
    text: str
    name: str = ""
    description: str = ""
    enabled: bool = True
    path: str = ""


class RenderedTemplate(NamedTuple):
    """A filled-in template, and its unknown variables."""

    text: str
    unknown: tuple[str, ...]


def read_template(data: bytes, kind: str, path: str) -> Template:
    """Parse a template file: front matter `name type description enabled`, then the text.

    Raises `BadInputError` if the front matter is invalid or has another type.
    """
    parts = split(data)
    try:
        # Without front matter no YAML parser is loaded: a session's start reads this file.
        fields = read_fields(parts) if parts.has_fields or parts.unclosed else {}
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}.", hint=error.hint) from None
    said = str(fields.get("type", kind))
    if said != kind:
        raise BadInputError(
            f"{path} says it is of type {said!r}.", hint=f"A session-{kind}.md is of type {kind}."
        )
    text = parts.body.decode("utf-8", "replace").replace("\r\n", "\n").strip("\n")
    return Template(
        kind,
        text + "\n" if text else "",
        str(fields.get("name", "")),
        description=str(fields.get("description", "")),
        enabled=fields.get("enabled", True) is not False,
        path=path,
    )


def rendered(template: Template, values: Mapping[str, str]) -> RenderedTemplate:
    """Fill in the variables once: variables inside a value are not expanded.

    A heading left without text is removed; an unknown variable is kept.
    """
    unknown: list[str] = []

    def value(match: re.Match[str]) -> str:
        name = ALIASES.get(match.group(1), match.group(1))
        if name not in VARIABLES:
            unknown.append(match.group(1))
            return match.group()
        return values.get(name, "").strip("\n")

    text = _VARIABLE.sub(value, template.text)
    return RenderedTemplate(_without_empty(text), tuple(dict.fromkeys(unknown)))


def _without_empty(text: str) -> str:
    """Remove empty sections and runs of blank lines."""
    blocks: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.startswith("#"):
            blocks.append([])
        blocks[-1].append(line)
    kept: list[list[str]] = []
    for number, block in enumerate(blocks):
        heading = block[0] if block and block[0].startswith("#") else ""
        following = blocks[number + 1][0] if number + 1 < len(blocks) else ""
        deeper = following.startswith("#") and _level(following) > _level(heading)
        if not heading or deeper or any(line.strip() for line in block[1:]):
            kept.append(block)
    joined = "\n".join(line for block in kept for line in block)
    return re.sub(r"\n{3,}", "\n\n", joined).strip("\n") + "\n"


def _level(heading: str) -> int:
    return len(heading) - len(heading.lstrip("#"))

"""Valid values for a note's fields. Enforced by `check` and when adding a note."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satchel.core import times
from satchel.core.values import Any
from satchel.features.notes.values import CONFIDENCES, LearningNote, Problem, number_of, texts_of

#: The directories of docs/solutions, and reflect's names for its notes.
CATEGORIES = tuple(
    "build-errors performance-issues security-fixes testing-patterns debugging-sessions "  # noqa: SIM905
    "architecture-decisions api-integrations dependency-issues deployment-fixes "
    "database-migrations ui-patterns tooling-setup patterns decisions anti-patterns".split()
)
LEARNING_TYPES = ("pattern", "correction", "bug-fix", "decision", "anti-pattern")
ENVIRONMENTS = ("development", "ci", "staging", "production", "all")
SEVERITIES = ("critical", "high", "medium", "low")
#: Fields required to add a note; fields required below docs/solutions.
TO_ADD = ("title", "category", "key_insight")
IN_SOLUTIONS = tuple(
    "title created confidence category tags symptoms root_cause key_insight".split()  # noqa: SIM905
)
#: Counted while notes are used, but stored elsewhere: in the file, every recall would change it.
VOLATILE = tuple(
    "importance maturity recall_count helpful_count ignored_count stale_count "  # noqa: SIM905
    "last_recalled_at".split()
)
_TEXTS = tuple(
    "title key_insight problem root_cause fix rule id scope "  # noqa: SIM905
    "language framework superseded_by".split()
)
_LISTS = ("tags", "symptoms", "entities", "links", "source_episodes", "related")
_DATES = ("created", "updated", "forget_after")
_ONE_OF = {
    "category": CATEGORIES,
    "confidence": CONFIDENCES,
    "learning_type": LEARNING_TYPES,
    "environment": ENVIRONMENTS,
    "severity": SEVERITIES,
}
_LONGEST_TITLE = 300
#: Lists that may say that there is nothing to report.
_MAY_BE_EMPTY = ("symptoms",)


def problems_of(note: LearningNote, required: Sequence[str] = TO_ADD) -> list[Problem]:
    """Return all problems with a note's fields, missing ones first."""
    fields = note.fields
    found = [
        Problem(note.path, name, "is missing", _example(name))
        for name in required
        if not texts_of(fields.get(name)) and not (name in _MAY_BE_EMPTY and fields.get(name) == [])
    ]
    for name, value in fields.items():
        if value is None:
            continue
        found += [Problem(note.path, name, what, step) for what, step in _wrong(name, value)]
    return found


def required_below(path: str) -> tuple[str, ...]:
    """Return the required fields at a location: more below docs/solutions."""
    return IN_SOLUTIONS if "docs/solutions/" in path.replace("\\", "/") else TO_ADD


def _wrong(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if name in VOLATILE:
        yield "is counted by Satchel and is never written in the file", "Remove the line."
    elif name in _ONE_OF:
        yield from _not_one_of(name, value)
    elif name in _DATES:
        if seconds_of(value) is None:
            yield f"is {_shown(value)}, not a date", "Write 2026-03-16, or 2026-03-16T14:30:00Z."
    elif name in _TEXTS:
        if isinstance(value, list | dict):
            yield "must be a single text", "Put it on one line, in quotes."
        elif name == "title" and len(str(value)) > _LONGEST_TITLE:
            yield f"is longer than {_LONGEST_TITLE} characters", "Move the rest into the body."
    elif name in _LISTS:
        yield from _no_list(name, value)
    elif name == "confidence_num":
        if number_of(value) is None:
            yield f"is {_shown(value)}", "Write a number from 0 to 1."
    elif name == "causal_relations":
        yield from _no_relations(value)
    elif name == "provenance" and not isinstance(value, dict):
        yield "must be `name: value` lines of its own", "Indent them below `provenance:`."


def _not_one_of(name: str, value: Any) -> Iterator[tuple[str, str]]:
    allowed = _ONE_OF[name]
    said = str(value).strip()
    if name == "confidence" and number_of(value) is not None:
        return
    if not isinstance(value, list | dict) and said.lower() in {word.lower() for word in allowed}:
        return
    import difflib

    near = difflib.get_close_matches(
        said.lower().replace(" ", "-"), [w.lower() for w in allowed], 1
    )
    hint = f"Did you mean `{near[0]}`? " if near else ""
    yield f"is {_shown(value)}", f"{hint}Allowed: {', '.join(allowed)}."


def _no_list(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        yield "must be a list", f"Write `{name}: [one, two]`."
    elif name == "tags":
        tags = [tag.lower() for tag in texts_of(value, separator=",")]
        twice = sorted({tag for tag in tags if tags.count(tag) > 1})
        if twice:
            yield f"holds {', '.join(twice[:5])} twice", "Name each tag once."


def _no_relations(value: Any) -> Iterator[tuple[str, str]]:
    rows = value if isinstance(value, list) else [value]
    for row in rows:
        if not (isinstance(row, dict) and all(texts_of(row.get(n)) for n in ("source", "target"))):
            yield "holds what is not a relation", "Each has `source`, `target` and `type`."
            return


def seconds_of(value: Any) -> int | None:
    """Return a date as Unix seconds (UTC by default); None if invalid."""
    seconds = times.seconds_of(str(value))
    return None if seconds is None else int(seconds)


def _shown(value: Any) -> str:
    return repr(value)[:60]


def _example(name: str) -> str:
    examples = {
        "title": 'Add a line: title: "What the note is about"',
        "category": f"Add a line: category: with one of {', '.join(CATEGORIES)}",
        "key_insight": 'Add a line: key_insight: "the one thing that fixes it"',
        "created": 'Add a line: created: "2026-03-16"',
        "confidence": "Add a line: confidence: high, medium or low",
        "tags": "Add a line: tags: [one, two]",
        "symptoms": 'Add a line below `symptoms:`: - "how it showed"',
        "root_cause": 'Add a line: root_cause: "why it happened"',
    }
    return examples.get(name, f"Add the field `{name}`.") + " (between the `---` lines)."

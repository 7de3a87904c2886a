"""Drafts guards from corrections in plain English, by deterministic rules.

It understands commands, branches and paths; anything else is reported as not understood. A draft is
a proposal: it has its own examples, and only acts once a user has approved it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from satchel.core.globs import literal
from satchel.core.hashing import digest
from satchel.core.values import Any, NamedTuple
from satchel.features.guards.patterns import from_glob
from satchel.features.guards.values import ASK, DENY, WARN, WRITING
from satchel.storage.kept_patterns import spoken

#: A program's name comes first. What a line starts after `sudo`, `A=b` or in another shell is
#: inspected separately (`matching.command_forms`).
_START = r"(?:^|[;&|(`])\s*"
_END = r"(?:\s|$|[;&|)])"
_GIT = _START + r"git\s+"
_REST = r"[^;&|\n]*"
#: Programs that a sentence names without back-ticks.
_PROGRAMS = frozenset(
    """
    apt apt-get awk bash brew bun bundle bundler cargo cat composer conda curl deno docker
    docker-compose eslint find flake8 gem git go gradle grep helm hg jest jq just kubectl
    make maven mocha mvn mypy node npm npx nx pip pip3 pipenv pipx pnpm podman poetry
    prettier psql pyenv pylint pytest python python2 python3 rake rg rm rsync ruby ruff rye
    scp sed sh sudo svn terraform tox tsc unittest uv uvx vitest wget yarn black isort hatch
    pdm
    """.split()
)
_NEVER = r"(?:never|do not|don'?t|dont|must not|mustn'?t|stop|no longer|avoid|not to)"
_SOFT = spoken(r"\b(?:prefer|rather|avoid|should|better)\b")
_ASKING = spoken(r"\b(?:ask(?: me)? before|without asking|check with)\b")
_THING = r"(?:`(?P<{0}q>[^`\n]{{1,80}})`|(?P<{0}w>[A-Za-z][A-Za-z0-9_.+-]*))"
_USE = r"(?:us(?:e|ing)|run(?:ning)?|call(?:ing)?|install(?:ing)? with)"
_GOOD, _BAD = _THING.format("good"), _THING.format("bad")
_RATHER = r"(?:instead of|rather than|(?:and )?(?:not|never))"
_INSTEAD = tuple(
    spoken(pattern)
    for pattern in (
        rf"\buse {_GOOD} ?(?:,|;|\band\b)? ?{_RATHER} {_BAD}",
        rf"\b{_NEVER} {_USE} {_BAD}[^.;]{{0,60}}?[,.;:-]+ ?(?:but |always )?use {_GOOD}",
        rf"\bprefer {_GOOD} (?:over|to) {_BAD}",
        rf"(?<![\w.+-]){_GOOD} instead of {_BAD}",
        rf"\b{_NEVER} {_USE} {_BAD}",
        rf"\b(?:no|avoid) {_BAD}",
    )
)
_FORCE = spoken(rf"\b{_NEVER} (?:ever )?(?:force[-\s]?push|push (?:with )?(?:--)?force)")
_BRANCHED = spoken(
    rf"\b{_NEVER} (?:ever )?(?P<verb>push|commit|merge)\w* "
    r"(?:\w+ ){0,2}?(?:on|to|into|onto) (?:the )?`?(?P<branch>[A-Za-z][A-Za-z0-9_./-]*)`?"
)
_EDITED = spoken(
    rf"\b{_NEVER} (?:ever )?(?:by hand )?(?:edit|touch|modify|change|write to|overwrite"
    r"|alter)\w* (?:(?:the|any|files?|anything|in|under|inside|below|of) )*"
    r"(?:`(?P<q>[^`\n]{1,120})`|(?P<w>[A-Za-z0-9_.*-]*[/.*][A-Za-z0-9_./*-]*))"
)
_SUFFIXES = (".lock", ".json", ".toml", ".yaml", ".yml", ".md", ".py", ".ts", ".js", ".sql", ".txt")


class Draft(NamedTuple):
    """A drafted guard with the file's fields. `why` explains how it was derived."""

    fields: dict[str, Any]
    why: str


def drafts_from(said: str, *, source: str, today: date) -> list[Draft]:
    """Draft guards from a correction; [] if it names nothing visible in a tool call.

    Args:
        said: the remembered correction.
        source: the id of its memory.
    """
    text = " ".join(said.replace("\u2019", "'").split())
    found = list(_understood(text))
    return [
        Draft(_fields(text, one, source=source, today=today, number=number), one["why"])
        for number, one in enumerate(found)
    ]


def is_correction(said: str) -> bool:
    """Return whether a text asks to do something differently."""
    text = said.replace("\u2019", "'")
    return bool(_CORRECTING.search(text))


_CORRECTING = spoken(
    rf"\b{_NEVER}\b|\binstead of\b|\brather than\b|\buse \S+,? not \S+|\bprefer \S+ over\b"
)


def _understood(text: str) -> Iterator[dict[str, Any]]:
    if _FORCE.search(text):
        yield {
            "why": "forbids `git push --force`",
            "when": {
                "command": _GIT + rf"push\b{_REST}\s(?:-f|--force|--force-with-lease)(?:=|\s|$)"
            },
            "blocks": [
                "git push --force",
                "git push -f origin topic",
                "cd x && git push origin --force",
            ],
            "allows": ["git push origin topic", "git pull --force"],
        }
        return
    branched = _BRANCHED.search(text)
    if branched:
        yield from _of_branch(branched["verb"].lower(), branched["branch"].rstrip("."))
        return
    edited = _EDITED.search(text)
    if edited:
        path = (edited["q"] or edited["w"]).strip().rstrip(".,")
        if "/" in path or "*" in path or path.lower().endswith(_SUFFIXES):
            yield _of_path(path)
            return
    for rule in _INSTEAD:
        match = rule.search(text)
        if match is None:
            continue
        named = match.groupdict()
        bad, quoted = (named["badq"], True) if named["badq"] else (named["badw"], False)
        good = named.get("goodq") or named.get("goodw") or ""
        one = _of_thing(bad.strip(), good.strip(), quoted=quoted)
        if one is not None:
            yield one
            return


def _of_branch(verb: str, branch: str) -> Iterator[dict[str, Any]]:
    name = literal(branch)
    others = [f"git push origin {branch}-2", "git push origin topic", "git log"]
    if verb == "push":
        yield {
            "why": f"forbids pushing to {branch}",
            "when": {
                "command": _GIT + rf"push\b{_REST}[\s:+/]{name}{_END}",
                "unless": r"\s--dry-run\b",
            },
            "blocks": [
                f"git push origin {branch}",
                f"git push -u origin HEAD:{branch}",
                f"git commit -m x && git push origin {branch}",
            ],
            "allows": [*others, f"git push --dry-run origin {branch}"],
        }
        yield {
            "why": f"forbids a bare push while {branch} is checked out",
            "when": {"command": _GIT + r"push(?:\s+-\S+)*(?:\s+[A-Za-z0-9_.]+)?\s*(?:$|[;&|])"},
            "branches": [branch],
            "blocks": ["git push", "git push origin"],
            "allows": [{"command": "git push", "branch": "topic"}, "git push origin topic"],
        }
        return
    yield {
        "why": f"forbids `git {verb}` while {branch} is checked out",
        "when": {"command": _GIT + rf"{verb}\b"},
        "branches": [branch],
        "blocks": [f"git {verb}", f"git add -A && git {verb} -m x"],
        "allows": [{"command": f"git {verb}", "branch": "topic"}, "git status"],
    }


def _of_path(path: str) -> dict[str, Any]:
    plain = path.removeprefix("./").lstrip("/")
    last = plain.rstrip("/").rpartition("/")[2]
    folder = plain.endswith("/") or ("*" not in plain and "." not in last)
    glob = plain.rstrip("/") + "/**" if folder else plain
    inside = glob.replace("**", "a").replace("*", "a")
    beside = f"other-{inside}" if "/" in glob and not glob.startswith("*") else "notes/other.xyz"
    return {
        "why": f"forbids writing {glob}",
        "when": {"tools": list(WRITING), "path": from_glob(glob)},
        "blocks": [{"tool": "Edit", "path": inside}, {"tool": "Write", "path": inside}],
        "allows": [{"tool": "Edit", "path": beside}, {"tool": "Read", "path": inside}],
    }


def _of_thing(bad: str, good: str, *, quoted: bool) -> dict[str, Any] | None:
    program, _, rest = bad.partition(" ")
    if program.lower() in _PROGRAMS or (quoted and rest and program.replace("-", "").isalnum()):
        words = r"\s+".join(literal(word) for word in bad.split())
        spelled = program.lower() if not quoted else program
        words = words if quoted else literal(spelled)
        name = " ".join(bad.split()) if quoted else spelled
        instead = good if good and good != name else "ls"
        return {
            "why": f"forbids the command `{name}`",
            "when": {"command": _START + words + _END},
            "blocks": [f"{name} x", f"cd sub && {name}", f"CI=1 {name} --help"],
            "allows": [f"{instead} x", f"echo about {name}", f"my{name.replace(' ', '-')} x"],
        }
    code = set("().:=<>[]{}$@#!").intersection(bad)
    if quoted and code:
        return {
            "why": f"forbids writing `{bad}`",
            "when": {"tools": list(WRITING), "content": literal(bad)},
            "blocks": [{"tool": "Write", "content": f"x = 1\n{bad}\n"}],
            "allows": [{"tool": "Write", "content": "x = 1\n"}, {"tool": "Read", "path": "a.txt"}],
        }
    return None


def _fields(
    text: str, one: dict[str, Any], *, source: str, today: date, number: int
) -> dict[str, Any]:
    action = ASK if _ASKING.search(text) else WARN if _SOFT.search(text) else DENY
    seed = f"{text}\n{source}\n{number}".encode("utf-8", "replace")
    fields: dict[str, Any] = {
        "id": f"guard-{today:%Y%m%d}-{digest(seed).hex()[:6]}",
        "from": source,
        "when": one["when"],
        "action": action,
        "message": text if len(text) <= 300 else text[:299] + "\u2026",  # noqa: PLR2004
    }
    if one.get("branches"):
        fields["scope"] = {"branches": one["branches"]}
    fields["examples"] = {"blocks": one["blocks"], "allows": one["allows"]}
    return fields if source else {k: v for k, v in fields.items() if k != "from"}

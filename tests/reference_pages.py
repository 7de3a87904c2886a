"""What the reference takes from code: `make reference` writes it, a test compares it.

docs/reference.md and the pages beside it hold `<!-- generated: NAME -->` ... `<!-- end of NAME -->`; what stands
between them is this program's, everything around it is written by hand.

    python tests/reference_pages.py [--check]    (with src and tests on the path)
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import reference_rest
from command_lines import actions_of, own_parser, parser_of
from doc_blocks import ROOT
from printed_json import described, schema_of, shared
from satchel.core import errors
from satchel.core.kinds import KINDS
from satchel.interfaces.cli.commands import ALIASES, COMMANDS
from satchel.storage.inbox.events import HOOK_EVENTS
from satchel.storage.settings.table import SETTINGS

PAGES = os.path.join(ROOT, "docs", "reference")
_PART = re.compile(r"(?s)<!-- generated: (?P<name>[^\n]*?) -->\n.*?<!-- end of (?P=name) -->")
#: Options that every command has; the page says so once.
_EVERYWHERE = {"help", "json", "directory"}


def table(titles: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of Markdown; a bar inside a cell is escaped."""
    if not rows:
        return ""
    lines = [titles, tuple("---" for _ in titles), *rows]
    cells = [[" ".join(cell.split()).replace("|", "\\|") for cell in line] for line in lines]
    cells[1] = ["---"] * len(titles)
    return "\n".join(
        "|"
        + "|".join("---" if cell == "---" else f" {cell} " if cell else " " for cell in line)
        + "|"
        for line in cells
    )


def _metavar(action: argparse.Action) -> str:
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    return action.metavar or ("" if action.choices else action.dest.upper())


def _spelled(action: argparse.Action) -> str:
    """An option or argument as a reader types it."""
    if not action.option_strings:
        name = _metavar(action) or action.dest.upper()
        return f"[{name}]" if action.nargs in {"?", "*"} else name
    long = [flag for flag in action.option_strings if flag.startswith("--")]
    name = (long or action.option_strings)[0]
    return f"{name} {_metavar(action)}".strip() if action.nargs != 0 else name


def _means(action: argparse.Action) -> str:
    """What an option means: its help, its choices, its other spellings."""
    parts = [str(action.help or "").replace("%%", "%")]
    if action.choices:
        names = [f"`{choice}`" for choice in action.choices]
        parts[0] += (": " if parts[0] else "") + ", ".join(names)
    shown = _spelled(action).split()[0]
    others = [flag for flag in action.option_strings if flag != shown]
    if others and action.option_strings:
        parts.append("also " + ", ".join(f"`{flag}`" for flag in others))
    return "; ".join(part for part in parts if part)


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [
        action
        for action in parser._actions
        if not isinstance(action, argparse._SubParsersAction)
        and action.dest not in _EVERYWHERE
        and action.help != argparse.SUPPRESS
    ]


def _helps(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Action -> what it does, as the command's own help lists them."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return {one.dest: str(one.help or "") for one in action._choices_actions}
    return {}


def command_part(name: str, *words: str) -> str:
    """Arguments, actions and options of one command; with words, of what these lead to."""
    parser, actions = own_parser(name), actions_of(name)
    if words:
        parser, actions = parser_of(name, *words), {}
    helps = _helps(parser) if parser else {}
    rows, options = [], dict[tuple[str, str], list[str]]()
    for action, below in actions.items():
        places = [_spelled(one) for one in _arguments(below) if not one.option_strings]
        text = helps.get(action) or (below.description or "").partition(". ")[0].rstrip(".")
        rows.append((f"`{' '.join([action, *places])}`", text))
        for one in _arguments(below):
            if one.option_strings:
                options.setdefault((f"`{_spelled(one)}`", _means(one)), []).append(action)
    own = _arguments(parser) if parser else []
    arguments = [(f"`{_spelled(one)}`", _means(one)) for one in own if not one.option_strings]
    flags = [(f"`{_spelled(one)}`", _means(one)) for one in own if one.option_strings]
    parts = [
        table(("argument", "means"), [row for row in arguments if row[1]]),
        table(("action", "does"), rows),
        table(("option", "means"), flags),
        table(
            ("option", "means", "of"),
            [
                (*key, "all" if len(of) == len(actions) else ", ".join(f"`{one}`" for one in of))
                for key, of in options.items()
            ],
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def commands_part() -> str:
    """Every command with what it does."""
    rows = [(f"[`{name}`](#satchel-{name})", one.does) for name, one in COMMANDS.items()]
    return table(("command", "does"), rows)


def aliases_part() -> str:
    """Other names of commands."""
    rows = [(f"`{name}`", f"`satchel {' '.join(words)}`") for name, words in ALIASES.items()]
    return table(("name", "stands for"), rows)


def settings_part() -> str:
    """Every setting with its default."""
    rows = []
    for setting in SETTINGS:
        default = setting.default
        shown = str(default).lower() if isinstance(default, bool) else str(default)
        rows.append((f"`{setting.name}`", f"`{shown}`" if shown else "", setting.help))
    return table(("setting", "default", "means"), rows)


def kinds_part() -> str:
    """Every kind of memory."""
    rows = []
    for kind in KINDS.values():
        days = kind.default_days
        life = "-" if days is None else (f"{days:g} d" if days >= 1 else f"{days * 24:g} h")
        ledger = "knowledge" if kind.long_lived else kind.name
        offered = "yes" if kind.shared_by_default else "-"
        names = (f"`{kind.name}`", f"`{kind.label}`", life, f"`{ledger}`", offered)
        rows.append((*names, kind.help))
    return table(("kind", "label", "life", "ledger", "offered", "what it is"), rows)


def errors_part() -> str:
    """Every error that is raised on purpose, by its exit code."""
    things = [thing for thing in vars(errors).values() if isinstance(thing, type)]
    found = [thing for thing in things if issubclass(thing, errors.SatchelError)]
    rows = [
        (str(one.exit_code), f"`{one.__name__}`", (one.__doc__ or "").strip().split("\n")[0])
        for one in sorted(found, key=lambda one: one.exit_code)
    ]
    return table(("code", "error", "says, where nothing better is known"), rows)


def hook_clients_part() -> str:
    """Each client's spelling of each event."""
    from satchel.clients.setup.wired import CLIENTS

    clients = [client for client in CLIENTS.values() if client.events]
    rows = []
    for event in HOOK_EVENTS:
        cells = []
        for client in clients:
            hooks = [*client.events, *([client.guard] if client.guard else [])]
            spelled = [hook.name for hook in hooks if hook.means == event]
            cells.append(f"`{spelled[0]}`" if spelled else "-")
        rows.append((f"`{event}`", *cells))
    return table(("event", *(client.label for client in clients)), rows)


def _type_of(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type_of(schema.get('items', {}))}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def tools_part(profile: str) -> str:
    """The tools of a profile with their arguments."""
    from satchel.interfaces.mcp.profiles import tools_of

    parts = []
    for tool in tools_of(profile):
        rows = []
        for name, schema in tool.takes.items():
            default = schema.get("default")
            shown = f"; {default!r} unless given" if default not in {None, ""} else ""
            needed = "yes" if name in tool.needs else ""
            text = str(schema.get("description", "")) + shown
            rows.append((f"`{name}`", _type_of(schema), needed, text))
        parts += [f"### {tool.name}", _text_of(tool.about)]
        parts += [table(("argument", "type", "needed", "means"), rows)] if rows else []
    return "\n\n".join(parts)


def _text_of(text: str) -> str:
    return " ".join(text.split())


def profiles_part() -> str:
    """The profiles, what they are for, their tools."""
    from satchel.interfaces.mcp.profiles import PROFILES, tools_of

    rows = []
    for name, text in PROFILES.items():
        tools = ", ".join(f"[`{tool.name}`](#{tool.name})" for tool in tools_of(name))
        rows.append((f"`{name}`", text, "every one below" if name == "full" else tools))
    return table(("profile", "for", "tools"), rows)


def schemas_part() -> str:
    """What each command prints with `--json`: the fields of the whole, and of each item."""
    rows = []
    for name, text in described().items():
        whole = schema_of(*name.split(" "))
        shown = f"`satchel {name}`" if name != "error" else "a refusal"
        rows.append((shown, text, " or ".join(_fields_of(whole, whole.get("$defs", {})))))
    return table(("command", "prints", "fields"), rows)


def _fields_of(schema: dict[str, Any], shared: dict[str, Any]) -> list[str]:
    """The shapes that a value may have, in a few words each."""
    if "anyOf" in schema:
        return [shape for one in schema["anyOf"] for shape in _fields_of(one, shared)]
    named = schema.get("$ref", "").rpartition("/")[2]
    own = [f"`{name}`" for name in schema.get("properties", {})]
    if named:
        return [f"a {named}" + (f" with {', '.join(own)}" if own else "")]
    if schema.get("type") == "array":
        return [f"a list: {shape}" for shape in _fields_of(schema.get("items", {}), shared)]
    if own:
        return [", ".join(own)]
    return ["names with values" if "additionalProperties" in schema else _type_of(schema)]


def shared_part() -> str:
    """What several schemas name."""
    parts = []
    for name, schema in shared().items():
        needed = set(schema.get("required", []))
        rows = [
            (
                f"`{field}`",
                _type_of(_plain(inside)),
                "yes" if field in needed else "",
                str(inside.get("description", "")),
            )
            for field, inside in schema["properties"].items()
        ]
        parts += [f"### {name}", str(schema.get("description", ""))]
        parts += [table(("field", "type", "always", "means"), rows)]
    return "\n\n".join(part for part in parts if part)


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that may be null, without saying so."""
    some = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
    return {**schema, **some[0]} if len(some) == 1 else schema


#: The first word of a part's name -> what makes it of the rest.
PARTS: dict[str, Callable[..., str]] = {
    "command": command_part,
    "commands": commands_part,
    "aliases": aliases_part,
    "settings": settings_part,
    "kinds": kinds_part,
    "errors": errors_part,
    "hook-clients": hook_clients_part,
    "profiles": profiles_part,
    "tools": tools_part,
    "rest": functools.partial(reference_rest.rest_part, table),
    "bodies": functools.partial(reference_rest.bodies_part, table),
    "answers": functools.partial(reference_rest.answers_part, table),
    "problems": functools.partial(reference_rest.problems_part, table),
    "schemas": schemas_part,
    "shared": shared_part,
}


def renewed(text: str) -> str:
    """A page with its parts as the code has them now."""

    def part(found: re.Match[str]) -> str:
        first, *rest = found["name"].split()
        made = PARTS[first](*rest)
        inside = f"\n{made}\n\n" if made else "\n"
        return f"<!-- generated: {found['name']} -->\n{inside}<!-- end of {found['name']} -->"

    return _PART.sub(part, text)


def parts_of(text: str) -> list[str]:
    """The names of the parts that a page holds."""
    return [found["name"] for found in _PART.finditer(text)]


def pages() -> dict[str, str]:
    """Path -> text of the pages of the reference."""
    names = [os.path.join(PAGES, name) for name in sorted(os.listdir(PAGES))]
    found = {}
    for path in [PAGES + ".md", *(name for name in names if name.endswith(".md"))]:
        with open(path, encoding="utf-8") as file:
            found[path] = file.read()
    return found


def main() -> int:
    """Write what has changed; with `--check`, only say which pages are not as the code is."""
    stale = [(path, new) for path, text in pages().items() if (new := renewed(text)) != text]
    for path, new in stale:
        print(os.path.relpath(path, ROOT))
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(new)
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())

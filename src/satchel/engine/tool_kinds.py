"""Kinds of tools, and tools of each kind: "package manager" is what npm and pnpm are. Pure.

People ask by the kind ("which database?") and remember by the name ("SQLite, not Postgres").
"""

from __future__ import annotations

import itertools

_LANGUAGES = (
    "english german french spanish italian dutch portuguese polish czech danish swedish norwegian"
    " finnish turkish russian ukrainian greek japanese chinese korean"
)
#: Names of a kind, separated by bars. A project uses one tool of each line; using another as well
#: needs a place.
_KINDS = (
    ("package manager|dependency manager", "npm pnpm yarn bun"),
    ("package manager|dependency manager", "pip uv poetry pipenv pdm conda"),
    ("indentation|indent", "tab tabs space spaces"),
    ("test framework|test runner|testing library", "jest vitest mocha"),
    ("test framework|test runner|testing library", "pytest unittest nose"),
    ("formatter|formatting|code style", "black yapf autopep8"),
    ("linter|linting|lint|code style", "flake8 pylint ruff"),
    ("linter|linting|lint|code style", "eslint tslint biome"),
    ("bundler|build tool", "webpack vite rollup parcel"),
    ("frontend framework|ui framework|ui library", "react vue svelte angular"),
    ("state management|state library", "redux zustand mobx"),
    ("date library", "moment dayjs luxon"),
    ("api style", "rest graphql grpc"),
    ("database|db", "mysql postgres postgresql sqlite mongodb"),
    ("task queue|job queue", "celery rq temporal"),
    ("container runtime|container engine", "docker podman"),
    ("cpu architecture|architecture", "arm64 amd64 x86"),
    ("id format|identifiers", "uuid uuids ulid ulids"),
    ("merge strategy", "rebase merge"),
    ("encoding|character set|charset", "utf8 latin1 cp1252"),
    ("human language|spoken language", _LANGUAGES),
    ("unit of temperature|temperature unit", "celsius fahrenheit kelvin"),
)
#: Tools of a kind used alongside others, so that choosing one rules out none.
_BESIDE = (
    ("formatter|formatting|code style", "prettier ruff gofmt rustfmt biome"),
    ("type checker", "mypy pyright tsc"),
    ("web framework", "fastapi flask django express nestjs rails"),
    ("orm", "sqlalchemy prisma typeorm drizzle sequelize"),
    ("cache", "redis memcached"),
    ("message queue|message broker", "rabbitmq kafka nats"),
)
#: One for each thing that is written, unlike tools: "messages in German, docs in English".
LANGUAGES = frozenset(_LANGUAGES.split())
RIVALS = tuple(frozenset(tools.split()) for _, tools in _KINDS)
#: Those that are names and nothing else in English prose about code.
NAMES = frozenset(" ".join(tools for _, tools in (*_KINDS, *_BESIDE)).split()).difference(
    ("tab", "tabs", "space", "spaces", "rebase", "merge", "moment", "rest", "black", "express"),
    LANGUAGES,
)


#: Those that are typed in a shell, in lower case.
_COMMANDS = frozenset(
    tool
    for names, tools in (*_KINDS, *_BESIDE)
    if names.startswith(("package", "test", "linter", "formatter", "container", "type checker"))
    for tool in tools.split()
)
#: Behind the name of a tool that is only named, not called: "npm for the frontend".
_ONLY_NAMED = (
    "for in on as at and or not over instead rather with without to only because since when"
    " everywhere here now always never is are anymore by from until unless if but"
)
_NOT_CALLED = frozenset(_ONLY_NAMED.split())


def calls_a_tool(text: str) -> bool:
    """Return whether a text tells a command of a tool ("npm test"), not just the tool."""
    words = [word.strip(".,;:()`") for word in text.split()]
    return any(
        word in _COMMANDS and after[:1].isalpha() and after not in _NOT_CALLED
        for word, after in itertools.pairwise(words)
    )


def tools_meant(question: str) -> str:
    """Return the tools of every kind named in a question, as words to search for; or ""."""
    asked = _plain(question)
    return " ".join(
        tools
        for names, tools in (*_KINDS, *_BESIDE)
        if any(f" {name} " in asked or f" {name}s " in asked for name in names.split("|"))
    )


def kinds_named(text: str) -> str:
    """Return the kinds of the tools in a text, as words to find it by; or ""."""
    words = set(_plain(text).split())
    return " ".join(
        names.replace("|", " ")
        for names, tools in (*_KINDS, *_BESIDE)
        if not words.isdisjoint(tools.split())
    )


def _plain(text: str) -> str:
    """Return a text's words between single spaces; a cold search compiles no pattern."""
    kept = "".join(c if c.isalnum() else " " for c in text.lower())
    return f" {' '.join(kept.split())} "

"""Kinds of tools, and tools of each kind: "package manager" is what npm and pnpm are. Pure.

People ask by the kind ("which database?") and remember by the name ("SQLite, not Postgres").
"""

from __future__ import annotations

#: What people call a kind, separated by bars; and of each line a project uses one: to use another
#: as well is said with where.
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
)
#: Tools of a kind that stand beside others, so that choosing one rules out none.
_BESIDE = (
    ("formatter|formatting|code style", "prettier ruff gofmt rustfmt biome"),
    ("type checker", "mypy pyright tsc"),
    ("web framework", "fastapi flask django express nestjs rails"),
    ("orm", "sqlalchemy prisma typeorm drizzle sequelize"),
    ("cache", "redis memcached"),
    ("message queue|message broker", "rabbitmq kafka nats"),
)
RIVALS = tuple(frozenset(tools.split()) for _, tools in _KINDS)
#: Everything of those that is a name, and nothing else in English prose about code.
NAMES = frozenset(" ".join(tools for _, tools in (*_KINDS, *_BESIDE)).split()).difference(
    ("tab", "tabs", "space", "spaces", "rebase", "merge", "moment", "rest", "black", "express")
)


def tools_meant(question: str) -> str:
    """Return the tools of every kind that a question names, as words to search for; or ""."""
    asked = _plain(question)
    return " ".join(
        tools
        for names, tools in (*_KINDS, *_BESIDE)
        if any(f" {name} " in asked or f" {name}s " in asked for name in names.split("|"))
    )


def kinds_named(text: str) -> str:
    """Return what people call the tools in a text, as words that it may be found by; or ""."""
    words = set(_plain(text).split())
    return " ".join(
        names.replace("|", " ")
        for names, tools in (*_KINDS, *_BESIDE)
        if not words.isdisjoint(tools.split())
    )


def _plain(text: str) -> str:
    """Return a text's words between single spaces; no pattern is compiled for a cold search."""
    kept = "".join(c if c.isalnum() else " " for c in text.lower())
    return f" {' '.join(kept.split())} "

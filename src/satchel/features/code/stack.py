"""A project's stack: languages, frameworks, databases, tools, each with a confidence.

Pure: from the names of the files and the text of a few manifests. Nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol

from satchel.core.values import NamedTuple

LANGUAGE, FRAMEWORK, DATABASE, TOOL = "language", "framework", "database", "tool"
_ORDER = (LANGUAGE, FRAMEWORK, DATABASE, TOOL)
#: A manifest says so; a dependency is listed; a container is named; files have the extension.
_MANIFEST, _DEPENDENCY, _CONTAINER, _CONFIGURED = 0.9, 0.95, 0.8, 0.85
_LEAST = 0.2
#: This many files of a language make it certain.
_CERTAIN = 20

_ENDINGS = {
    "py": "Python", "pyi": "Python", "ts": "TypeScript", "tsx": "TypeScript", "js": "JavaScript",
    "jsx": "JavaScript", "mjs": "JavaScript", "go": "Go", "rs": "Rust", "java": "Java",
    "kt": "Kotlin", "swift": "Swift", "rb": "Ruby", "php": "PHP", "cs": "C#", "c": "C", "h": "C",
    "cpp": "C++", "cc": "C++", "hpp": "C++", "scala": "Scala", "ex": "Elixir", "exs": "Elixir",
    "dart": "Dart", "lua": "Lua", "sh": "Shell", "sql": "SQL", "svelte": "Svelte", "vue": "Vue",
    "hs": "Haskell", "clj": "Clojure", "tf": "Terraform", "zig": "Zig", "r": "R", "jl": "Julia",
}  # fmt: skip
#: Manifest -> its language, "" for none.
MANIFESTS = {
    "pyproject.toml": "Python", "requirements.txt": "Python", "setup.py": "Python",
    "Pipfile": "Python", "package.json": "JavaScript", "tsconfig.json": "TypeScript",
    "go.mod": "Go", "Cargo.toml": "Rust", "pom.xml": "Java", "build.gradle": "Java",
    "build.gradle.kts": "Kotlin", "Gemfile": "Ruby", "composer.json": "PHP",
    "Package.swift": "Swift", "mix.exs": "Elixir", "pubspec.yaml": "Dart",
    "deno.json": "TypeScript",
    "docker-compose.yml": "", "docker-compose.yaml": "", "compose.yml": "", "compose.yaml": "",
    "Dockerfile": "", "Makefile": "", "CMakeLists.txt": "C++",
}  # fmt: skip
_DEPENDENCIES = {
    FRAMEWORK: {
        "django": "Django", "flask": "Flask", "fastapi": "FastAPI", "starlette": "Starlette",
        "react": "React", "next": "Next.js", "vue": "Vue", "nuxt": "Nuxt", "svelte": "Svelte",
        "@sveltejs/kit": "SvelteKit", "@angular/core": "Angular", "express": "Express",
        "fastify": "Fastify", "@nestjs/core": "NestJS", "astro": "Astro", "rails": "Rails",
        "sinatra": "Sinatra", "laravel/framework": "Laravel", "symfony/symfony": "Symfony",
        "spring-boot": "Spring Boot", "axum": "Axum", "actix-web": "Actix", "rocket": "Rocket",
        "tokio": "Tokio", "gin-gonic/gin": "Gin", "labstack/echo": "Echo", "gofiber/fiber": "Fiber",
        "electron": "Electron", "react-native": "React Native", "phoenix": "Phoenix",
        "pytorch": "PyTorch", "torch": "PyTorch", "tensorflow": "TensorFlow", "numpy": "NumPy",
        "pandas": "pandas", "celery": "Celery", "tailwindcss": "Tailwind CSS", "flutter": "Flutter",
    },
    DATABASE: {
        "psycopg": "PostgreSQL", "psycopg2": "PostgreSQL", "psycopg2-binary": "PostgreSQL",
        "asyncpg": "PostgreSQL", "pg": "PostgreSQL", "postgres": "PostgreSQL",
        "jackc/pgx": "PostgreSQL", "lib/pq": "PostgreSQL", "mysql2": "MySQL", "pymysql": "MySQL",
        "mysqlclient": "MySQL", "redis": "Redis", "ioredis": "Redis", "mongoose": "MongoDB",
        "mongodb": "MongoDB", "pymongo": "MongoDB", "better-sqlite3": "SQLite", "apsw": "SQLite",
        "rusqlite": "SQLite", "aiosqlite": "SQLite", "@prisma/client": "Prisma", "prisma": "Prisma",
        "sqlalchemy": "SQLAlchemy", "elasticsearch": "Elasticsearch", "@supabase/supabase-js":
        "Supabase", "diesel": "Diesel", "sqlx": "SQLx", "clickhouse-driver": "ClickHouse",
    },
    TOOL: {
        "pytest": "pytest", "ruff": "Ruff", "mypy": "mypy", "jest": "Jest", "vitest": "Vitest",
        "eslint": "ESLint", "vite": "Vite", "webpack": "webpack", "playwright": "Playwright",
        "@playwright/test": "Playwright", "cypress": "Cypress", "prettier": "Prettier",
        "rspec": "RSpec", "hypothesis": "Hypothesis", "poetry-core": "Poetry",
    },
}  # fmt: skip
_IMAGES = {
    "postgres": "PostgreSQL", "pgvector": "PostgreSQL", "mysql": "MySQL", "mariadb": "MariaDB",
    "redis": "Redis", "mongo": "MongoDB", "elasticsearch": "Elasticsearch", "rabbitmq": "RabbitMQ",
    "kafka": "Kafka", "clickhouse": "ClickHouse", "neo4j": "Neo4j",
}  # fmt: skip
_FILES = {
    "Dockerfile": "Docker", "Makefile": "Make", ".github/workflows": "GitHub Actions",
    ".gitlab-ci.yml": "GitLab CI", "uv.lock": "uv", "poetry.lock": "Poetry", "pnpm-lock.yaml":
    "pnpm", "yarn.lock": "Yarn", "package-lock.json": "npm", "bun.lockb": "Bun",
    ".pre-commit-config.yaml": "pre-commit", "CMakeLists.txt": "CMake", "flake.nix": "Nix",
}  # fmt: skip
_IMAGE = re.compile(
    r"^[ \t]*(?:image|FROM)(?:[ \t]*:)?[ \t]+[\"']?([\w./-]+)", re.MULTILINE | re.IGNORECASE
)
#: Lines of a manifest about the project itself rather than its requirements.
_PROSE = ("#", "//", "<!--", "description", '"description"', "keywords", '"keywords"', "name =")
_NO_LIST = ("Makefile", "CMakeLists.txt", "tsconfig.json", "deno.json")
_NAME = re.compile(r"[A-Za-z@][\w.@/-]*")


class Technology(NamedTuple):
    """A technology in use: its confidence (0 to 1), and the evidence."""

    name: str
    kind: str
    confidence: float
    evidence: str


def stack_of(paths: Iterable[str], manifests: Mapping[str, str]) -> list[Technology]:
    """Return a project's stack, languages first, most certain first.

    Args:
        paths: of every file, below the root, with slashes.
        manifests: path -> text, of files whose names are in `MANIFESTS`.
    """
    found: dict[tuple[str, str], Technology] = {}

    def add(name: str, kind: str, confidence: float, evidence: str) -> None:
        known = found.get((name, kind))
        if known is None or known.confidence < confidence:
            found[name, kind] = Technology(name, kind, round(confidence, 2), evidence)

    everything = list(paths)
    _from_endings(everything, add)
    for path in everything:
        name = path.rpartition("/")[2]
        for part, tool in _FILES.items():
            if name == part or path.startswith(part + "/"):
                add(tool, TOOL, _CONFIGURED, path)
    for path, text in manifests.items():
        name = path.rpartition("/")[2]
        language = MANIFESTS.get(name, "")
        if language:
            add(language, LANGUAGE, _MANIFEST, path)
        if "ompose" in name or name == "Dockerfile":
            for image in _IMAGE.findall(text):
                bare = image.rpartition("/")[2].split(":")[0].lower()
                if bare in _IMAGES:
                    add(_IMAGES[bare], DATABASE, _CONTAINER, path)
            continue
        if name not in _NO_LIST:
            _from_dependencies(path, text, add)
    return sorted(
        (one for one in found.values() if one.confidence >= _LEAST),
        key=lambda one: (_ORDER.index(one.kind), -one.confidence, one.name),
    )


def _from_endings(paths: list[str], add: Adding) -> None:
    counts: dict[str, int] = {}
    for path in paths:
        language = _ENDINGS.get(path.rpartition(".")[2])
        if language:
            counts[language] = counts.get(language, 0) + 1
    total = sum(counts.values())
    for language, count in counts.items():
        # Certain with many files; with few of anything, the share matters.
        confidence = max(min(1.0, count / _CERTAIN), count / total) * 0.98
        add(language, LANGUAGE, confidence, f"{count} files")


def _from_dependencies(path: str, text: str, add: Adding) -> None:
    """Find known packages among a manifest's names, ignoring comments."""
    names = set()
    for line in text.splitlines()[:5000]:
        bare = line.strip()
        if bare.startswith(_PROSE):
            continue
        names |= {name.lower() for name in _NAME.findall(bare)}
    for kind, table in _DEPENDENCIES.items():
        for package, technology in table.items():
            if package in names or any(n.endswith("/" + package) for n in names if "." in n):
                add(technology, kind, _DEPENDENCY, path)


class Adding(Protocol):
    """Records one technology."""

    def __call__(self, name: str, kind: str, confidence: float, evidence: str) -> None:
        """Keep it, unless an equal one is more certain."""
        ...

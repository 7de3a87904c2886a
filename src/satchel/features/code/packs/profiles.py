"""Project profiles, as in Beads Console: the files and symbols that a pack prefers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from satchel.core.errors import BadInputError
from satchel.core.globs import regex_of
from satchel.core.values import NamedTuple

AUTO = "auto"
_EVERYWHERE = ("**/node_modules/**", "**/.git/**", "**/dist/**", "**/*.min.js", "**/*.map")


class Profile(NamedTuple):
    """What a pack prefers in this type of project.

    Attributes:
        include: files that count in full; with none, all do.
        exclude: files that are never included.
        focus: kinds of symbols that count in full.
    """

    name: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    focus: tuple[str, ...]


#: Files that mark a web project.
_WEB_MANIFESTS = frozenset(("package.json", "tsconfig.json", "svelte.config.js", "deno.json"))
PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "ios", ("**/*.swift", "**/Package.swift", "**/*.xib", "**/*.m", "**/*.h"),
            (".build/**", "DerivedData/**", "Pods/**"),
            ("class", "interface", "method", "function"),
        ),
        Profile(
            "web", ("**/*.svelte", "**/*.vue", "**/*.ts", "**/*.tsx", "**/*.js", "**/*.jsx",
                    "src/routes/**/*"),
            ("**/node_modules/**", "**/.svelte-kit/**", "**/.next/**"),
            ("component", "function", "route", "interface"),
        ),
        Profile(
            "python", ("**/*.py", "**/*.pyi", "pyproject.toml"),
            ("**/.venv/**", "**/__pycache__/**", "**/site-packages/**"),
            ("class", "function", "method", "route"),
        ),
        Profile(
            "go", ("**/*.go", "go.mod"), ("vendor/**",),
            ("function", "method", "class", "interface", "type"),
        ),
        Profile(
            "infra",
            ("**/*.tf", "**/*.yml", "**/*.yaml", "**/Dockerfile*", "**/*.sh", "**/Makefile",
             "**/*.toml"),
            ("**/.terraform/**",), ("function", "type", "variable"),
        ),
        Profile("generic", (), (), ("class", "interface", "function", "method", "type", "route",
                                    "component")),
    )
}  # fmt: skip


def profile_named(name: str, paths: Iterable[str] = ()) -> tuple[Profile, bool]:
    """Return a profile, and whether it was chosen; `auto` inspects the project's paths.

    Raises `BadInputError` for an unknown one.
    """
    if name == AUTO:
        return PROFILES[_guessed(paths)], False
    if name not in PROFILES:
        raise BadInputError(
            f"There is no profile {name[:40]!r}.", hint=f"There are {', '.join(PROFILES)} and auto."
        )
    return PROFILES[name], True


def _guessed(paths: Iterable[str]) -> str:
    counted = dict.fromkeys(("ios", "web", "python", "go", "infra"), 0)
    endings = {
        "swift": "ios",
        "xib": "ios",
        "storyboard": "ios",
        "svelte": "web",
        "vue": "web",
        "ts": "web",
        "tsx": "web",
        "jsx": "web",
        "js": "web",
        "py": "python",
        "go": "go",
        "tf": "infra",
        "hcl": "infra",
    }
    every, declared = 0, False
    for path in paths:
        kind = endings.get(path.rsplit(".", 1)[-1].lower(), "")
        if kind:
            counted[kind] += 1
        every += 1
        declared = declared or path.rpartition("/")[2] in _WEB_MANIFESTS
    best = max(counted, key=lambda name: counted[name])
    # A project declared as web is web, however many documents and pictures it has.
    return best if counted[best] * 4 > every or (declared and best == "web") else "generic"


def excluded(profile: Profile, path: str) -> bool:
    """Return whether a file is never included in a pack."""
    return any(_matches(pattern, path) for pattern in (*_EVERYWHERE, *profile.exclude))


def included(profile: Profile, path: str) -> bool:
    """Return whether a file counts in full."""
    return not profile.include or any(_matches(pattern, path) for pattern in profile.include)


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile(regex_of(glob) + r"\Z")


def _matches(glob: str, path: str) -> bool:
    return bool(_pattern(glob).match(path))

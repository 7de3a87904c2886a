"""Parses profiles from YAML, also in The Foundation's format. The file belongs to its author."""

from __future__ import annotations

import os
from collections.abc import Sequence

from satchel.core.errors import BadInputError
from satchel.core.values import Any
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.features.routing.values import FALLBACK, THRESHOLD, Profile, Profiles

#: Bytes of one file of profiles.
LARGEST = 256 * 1024
_MOST_PROFILES, _MOST_WORDS, _LONGEST = 500, 500, 200
_LOWEST, _HIGHEST = 0.7, 1.3
_KNOWN = frozenset(
    "id name aliases role division keywords intents negative negativekeywords "  # noqa: SIM905
    "negative_keywords outcomemultiplier multiplier".split()
)


def preset_text() -> str:
    """Return the shipped profiles, including comments: The Foundation's fourteen."""
    with open(os.path.join(os.path.dirname(__file__), "foundation.yaml"), encoding="utf-8") as file:
        return file.read()


def read_profiles(data: bytes, path: str) -> Profiles:
    """Read a profiles file.

    Raises `BadInputError` naming the file, the profile and what is wrong with it.
    """
    body = _yaml(data, path)
    if isinstance(body, list):
        body = {"profiles": body}
    given = body.get("profiles") if isinstance(body, dict) else None
    if not isinstance(body, dict) or not isinstance(given, list) or not given:
        raise BadInputError(
            f"{path} contains no profiles.", hint="`satchel route init` writes one to begin with."
        )
    if len(given) > _MOST_PROFILES:
        raise BadInputError(f"{path} holds more than {_MOST_PROFILES} profiles.")
    profiles = tuple(_profile(one, f"{path}, profile {n}", path) for n, one in enumerate(given, 1))
    _once(profiles, path)
    fallback = _line(body.get("fallback", FALLBACK), "fallback", path)
    threshold = _number(body.get("threshold", THRESHOLD), "threshold", path, 0.0, 1.0)
    return checked(Profiles(profiles, fallback, threshold, path))


def read_profile(data: bytes, path: str, agent: str) -> Profile:
    """Read an agent's profile from beside its identity files."""
    body = _yaml(data, path)
    if isinstance(body, dict):
        body = {"id": agent, **body}
    return _profile(body, path, path)


def with_own(profiles: Profiles, own: Sequence[Profile]) -> Profiles:
    """Merge single agents' profiles, replacing those with the same id."""
    given = {one.id.lower(): one for one in own}
    kept = [given.pop(one.id.lower(), one) for one in profiles.profiles]
    return profiles._replace(profiles=(*kept, *given.values()))


def checked(profiles: Profiles) -> Profiles:
    """Return profiles with a valid fallback. Raises `BadInputError` otherwise."""
    found = profiles.named(profiles.fallback)
    if found is None:
        names = ", ".join(one.id for one in profiles.profiles[:20])
        raise BadInputError(
            f"{profiles.path}: the fallback {profiles.fallback[:40]!r} is not a profile.",
            hint=f"There are {names}.",
        )
    return profiles._replace(fallback=found.id)


def _yaml(data: bytes, path: str) -> Any:
    try:
        return read_yaml(data.decode("utf-8-sig"), largest=LARGEST)
    except UnicodeDecodeError:
        raise BadInputError(f"{path} is not UTF-8.", hint="Save it as UTF-8.") from None
    except BadInputError as error:
        raise BadInputError(f"{path} is not YAML: {error}.", hint=error.hint) from None


def _profile(raw: Any, where: str, path: str) -> Profile:
    if not isinstance(raw, dict):
        raise BadInputError(f"{where} is not a profile.", hint="It needs `id:` and `keywords:`.")
    ident = _line(raw.get("id"), "id", where)
    if not ident.replace("-", "").replace("_", "").isalnum():
        raise BadInputError(
            f"{where}: {ident[:40]!r} is not an id.", hint="Letters, digits, - and _."
        )
    where = f"{path}, profile {ident}"
    wrong = sorted(key for key in raw if key.lower() not in _KNOWN)
    if wrong:
        raise BadInputError(
            f"{where} has the field {wrong[0][:40]!r}, which profiles do not have.",
            hint="Fields are id, name, aliases, role, division, keywords, intents, negative.",
        )
    fields = {key.lower(): value for key, value in raw.items()}
    negative = fields.get(
        "negative", fields.get("negative_keywords", fields.get("negativekeywords"))
    )
    multiplier = fields.get("multiplier", fields.get("outcomemultiplier", 1.0))
    return Profile(
        ident,
        _line(fields.get("name") or ident, "name", where),
        _lines(fields.get("aliases"), "aliases", where),
        role=_line(fields.get("role") or "-", "role", where),
        division=_line(fields.get("division") or "-", "division", where).strip("-"),
        keywords=_keywords(fields.get("keywords"), where),
        intents=_lines(fields.get("intents"), "intents", where),
        negative=_lines(negative, "negative", where),
        multiplier=_number(multiplier, "multiplier", where, _LOWEST, _HIGHEST),
        path=path,
    )


def _keywords(given: Any, where: str) -> tuple[tuple[str, float], ...]:
    """Parse `word: weight`, a list of them, or `{word, weight}`; the default weight is .6."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(given, dict):
        pairs = list(given.items())
    elif isinstance(given, list):
        for one in given:
            if isinstance(one, dict) and "word" in one:
                pairs.append((one["word"], one.get("weight", 0.6)))
            elif isinstance(one, dict):
                pairs += one.items()
            else:
                pairs.append((one, 0.6))
    elif given is not None:
        raise BadInputError(f"{where}: keywords are not a list.", hint="Write `deploy: 0.8` each.")
    if len(pairs) > _MOST_WORDS:
        raise BadInputError(f"{where} has more than {_MOST_WORDS} keywords.")
    found: dict[str, float] = {}
    for word, weight in pairs:
        text = _line(word, "keyword", where)
        found[text] = _number(weight, f"weight of {text[:40]!r}", where, 0.0, 1.0)
    return tuple(found.items())


def _lines(given: Any, what: str, where: str) -> tuple[str, ...]:
    if given is None:
        return ()
    items = given if isinstance(given, list) else [given]
    if len(items) > _MOST_WORDS:
        raise BadInputError(f"{where} has more than {_MOST_WORDS} {what}.")
    return tuple(dict.fromkeys(_line(one, what, where) for one in items))


def _line(given: Any, what: str, where: str) -> str:
    text = "" if given is None or isinstance(given, dict | list) else " ".join(str(given).split())
    if not text or len(text) > _LONGEST:
        raise BadInputError(
            f"{where}: {what} must be a text of 1 to {_LONGEST} characters.",
            hint="`satchel route profiles` shows what is read.",
        )
    return text


def _number(given: Any, what: str, where: str, least: float, most: float) -> float:
    try:
        number = float(given) if not isinstance(given, bool) else -1.0
    except (TypeError, ValueError):
        number = -1.0
    if not least <= number <= most:
        raise BadInputError(
            f"{where}: {what} is {str(given)[:40]!r}.",
            hint=f"It may be from {least:g} to {most:g}.",
        )
    return number


def _once(profiles: Sequence[Profile], path: str) -> None:
    seen: set[str] = set()
    for one in profiles:
        if one.id.lower() in seen:
            raise BadInputError(f"{path}: the profile {one.id!r} occurs twice.")
        seen.add(one.id.lower())

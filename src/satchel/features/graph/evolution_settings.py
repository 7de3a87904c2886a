"""Settings of evolution, by default and from a `graphmem-evolution.json`."""

from __future__ import annotations

from collections.abc import Iterator

from satchel.core.errors import BadInputError
from satchel.core.quick_json import loads
from satchel.core.shapes import list_of
from satchel.core.values import Any, NamedTuple
from satchel.engine.ranking.decay import BASE_STABILITY_DAYS, REINFORCEMENT_BONUS


class EvolutionSettings(NamedTuple):
    """How the graph ages. Days, shares of 1, counts.

    `prune_share` is the largest share of relations that one run may end or prune unconfirmed.
    """

    decay: bool = True
    base_stability_days: float = BASE_STABILITY_DAYS
    reinforcement_bonus: float = REINFORCEMENT_BONUS
    strong: float = 0.7
    moderate: float = 0.3
    weak: float = 0.1
    forgotten: float = 0.05
    pagerank: bool = True
    damping: float = 0.85
    iterations: int = 20
    convergence: float = 1e-4
    weighted: bool = True
    consolidation: bool = True
    similarity: float = 0.85
    co_occurrence: int = 5
    validity: bool = True
    auto_expire_days: float = 180.0
    newer_wins: bool = True
    pruning: bool = True
    least_weight: float = 0.01
    least_retention: float = 0.0
    orphans: bool = True
    prune_share: float = 0.05

    @property
    def bands(self) -> tuple[tuple[str, float], ...]:
        """Return the names of retention levels, strongest first."""
        return (
            ("strong", self.strong),
            ("moderate", self.moderate),
            ("weak", self.weak),
            ("fading", self.forgotten),
        )


#: Where The Foundation's file has each setting, below "evolution".
_PLACES = {
    "decay": "ebbinghaus_forgetting.enabled",
    "base_stability_days": "ebbinghaus_forgetting.base_stability_days",
    "reinforcement_bonus": "ebbinghaus_forgetting.reinforcement_bonus",
    "strong": "ebbinghaus_forgetting.retention_thresholds.strong",
    "moderate": "ebbinghaus_forgetting.retention_thresholds.moderate",
    "weak": "ebbinghaus_forgetting.retention_thresholds.weak",
    "forgotten": "ebbinghaus_forgetting.retention_thresholds.forgotten",
    "pagerank": "pagerank.enabled",
    "damping": "pagerank.damping_factor",
    "iterations": "pagerank.iterations",
    "convergence": "pagerank.convergence_threshold",
    "weighted": "pagerank.edge_weight_scaling",
    "consolidation": "consolidation.enabled",
    "similarity": "consolidation.similarity_threshold",
    "validity": "temporal_validity.enabled",
    "auto_expire_days": "temporal_validity.auto_expire_days",
    "newer_wins": "temporal_validity.supersede_on_conflict",
    "pruning": "pruning.enabled",
    "least_weight": "pruning.min_weight_threshold",
    "least_retention": "pruning.min_retention_threshold",
    "orphans": "pruning.orphan_cleanup",
}
#: Other fields that are read, and fields that are for people.
_ALSO_READ = ("consolidation.consolidation_rules",)
_REMARKS = ("description", "comment", "_comment", "formula")
_SHARES = frozenset(
    "strong moderate weak forgotten damping convergence similarity least_weight "  # noqa: SIM905
    "least_retention".split()
)
_GREATEST = 1e6


def read_evolution(data: bytes, path: str) -> EvolutionSettings:
    """Read a `graphmem-evolution.json`, with defaults for missing fields.

    Raises `BadInputError` that names the file and the field.
    """
    try:
        value = loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise BadInputError(
            f"{path} is not JSON.", hint="Fix it, or remove it to use the defaults."
        ) from None
    fields = value.get("evolution", value) if isinstance(value, dict) else None
    if not isinstance(fields, dict):
        raise BadInputError(
            f"{path} holds no object `evolution`.", hint="See docs/graph.md for its fields."
        )
    found: dict[str, Any] = {}
    for name, place in _PLACES.items():
        given = _at(fields, place)
        if given is not None:
            found[name] = _checked(name, given, f"{path}: `evolution.{place}`")
    rules = _at(fields, "consolidation.consolidation_rules")
    for rule in list_of(rules):
        if isinstance(rule, dict) and "min_cooccurrence" in rule:
            place = f"{path}: `min_cooccurrence`"
            found["co_occurrence"] = _checked("co_occurrence", rule["min_cooccurrence"], place)
    return EvolutionSettings(**found)


def unknown_fields(data: bytes, path: str) -> list[str]:
    """Return the fields of a `graphmem-evolution.json` that have no effect, by path.

    Raises `BadInputError` when `read_evolution` does.
    """
    read_evolution(data, path)
    value = loads(data.decode("utf-8-sig"))
    inside = "evolution" in value
    known = {*_PLACES.values(), *_ALSO_READ}
    fields = value.get("evolution", value)
    found = [f"evolution.{place}" for place in _leaves(fields, "") if not _is_known(place, known)]
    return found + [name for name in value if inside and name != "evolution"]


def _is_known(place: str, known: set[str]) -> bool:
    return place in known or place.rsplit(".", 1)[-1] in _REMARKS


def _leaves(fields: dict[str, Any], below: str) -> Iterator[str]:
    for name, value in fields.items():
        place = f"{below}{name}"
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{place}.")
        else:
            yield place


def _at(fields: dict[str, Any], place: str) -> Any:
    value: Any = fields
    for name in place.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _checked(name: str, given: Any, where: str) -> Any:
    default = EvolutionSettings._field_defaults[name]
    if isinstance(default, bool):
        if isinstance(given, bool):
            return given
        raise BadInputError(f"{where} is {given!r}; it takes true or false.")
    number = isinstance(given, int | float) and not isinstance(given, bool)
    most = 1.0 if name in _SHARES else _GREATEST
    least = 1.0 if name == "reinforcement_bonus" else 0.0
    if not number or not least <= given <= most or (name == "base_stability_days" and not given):
        raise BadInputError(
            f"{where} is {given!r}; it takes a number from {least:g} to {most:g}.",
            hint=f"The default is {default!r}.",
        )
    return int(given) if isinstance(default, int) else float(given)

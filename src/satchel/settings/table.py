"""Every setting: name, default, help. Loading, `satchel config` and the docs all read it."""

from __future__ import annotations

from satchel.errors import BadInputError, UnknownSettingError
from satchel.layout import PRESETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Setting:
    """One setting. The type of `default` is the type of its values.

    A plain class, because hooks read this table and `typing` alone doubles a bare start.
    """

    __slots__ = ("default", "help", "name")

    def __init__(self, name: str, default: bool | float | str, text: str) -> None:  # noqa: FBT001
        self.name = name
        self.default = default
        self.help = text


SETTINGS: tuple[Setting, ...] = (
    Setting("layout.preset", "default", "Where tracked files lie: default, beads, agents, beans."),
    Setting("memory.max_bytes", 262_144, "Largest content of one memory, bytes."),
    Setting("memory.insight_ttl_hours", 1.0, "How long an insight lives unless it says so."),
    Setting("memory.purge_after_days", 30, "Days between a deletion and its purge from history."),
    Setting("rotation.above", 1000, "Rotate a ledger that has more lines than this."),
    Setting("rotation.move", 500, "Lines a rotation moves to the archive, oldest first."),
    Setting("upkeep.expiry_cap", 0.05, "Largest share of live memories one run may expire."),
    Setting("inbox.drain_ms", 100, "Longest a reader drains the inbox before it reads, ms."),
    Setting("inbox.max_event_bytes", 1_048_576, "Largest hook event that is kept, bytes."),
    Setting("index.wait_ms", 2000, "Longest a reader waits for another process that indexes, ms."),
    Setting("notes.knowledge_base", "auto", "Your learning notes: a directory; auto is by preset."),
    Setting("notes.lock_wait_s", 300, "Longest wait for another process that indexes notes, s."),
    Setting("recall.limit", 10, "Items that `satchel recall` shows."),
    Setting("recall.method", "fast", "How recall searches: keyword, fast, hybrid or semantic."),
    Setting("embed.background", True, "Let a process of its own make vectors after a recall."),
    Setting("brief.max_tokens", 2000, "Budget of the session-start brief, tokens."),
    Setting("brief.recent", 5, "Recent learnings in the brief."),
    Setting("brief.max_item_tokens", 160, "Longest single item in a brief, tokens."),
    Setting("prompt.max_items", 3, "Most memories added to one prompt."),
    Setting("prompt.max_tokens", 500, "Budget of what is added to one prompt, tokens."),
    Setting("prompt.min_characters", 12, "Prompts shorter than this get nothing."),
    Setting("prompt.min_coverage", 0.34, "Share of a prompt's telling words an item must hold."),
    Setting("model.embed", "built-in", "Model for vectors: built-in, static, none, or another."),
    Setting("model.rerank", "built-in-maxsim", "Model that orders what was found; none for none."),
    Setting("model.generate", "none", "Model that writes: `model.expand`, reports of the graph."),
    Setting("model.expand", False, "Let `model.generate` say questions in other words."),
    Setting("model.url", "", "Address of the models' server; empty: this machine."),
    Setting("model.key_name", "", "Environment variable that holds the models' key."),
    Setting("model.plain_http", False, "Allow unencrypted http to a models' server elsewhere."),
    Setting("model.threads", 0, "Threads of a model in this process; 0: as many as processors."),
    Setting("store.url", "", "Address of the team's PostgreSQL; empty: files alone."),
    Setting("store.replica_url", "", "Address of a replica of it that serves reads."),
    Setting("store.projects", "", "Ids of the projects that live there; * for every one."),
    Setting("store.wait_s", 10, "Longest wait for a team's server that is away, seconds."),
    Setting(
        "share.kinds", "learned,decision,constraint,fact", "Kinds that `satchel share` offers."
    ),
    Setting(
        "hooks.deadline_ms", 1800, "A hook gives up after this, ms; never later than after 1800."
    ),
    Setting("hooks.capture", True, "Capture what agents learn."),
    Setting("hooks.inject", True, "Put memories before agents."),
    Setting("hooks.gate_subagent_stop", False, "Block a subagent that leaves work unfinished."),
    Setting("hooks.gate_exempt", "worker-supervisor", "Agent types that the gate lets pass."),
    Setting("hooks.gate_needs_push", True, "The gate asks that the branch is on the remote."),
    Setting("hooks.gate_task_status", "inreview,closed", "Task states that the gate accepts."),
)

#: No limit is larger: beyond it lie typing errors.
_LARGEST = 10**9
_TAKES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
#: Settings that a repository's file may not set: whoever clones it would send texts and a key
#: where its author likes.
PERSONAL = ("model.", "store.", "notes.knowledge_base")


_BY_NAME = {setting.name: setting for setting in SETTINGS}


class Settings:
    """Resolved settings, frozen.

    Args:
        values: what differs from the defaults, by dotted name.
    """

    __slots__ = ("_values",)

    def __init__(self, values: dict[str, Any] | None = None) -> None:
        self._values = {s.name: s.default for s in SETTINGS} | (values or {})

    def integer(self, name: str) -> int:
        """Return a whole number."""
        return int(self._values[name])

    def number(self, name: str) -> float:
        """Return a number."""
        return float(self._values[name])

    def flag(self, name: str) -> bool:
        """Return a switch."""
        return bool(self._values[name])

    def text(self, name: str) -> str:
        """Return a text."""
        return str(self._values[name])

    def words(self, name: str) -> tuple[str, ...]:
        """Return a comma-separated list."""
        return tuple(w.strip() for w in str(self._values[name]).split(",") if w.strip())

    def as_dict(self) -> dict[str, Any]:
        """Every setting with its value."""
        return dict(self._values)


def parsed(name: str, value: object, where: str) -> bool | int | float | str:
    """Check a value against the table and give it the right type."""
    setting = _BY_NAME.get(name)
    if setting is None:
        import difflib

        near = difflib.get_close_matches(name, _BY_NAME, n=1)
        raise UnknownSettingError(
            f"{where} sets `{name}`, which is no setting.",
            hint=f"Did you mean `{near[0]}`?" if near else "See `satchel config` for all of them.",
        )
    default = setting.default
    text = str(value).strip()
    if isinstance(default, str):
        if name != "layout.preset" or text in PRESETS:
            return text
        number: float = -1
    elif isinstance(default, bool):
        number = {"true": 1, "1": 1, "false": 0, "0": 0}.get(text.lower(), -1)
        if number >= 0:
            return bool(number)
    else:
        try:
            number = int(text) if isinstance(default, int) else float(text)
        except ValueError:
            number = -1
    if not 0 <= number <= _LARGEST:
        raise BadInputError(
            f"{where} sets `{name}` to {value!r}; it takes {_TAKES[type(default)]}.",
            hint=f"The default is {default!r}: {setting.help}",
        )
    return number

"""The table of settings: name, default, help. Used by loading, `satchel config` and the docs."""

from __future__ import annotations

from satchel.core.errors import BadInputError, UnknownSettingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Setting:
    """A setting. The type of `default` is the type of its values.

    A repository's file may set it only if `shared`: whoever clones the repository has not agreed
    to anything in it.

    A plain class, because hooks read this table and `typing` alone doubles a bare start.
    """

    __slots__ = ("default", "help", "name", "shared")

    def __init__(
        self,
        name: str,
        default: bool | float | str,  # noqa: FBT001
        text: str,
        *,
        shared: bool = False,
    ) -> None:
        self.name = name
        self.default = default
        self.help = text
        self.shared = shared


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "layout.preset",
        "default",
        "Where tracked files lie: default, beads, agents, beans.",
        shared=True,
    ),
    Setting("memory.insight_ttl_hours", 1.0, "How long an insight lives unless it says so."),
    Setting(
        "memory.single_valued",
        "port,listens on,version,status,owned by,assigned to,located in,deployed on,reports to",
        "Predicates of facts that have one value at a time: a newer one ends the older.",
    ),
    Setting("memory.purge_after_days", 30, "Days between a deletion and its purge from history."),
    Setting("rotation.above", 1000, "Rotate a ledger that has more lines than this."),
    Setting("rotation.move", 500, "Lines a rotation moves to the archive, oldest first."),
    Setting("upkeep.expiry_cap", 0.05, "Largest share of live memories one run may expire."),
    Setting("inbox.drain_ms", 100, "Longest a reader drains the inbox before it reads, ms."),
    Setting("index.wait_ms", 2000, "Longest a reader waits for another process that indexes, ms."),
    Setting("notes.knowledge_base", "auto", "Your learning notes: a directory; auto is by preset."),
    Setting("notes.lock_wait_s", 300, "Longest wait for another process that indexes notes, s."),
    Setting("recall.limit", 10, "Items that `satchel recall` shows."),
    Setting("recall.method", "fast", "How recall searches: keyword, fast, hybrid or semantic."),
    Setting("embed.background", True, "Let a process of its own make vectors after a recall."),
    Setting("brief.max_tokens", 2000, "Budget of the session-start brief, tokens."),
    Setting("brief.recent", 5, "Recent learnings in the brief; as many older ones by a person."),
    Setting("brief.max_item_tokens", 160, "Longest single item in a brief, tokens."),
    Setting("brief.intent_tokens", 500, "The intent's share of the session-start brief, tokens."),
    Setting("brief.identity_tokens", 400, "The agent's identity files' share of it, tokens."),
    Setting(
        "brief.memory_file_tokens", 800, "Share of instruction files that no client reads, tokens."
    ),
    Setting("brief.instinct_tokens", 300, "The instincts' share of it, tokens."),
    Setting("brief.skill_level", "", "How agents speak: non-coder, junior, senior, principal."),
    Setting("prime.max_tokens", 4000, "Budget of `satchel overview`, tokens."),
    Setting("research.web_url", "", "Web search to ask too, with {query} in it; empty: none."),
    Setting("research.web_key_name", "", "Environment variable that holds its key."),
    Setting("research.keep_days", 7, "Days for which an answer is kept for the same commit."),
    Setting("tokens.model", "", "Model or family that token budgets are meant for, as claude."),
    Setting("tokens.tokenizer", "", "Path of its tokenizer.json: then tokens are exact."),
    Setting("prompt.assembled_tokens", 60_000, "Budget of a whole assembled prompt, tokens."),
    Setting("intent.max_tokens", 2000, "Budget of the intent before an agent, tokens."),
    Setting("agents.default", "", "Agent whose identity files are meant where none is named."),
    Setting("sessions.tracked", False, "Keep new sessions in the work tree, where git sees them."),
    Setting("sessions.pack_days", 7, "Days after which a closed session is compressed."),
    Setting("sessions.keep_days", 90, "Days that sessions of clients can be searched."),
    Setting("sessions.old", "move", "What becomes of older ones: move (out of sight) or remove."),
    Setting("sessions.import", True, "Let upkeep keep what clients' transcripts say."),
    Setting("sessions.clients", "all", "Whose transcripts those are: names with commas, or all."),
    Setting("prompt.max_items", 3, "Most memories added to one prompt."),
    Setting("prompt.max_tokens", 500, "Budget of what is added to one prompt, tokens."),
    Setting("prompt.min_confidence", 0.98, "How surely a memory must concern a prompt, 0 to 1."),
    Setting(
        "code.map_ttl_hours",
        24.0,
        "How long docs/CODEBASE_MAP.md counts as fresh, hours.",
        shared=True,
    ),
    Setting("pack.max_tokens", 50_000, "Budget of a context pack, tokens."),
    Setting("model.embed", "built-in", "Model for vectors: built-in, static, none, or another."),
    Setting("model.rerank", "built-in-maxsim", "Model that orders what was found; none for none."),
    Setting("model.generate", "none", "Model that writes: lessons, `model.expand`, research."),
    Setting("model.expand", False, "Let `model.generate` say questions in other words."),
    Setting("model.url", "", "Address of the models' server; empty: this machine."),
    Setting("model.key_name", "", "Environment variable that holds the models' key."),
    Setting("model.plain_http", False, "Allow unencrypted http to a models' server elsewhere."),
    Setting("model.threads", 0, "Threads of a model in this process; 0: as many as processors."),
    Setting("store.url", "", "Address of the team's PostgreSQL; empty: files alone."),
    Setting("store.replica_url", "", "Address of a replica of it that serves reads."),
    Setting("store.projects", "", "Ids of the projects that live there; * for every one."),
    Setting("store.wait_s", 10, "Longest wait for a team's server that is away, seconds."),
    Setting("share.kinds", "auto", "Kinds that `satchel share` offers; auto: what a team needs."),
    Setting(
        "instructions.enabled", True, "Read instruction files: AGENTS.md, CLAUDE.md and their kin."
    ),
    Setting(
        "instructions.file_names",
        "AGENTS.md,CLAUDE.md,GEMINI.md,BEANS.md",
        "Names of instruction files: the first is written to, the last overrides.",
    ),
    Setting(
        "instructions.exclude",
        "node_modules,.git,dist,build",
        "Directories and globs in which instruction files do not count.",
    ),
    Setting("instructions.local_files", True, "Read `.local.md` files, which git does not see."),
    Setting("instructions.auto_memory", True, "Read what clients have noted by themselves."),
    Setting(
        "instructions.team_directory", "", "A directory of instruction files that a team shares."
    ),
    Setting("instructions.search_directories", 0, "Directories below to search too; 0: none."),
    Setting("instructions.imports", "auto", "auto, beans, claude, gemini or none."),
    Setting("instructions.import_depth", 5, "Hops that imports are followed."),
    Setting(
        "instructions.import_extensions",
        "auto",
        "Endings of imported files; auto: .md, any text as Claude or Gemini reads; *: any.",
    ),
    Setting("instructions.max_import_bytes", 102_400, "Largest instruction file or import, bytes."),
    Setting("instructions.budget_percent", 10.0, "Instruction files' share of a context, percent."),
    Setting("instructions.warn_percent", 8.0, "Warn above this share of a context, percent."),
    Setting("instructions.hard_percent", 15.0, "Cut what is above this share, percent."),
    Setting("instructions.model", "", "Model whose context counts; empty: 200,000 tokens."),
    Setting("instructions.context_tokens", 0, "Size of the context, tokens; 0: by the model."),
    Setting(
        "instructions.watch", False, "Look for changes whenever instruction files are asked for."
    ),
    Setting("instructions.watch_every_ms", 1000, "`memory watch` looks this often, ms."),
    Setting("instructions.settle_ms", 300, "A change is told when it is this old, ms."),
    Setting("instructions.provenance", True, "`memory show` says where each part comes from."),
    Setting(
        "hooks.deadline_ms", 1800, "A hook gives up after this, ms; never later than after 1800."
    ),
    Setting("trust.quarantine", True, "Start no session with what tools, the web or files said."),
    Setting("chat.provider", "none", "Who answers in a chat: none, anthropic or openai."),
    Setting(
        "chat.url", "", "Where that is; empty: the provider's own. openai: any that speaks it."
    ),
    Setting("chat.model", "", "The model that answers."),
    Setting("chat.key_name", "", "Environment variable that holds the key."),
    Setting("chat.max_tokens", 4096, "Longest answer, tokens."),
    Setting("chat.price_input", 0.0, "What a million tokens cost that are sent, USD."),
    Setting("chat.price_output", 0.0, "What a million tokens cost that are answered, USD."),
    Setting("reflect.auto", True, "Look for suggestions when a session is compacted or ends."),
    Setting("reflect.commit", True, "Commit each accepted change on refs/satchel/changes."),
    Setting("hooks.capture", True, "Capture what agents learn."),
    Setting("hooks.capture_elsewhere", "", "Ids of projects where another program captures."),
    Setting("hooks.inject", True, "Put memories before agents."),
    Setting("hooks.nudge", True, "Ask agents to keep what a person said or a failure taught."),
    Setting("hooks.touch", False, "Tell an agent what is remembered about a file it opens."),
    Setting("hooks.trailer", False, "Ask agents to name their session in commit messages."),
    Setting("hooks.guard", True, "Let approved guards act before a tool runs."),
    Setting("hooks.gate_subagent_stop", False, "Block a subagent that leaves work unfinished."),
    Setting("hooks.gate_exempt", "worker-supervisor", "Agent types that the gate lets pass."),
    Setting("hooks.gate_needs_push", True, "The gate asks that the branch is on the remote."),
    Setting("hooks.gate_task_status", "inreview,closed", "Task states that the gate accepts."),
)

#: No limit is larger: beyond it lie typing errors.
_LARGEST = 10**9
_TAKES = {bool: "true or false", int: "a whole number", float: "a number"}
#: All that a repository's file may set.
SHARED = frozenset(setting.name for setting in SETTINGS if setting.shared)
#: What lets more reach agents: only a person sets it.
PERSONS = frozenset({"trust.quarantine", "store.url", "store.replica_url", "store.projects"})
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


def parsed(
    name: str, value: object, where: str, *, quotes: bool = True
) -> bool | int | float | str:
    """Validate a value against the table and convert it.

    Args:
        name: the setting, dotted.
        value: as given.
        where: the file or variable that gives it.
        quotes: whether an error may repeat the value.

    Raises:
        BadInputError: there is no such setting, or it does not take this value.
    """
    setting = _BY_NAME.get(name)
    if setting is None:
        import difflib

        near = difflib.get_close_matches(name, _BY_NAME, n=1)
        raise UnknownSettingError(
            f"{where} sets `{name}`, which is not a setting.",
            hint=f"Did you mean `{near[0]}`?" if near else "See `satchel config` for all of them.",
        )
    default = setting.default
    text = str(value).strip()
    if isinstance(default, str):
        if name != "layout.preset" or text in _presets().split(", "):
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
        takes = _presets() if isinstance(default, str) else _TAKES[type(default)]
        raise BadInputError(
            f"{where}: `{name}` takes {takes}{f', not {value!r}' if quotes else ''}.",
            hint=f"The default is {default!r}: {setting.help}",
        )
    return number


def _presets() -> str:
    from satchel.storage.tracked_files import PRESETS

    return ", ".join(PRESETS)

"""What must hold in a real client: sessions, and what of Satchel is seen in them from outside."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from clients import table
from clients.dialects import Call
from clients.isolation import ways_out
from clients.model_server import Request
from clients.stand import RAN, Stand

_BRIEF = "session brief"
_FAR_AWAY = "The webhook signature check uses the raw body, and the proxy re-encodes it on Fridays"
#: Words that Satchel or a client's machinery says; never a person, never an agent.
_MACHINE = re.compile(
    r"satchel-memory|hook_context|task-notification|system-reminder|recalled for this prompt"
    r"|\[(?:LEARN|RULE|CHECKPOINT)\]|Recent Knowledge"
)
_MANY = 30
#: A hook gives up after 1.8 s. What it works is measured, not how long others keep it waiting.
_MOST_WORK_MS = 1800


class Check(NamedTuple):
    """One thing that was looked at; `good` is None where the client cannot have it."""

    name: str
    good: bool | None
    detail: str = ""


def all_checks(stand: Stand) -> Iterator[Check]:
    """Run every session, in order; what a client cannot do is named instead."""
    for part in (
        _set_up,
        _learns,
        _asks,
        _recalls,
        _helps,
        _goes_on,
        _compacts,
        _hears_machines,
        _is_corrected,
        _keeps_no_echo,
        _guards,
        _hooks_are_quick,
        _is_seen,
        _leaves,
    ):
        for check in part(stand):
            why = stand.client.texts("cannot").get(check.name)
            yield Check(check.name, None, why) if why else check


def _shown(requests: list[Request], *words: str) -> bool:
    """Return whether the model was sent all these words in one request."""
    return any(all(word in one.text for word in words) for one in requests)


def _set_up(stand: Stand) -> Iterator[Check]:
    ways = ways_out()
    yield Check("nothing can be reached but loopback", not ways, ", ".join(ways))
    client = stand.client
    said = stand.run(client.words("run")[0], "--version")
    yield Check("the version is the locked one", stand.version in said, said[:80])
    stand.begin_repository()
    stand.satchel("init", "--no-hooks", "--yes")
    told = stand.satchel("install", client.name, "--yes")
    told += stand.satchel("install", client.name, "--hooks", "--guard", "--yes")
    told = "\n".join(line for line in told.splitlines() if not line.startswith(("+", "-")))
    yield Check(
        "install names the step that makes hooks count",
        client.said.get("trust", "") in told,
        told[-120:],
    )
    paths = [name for name, data in stand.files().items() if str(stand.directory).encode() in data]
    yield Check("what a team commits has no path of a machine", not paths, ", ".join(paths))
    if client.words("validate"):
        stand.satchel("install", "--plugin", "plugin", "--yes")
        said = stand.run(*client.words("validate"))
        fine = "passed" in said and not re.search("warning", said, re.IGNORECASE)
        yield Check("the plugin is valid without a warning", fine, said[-200:])
        stand.remove("plugin")


def _learns(stand: Stand) -> Iterator[Check]:
    asked = stand.say(table.LEARN)
    yield Check("the client asks the model", bool(asked))
    yield Check("a learning is captured", stand.holds(table.LEARNT))
    yield Check("a learning in a command that fails is captured", stand.holds(table.FAILING))
    yield Check("a rule in a session's last command is captured", stand.holds(table.RULE))
    typed = next((one for one in stand.memories() if table.TYPED in one["content"]), {})
    sessions = {one.given.get("session_id", one.given.get("sessionId")) for one in stand.hooks()}
    yield Check(
        "`satchel learn` typed by an agent is the agent's, in its session",
        typed.get("trust") == "agent" and typed.get("session") in sessions,
        f"trust {typed.get('trust')}, session {typed.get('session')}",
    )
    yield Check("a session leaves a checkpoint", bool(stand.memories("checkpoint")))


def _asks(stand: Stand) -> Iterator[Check]:
    asked = stand.say(table.ASK)
    told = sum(one.text.count(_BRIEF) for one in asked[-1:])
    yield Check("the next session is told the brief", _shown(asked, _BRIEF, table.LEARNT))
    yield Check("the brief stands there once", told == 1, f"{told} times")
    tool = stand.client.server_tool("recall")
    offered = [tool in one.tools for one in asked if one.tools][:1]
    yield Check("recall is offered from the start", offered == [True])
    at = [n for n, one in enumerate(asked) if isinstance(one.said, Call) and one.said.name == tool]
    answers = [one.text for n in at for one in asked[n + 1 :]]
    found = re.compile(r"memories found|\"question[\\\"]+:[\\\"]+rate limit[\\\"]+,[\\\"]+count")
    yield Check("a tool of the MCP server answers", any(map(found.search, answers)))
    stand.say(table.KEEP)
    kept = next((one for one in stand.memories() if one["content"] == table.REMEMBERED), {})
    yield Check(
        "what a tool remembers is the agent's", kept.get("trust") == "agent", str(kept)[:80]
    )


def _recalls(stand: Stand) -> Iterator[Check]:
    stand.satchel("learn", _FAR_AWAY)
    for number in range(_MANY):
        stand.satchel("learn", f"Component c{number} keeps its logs for {number + 2} days")
    asked = stand.say(table.FAR)
    shown = _shown(asked, "recalled for this prompt", "re-encodes it on Fridays")
    yield Check("what a prompt is about is recalled beside it", shown)


def _helps(stand: Stand) -> Iterator[Check]:
    asked = stand.say(table.SEND)
    told = max((one.text.count('label=\\"brief for ') for one in asked), default=0)
    yield Check("a subagent gets a brief, and once", told == 1, f"{told} times")
    yield Check("a subagent's learning is captured", stand.holds(table.OF_HELPER))
    yield Check("a subagent's prompt is recorded", stand.holds("Dispatched"))


def _goes_on(stand: Stand) -> Iterator[Check]:
    asked = stand.say(table.GO_ON, "resume")
    told = asked[-1].text.count(_BRIEF) if asked else -1
    yield Check("a resumed session holds the brief, and once", told == 1, f"{told} times")


def _compacts(stand: Stand) -> Iterator[Check]:
    if "compact" not in stand.client.said:
        return
    stand.say("", "compact")
    asked = stand.say(table.GO_ON, "resume")
    told = asked[-1].text.count(_BRIEF) if asked else -1
    yield Check("a compacted session holds the brief, and once", told == 1, f"{told} times")


def _hears_machines(stand: Stand) -> Iterator[Check]:
    if "background" not in stand.client.said:
        return
    asked = stand.say(table.BACKGROUND)
    yield Check("the client tells of a command's end", _shown(asked, "task-notification"))
    last = [one.answer for one in stand.hooks() if "<task-notif" in one.given.get("prompt", "")]
    yield Check("a machine's prompt is answered with nothing", not any(last), "".join(last)[:80])


def _is_corrected(stand: Stand) -> Iterator[Check]:
    stand.say(table.CORRECT)
    stand.satchel("session", "import")
    found = stand.satchel("session", "search", "rate limiter")
    yield Check("transcripts are imported", "look at the rate limiter" in found)
    told = stand.satchel("reflect", "--json", "--dry-run")
    signals = json.loads(told[told.find("{") :])["signals"] if "{" in told else []
    theirs = [one["learning"] for one in signals if one.get("role") == "user"]
    yield Check("a person's correction is found", any("generated/" in one for one in theirs))
    strange = [
        one
        for one in theirs
        if table.RULE in one or one.startswith(("#", "[", "<")) or _MACHINE.search(one)
    ]
    yield Check("nobody else's words are a person's", not strange, str(strange)[:160])


def _keeps_no_echo(stand: Stand) -> Iterator[Check]:
    memories = stand.memories()
    checkpoints = [one for one in memories if one["type"] == "checkpoint"]
    ends = [one.event for one in stand.hooks() if one.event == "SessionEnd"]
    most = len(ends) + ("compact" in stand.client.said)
    told = f"{len(checkpoints)} for {most} ends and compactions"
    yield Check("a checkpoint comes where a session stops", 0 < len(checkpoints) <= most, told)
    brief = stand.satchel("brief")
    inner = "\n".join(line for line in brief.splitlines() if "satchel-memory nonce" not in line)
    echo = re.search(r"satchel-memory|hook_context|task-notification|system-reminder", inner)
    yield Check("the brief has no echo of itself", not echo, echo[0] if echo else "")
    said = [one["content"] for one in memories if _MACHINE.search(one["content"])]
    yield Check("nothing that Satchel said is captured", not said, str(said)[:160])
    asked = ("rate limiter", "helper cache keyed", "curl", "task notification", "webhook signature")
    archive = "".join(stand.satchel("session", "search", one) for one in asked)
    echo = re.search(r"satchel-memory|hook_context|task-notification", archive)
    yield Check("nothing that Satchel said is archived", not echo, echo[0] if echo else "")


def _guards(stand: Stand) -> Iterator[Check]:
    stand.satchel("learn", "Never use npm here, use pnpm.")
    stand.satchel("guards", "from", "learned-never-use-npm-here-use-pnpm")
    stand.satchel("guards", "approve", "guard-", "--yes")
    asked = stand.say(table.INSTALL)
    last = asked[-1].text if asked else ""
    yield Check("a guard keeps a command from running", "use pnpm" in last and RAN not in last)


def _hooks_are_quick(stand: Stand) -> Iterator[Check]:
    slow = [f"{one.event} {one.ms:.0f} ms" for one in stand.hooks() if one.cpu_ms > _MOST_WORK_MS]
    yield Check(
        "hooks are called, and keep their time", bool(stand.hooks()) and not slow, str(slow)
    )
    bad = [one.event for one in stand.hooks() if one.code or one.complaint]
    yield Check("every hook ends well and complains of nothing", not bad, str(bad))


def _is_seen(stand: Stand) -> Iterator[Check]:
    said = stand.satchel("install", stand.client.name, "--status", "--project")
    seen = re.search(r"last event: (?:just now|\d)", said)
    yield Check("install --status says that the client was seen", seen is not None, said[-160:])


def _leaves(stand: Stand) -> Iterator[Check]:
    before = stand.files()
    stand.as_colleague("init", "--no-hooks", "--yes")
    stand.as_colleague("install", stand.client.name, "--yes")
    changed = {name for name, _ in before.items() ^ stand.files().items()}
    yield Check("a colleague's init changes nothing", not changed, ", ".join(sorted(changed)))
    stand.satchel("install", stand.client.name, "--yes")
    stand.satchel("uninstall", stand.client.name, "--yes")
    changed = {name for name, _ in stand.owned.items() ^ stand.files().items()}
    yield Check("uninstalled, every file is as it was", not changed, ", ".join(sorted(changed)))

"""The main job on real input, told as it happens: what `make try` runs.

A scratch copy of a repository becomes a project; a session, in a developer's plain words, goes
through the hook commands read back from `.claude/settings.json`, as the client runs them; what was
heard is accepted, and the next session must know it. Nothing of the repository is touched.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

CAUSE = "The export opened one connection for each row, and the pool has 20"
RULE = "Never mock the database in tests, the mocks hid exactly this bug"
CHOICE = "Amounts stay whole cents instead of floats, because rounding lost us money in march"
REFUSED = "We don't force-push to main, open a pull request instead"
FIRST = "5d3a1c9e-0000-4000-8000-000000000001"
PROMPT = "the export times out again: PoolTimeout"


class Story:
    """One run: a scratch copy, a home of its own, and the installed command."""

    def __init__(self, directory: str, repository: str) -> None:
        self.command = os.path.join(os.path.dirname(sys.executable), "satchel")
        self.root = os.path.join(directory, os.path.basename(os.path.abspath(repository)) or "copy")
        self.home = os.path.join(directory, "home")
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("SATCHEL_", "GIT_"))},
            "HOME": self.home,
            "SATCHEL_EMBED_BACKGROUND": "0",
            "SATCHEL_HOME": os.path.join(self.home, ".satchel"),
            "NO_COLOR": "1",
        }
        os.makedirs(self.home)
        self._copy(os.path.abspath(repository))

    def _copy(self, repository: str) -> None:
        """Clone without hard links; what is not a git repository becomes a fresh one."""
        if os.path.exists(os.path.join(repository, ".git")):
            self.run("git", "clone", "-q", "--no-hardlinks", repository, self.root, cwd=repository)
        else:
            os.makedirs(self.root)
            self.run("git", "init", "-q", cwd=self.root)

    def run(self, *words: str, given: str = "", cwd: str = "") -> str:
        """Run a command in the copy; a failure ends the story."""
        done = subprocess.run(
            words,
            input=given,
            cwd=cwd or self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)} failed ({done.returncode}):\n{done.stdout}{done.stderr}")
        return done.stdout

    def satchel(self, *words: str) -> str:
        """Run a satchel command in the copy."""
        return self.run(self.command, *words)

    def hook(self, event: str, session: str, **fields: Any) -> tuple[str, float]:
        """Fire a hook as the client does: its own command line, through a shell."""
        with open(os.path.join(self.root, ".claude", "settings.json"), encoding="utf-8") as file:
            entry = json.load(file)["hooks"][event][0]["hooks"][0]
        payload = {"session_id": session, "cwd": self.root, "hook_event_name": event, **fields}
        started = time.perf_counter()
        out = self.run("sh", "-c", entry["command"], given=json.dumps(payload))
        took = (time.perf_counter() - started) * 1000
        if not out.strip():
            return "", took
        return json.loads(out)["hookSpecificOutput"]["additionalContext"], took


def say(text: str = "") -> None:
    """Print a line of the story at once."""
    print(text, flush=True)


def quote(text: str) -> None:
    """Print what an agent or a command said."""
    for line in text.rstrip().splitlines():
        say(f"    {line}")


class Session:
    """A session of Claude Code: each step fires its hook, then joins the transcript."""

    def __init__(self, story: Story) -> None:
        self.story, self.records = story, 0
        folder = os.path.join(story.home, ".claude", "projects", "copy")
        os.makedirs(folder)
        self.transcript = os.path.join(folder, f"{FIRST}.jsonl")

    def fire(self, event: str, **fields: Any) -> str:
        """Fire a hook; say how long it took, and return what the agent was told."""
        told, took = self.story.hook(event, FIRST, transcript_path=self.transcript, **fields)
        say(f"{took:28.1f} ms  {event}")
        return told

    def person(self, text: str) -> str:
        """The developer types a prompt."""
        say(f"  you    {text}")
        told = self.fire("UserPromptSubmit", prompt=text)
        self.record("user", text)
        return told

    def agent(self, text: str) -> None:
        """The agent answers."""
        say("  agent  " + text.replace("\n\n", " ").replace("\n", " "))
        self.record("assistant", [{"type": "text", "text": text}])

    def call(self, tool: str, about: str, *, error: str = "", refused: str = "") -> None:
        """The agent calls a tool, which works, fails, or is refused."""
        say(f"  agent  {tool}: {about}{' -> fails' * bool(error)}{' -> refused' * bool(refused)}")
        given = {"command" if tool == "Bash" else "file_path": about}
        ident = f"t{self.records}"
        self.record("assistant", [{"type": "tool_use", "id": ident, "name": tool, "input": given}])
        answer = {"stdout": "", "stderr": "", "interrupted": False}
        if error and tool == "Bash":
            self.fire("PostToolUseFailure", tool_name=tool, tool_input=given, error=error)
        elif tool == "Bash" and not refused:
            self.fire("PostToolUse", tool_name=tool, tool_input=given, tool_response=answer)
        if refused:
            error = (
                "The user doesn't want to proceed with this tool use. The tool use was rejected. "
                f"To tell you how to proceed, the user said:\n{refused}"
            )
            say(f"  you    {refused}")
        result = {"type": "tool_result", "tool_use_id": ident, "content": error or "ok"}
        self.record("user", [result | ({"is_error": True} if error else {})])

    def record(self, role: str, content: Any) -> None:
        """Add a record to the transcript, as the client writes it."""
        now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        fields = {"type": role, "sessionId": FIRST, "cwd": self.story.root, "timestamp": now}
        message = {"role": role, "content": content, "id": f"m{self.records}"}
        with open(self.transcript, "a", encoding="utf-8") as file:
            record = {**fields, "uuid": f"u{self.records}", "message": message}
            file.write(json.dumps(record) + "\n")
        self.records += 1


def first_session(story: Story) -> None:
    """Somebody works with an agent, and says what they think."""
    session = Session(story)
    session.fire("SessionStart", source="startup")
    session.person("the nightly export fails since monday, find out why")
    session.call(
        "Bash", "pytest -q tests/export", error="Exit code 1\nE   PoolTimeout: no connection"
    )
    session.call("Edit", "export.py")
    session.call("Bash", "pytest -q tests/export")
    session.agent(f"**Root cause**: {CAUSE[0].lower()}{CAUSE[1:]}. It uses one cursor now.")
    told = session.person(f"nice. but {RULE[0].lower()}{RULE[1:]}")
    if "Never mock the database" not in told:
        sys.exit(f"The agent was not asked to keep the correction:\n{told}")
    say("    Satchel asks the agent to keep that one.")
    session.person(f"{CHOICE[0].lower()}{CHOICE[1:]}")
    session.agent("Done: the column holds integers now.")
    session.person("ok, commit and push")
    session.call(
        "Bash", "git push --force origin main", refused=f"{REFUSED[0].lower()}{REFUSED[1:]}"
    )
    session.agent("I opened a pull request.\n\nNext steps:\n- migrate the old rows")
    session.fire("SessionEnd", reason="prompt_input_exit")


def evening(story: Story) -> None:
    """What was heard is read, and accepted."""
    # At a session's end this runs by itself; here it is waited for.
    story.satchel("reflect")
    waiting = story.satchel("review", "--list")
    for part in (CAUSE, RULE, CHOICE, REFUSED):
        if part.lower() not in waiting.lower():
            sys.exit(f"The review lacks {part!r}:\n{waiting}")
    quote(waiting)
    say("  Accept them all: satchel review Y")
    quote(story.satchel("review", "Y"))


def second_session(story: Story) -> None:
    """The next session knows it: in its brief, and at the prompt that needs it."""
    brief, took = story.hook("SessionStart", "second-session", source="startup")
    for part in (CAUSE, "migrate the old rows"):
        if part.lower() not in brief.lower():
            sys.exit(f"The brief lacks {part!r}:\n{brief}")
    say(f"SessionStart       {took:6.1f} ms   {tokens(brief)} tokens:")
    quote(brief)
    again, took = story.hook("UserPromptSubmit", "second-session", prompt=PROMPT)
    if again:
        sys.exit(f"What the brief had said was said again:\n{again}")
    say(f"UserPromptSubmit   {took:6.1f} ms   {PROMPT!r}: nothing, the brief has said it already")
    fresh, took = story.hook("UserPromptSubmit", "third-session", prompt=PROMPT)
    if CAUSE.lower() not in fresh.lower():
        sys.exit(f"A prompt that needed the lesson did not get it:\n{fresh}")
    say(f"UserPromptSubmit   {took:6.1f} ms   the same in a session without that brief:")
    quote(fresh)
    told, took = story.hook("UserPromptSubmit", "third-session", prompt="thanks, looks good")
    say(f"UserPromptSubmit   {took:6.1f} ms   'thanks, looks good': {told or 'nothing'}")


def tokens(text: str) -> int:
    """Estimate tokens as the product does."""
    return (len(text.encode()) + 3) // 4


def where_bytes_went(story: Story) -> None:
    """List every directory that was written outside the work tree, and every file in it."""
    for directory, _, names in sorted(os.walk(story.environment["SATCHEL_HOME"])):
        sizes = [os.path.getsize(os.path.join(directory, name)) for name in names]
        if sizes:
            below = os.path.relpath(directory, story.home)
            say(
                f"    {sum(sizes):>8} bytes in {len(sizes):>2} file{'s' * (len(sizes) != 1)} of ~/{below}"
            )
    say("  In the work tree, as git sees it:")
    quote(story.run("git", "status", "--short", "--untracked-files=all"))


def tell(story: Story) -> None:
    """Tell the whole story."""
    started = time.perf_counter()
    say(
        f"1. A scratch copy of {os.path.basename(story.root)} becomes a project: satchel init --yes"
    )
    quote("\n".join(story.satchel("init", "--yes").splitlines()[-3:]))
    say("\n2. A session: you work with your agent as always, and the client calls its hooks")
    first_session(story)
    say("\n3. In the evening: satchel review")
    evening(story)
    say("\n4. The next session starts")
    second_session(story)
    say('\n5. Anyone can ask: satchel recall "why did the export time out"')
    answer = story.satchel("recall", "why did the export time out")
    if CAUSE.lower() not in answer.lower():
        sys.exit(f"Recall did not find the lesson:\n{answer}")
    quote(answer)
    say("\n6. What the second session was shown, and what it cost")
    quote(story.satchel("why-injected", "second-session"))
    say("\n7. Where every byte went")
    where_bytes_went(story)
    say("\n8. Is anything wrong? satchel doctor")
    quote(story.satchel("doctor"))
    say(f"\nDone in {time.perf_counter() - started:.1f} s. The scratch copy is gone.")


def main() -> None:
    """Tell the story in a scratch directory that is removed at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--repo", default=here, help="a repository of yours; it is not touched")
    options = parser.parse_args()
    if not os.path.isdir(options.repo):
        sys.exit(f"{options.repo} is not a directory.")
    with tempfile.TemporaryDirectory(prefix="satchel-try-") as directory:
        tell(Story(directory, options.repo))


if __name__ == "__main__":
    main()

"""The main job on real input, told as it happens: what `make try` runs.

A scratch copy of a repository becomes a project; a recorded agent session is replayed through
the hook commands read back from `.claude/settings.json`, as the client runs them; the next
session's brief must hold what the first one learned. Nothing of the repository is touched.
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

LESSON = "The ledger's lock file holds the greatest id handed out; without it the tail is read"
RULE = "Hooks never write a file that git tracks"
CHOICE = "Private state lives in the user's home, because git clean would destroy it"
PROMPT = "where does the private state live, and why not in the work tree?"


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


def first_session(story: Story) -> None:
    """An agent works and says what it learns."""
    session = "first-session"
    brief, took = story.hook("SessionStart", session, source="startup")
    say(f"SessionStart       {took:6.1f} ms   {tokens(brief)} tokens: nothing is known yet")
    _, took = story.hook("UserPromptSubmit", session, prompt="make the ledger survive a crash")
    say(f"UserPromptSubmit   {took:6.1f} ms")
    commands = (
        f'bd comment bd-7 "LEARNED: {LESSON}"',
        f'bd comments add bd-7 "CONSTRAINT: {RULE}" && bd close bd-7',
        f"bd comment bd-7 --stdin <<'EOF'\nDECISION: {CHOICE}\nEOF",
        "pytest -q",
    )
    for command in commands:
        _, took = story.hook(
            "PostToolUse",
            session,
            tool_name="Bash",
            tool_input={"command": command},
            tool_response={"stdout": "", "stderr": "", "interrupted": False},
        )
        say(f"PostToolUse        {took:6.1f} ms   {command.splitlines()[0][:70]}")
    _, took = story.hook(
        "SubagentStop", session, agent_id="a1", agent_type="reviewer", stop_hook_active=False
    )
    say(f"SubagentStop       {took:6.1f} ms")
    transcript = write_transcript(story)
    for event, fields in (
        ("PreCompact", {"trigger": "auto", "custom_instructions": None}),
        ("SessionEnd", {"reason": "prompt_input_exit"}),
    ):
        _, took = story.hook(event, session, transcript_path=transcript, **fields)
        say(f"{event:<18} {took:6.1f} ms")


def write_transcript(story: Story) -> str:
    """Write the transcript that the client would have kept, in its format."""
    path = os.path.join(story.home, "transcript.jsonl")
    said = (
        ("user", "make the ledger survive a crash"),
        ("assistant", "Appends are one write, then a flush.\n\nNext steps:\n- test a power loss"),
    )
    with open(path, "w", encoding="utf-8") as file:
        for number, (role, text) in enumerate(said):
            content = text if role == "user" else [{"type": "text", "text": text}]
            message = {"role": role, "content": content, "id": f"m{number}"}
            file.write(json.dumps({"type": role, "message": message}) + "\n")
    return path


def second_session(story: Story) -> None:
    """The next session knows it: in its brief, and at the prompt that needs it."""
    brief, took = story.hook("SessionStart", "second-session", source="startup")
    for part in (LESSON, RULE, CHOICE, "test a power loss"):
        if part not in brief:
            sys.exit(f"The brief lacks {part!r}:\n{brief}")
    say(f"SessionStart       {took:6.1f} ms   {tokens(brief)} tokens:")
    quote(brief)
    again, took = story.hook("UserPromptSubmit", "second-session", prompt=PROMPT)
    if again:
        sys.exit(f"What the brief had said was said again:\n{again}")
    say(f"UserPromptSubmit   {took:6.1f} ms   nothing: the brief has said it already")
    fresh, took = story.hook("UserPromptSubmit", "third-session", prompt=PROMPT)
    if CHOICE not in fresh:
        sys.exit(f"A prompt that needed the decision did not get it:\n{fresh}")
    say(f"UserPromptSubmit   {took:6.1f} ms   in a session without that brief:")
    quote(fresh)


def tokens(text: str) -> int:
    """Estimate tokens as the product does."""
    return (len(text.encode()) + 3) // 4


def where_bytes_went(story: Story) -> None:
    """List every file that was written, outside the work tree and in it."""
    for directory, _, names in sorted(os.walk(story.environment["SATCHEL_HOME"])):
        for name in sorted(names):
            path = os.path.join(directory, name)
            below = os.path.relpath(path, story.home)
            say(f"    {os.path.getsize(path):>8} bytes  ~/{below}")
    say("  In the work tree, as git sees it:")
    quote(story.run("git", "status", "--short", "--untracked-files=all"))


def tell(story: Story) -> None:
    """Tell the whole story."""
    started = time.perf_counter()
    say(
        f"1. A scratch copy of {os.path.basename(story.root)} becomes a project: satchel init --yes"
    )
    quote("\n".join(story.satchel("init", "--yes").splitlines()[-3:]))
    say("\n2. A recorded session runs through the hooks that init installed")
    first_session(story)
    say("\n3. The next session starts")
    second_session(story)
    say('\n4. Anyone can ask: satchel recall "why private state is in the home"')
    answer = story.satchel("recall", "why private state is in the home")
    if CHOICE not in answer:
        sys.exit(f"Recall did not find the decision:\n{answer}")
    quote(answer)
    say("\n5. What the second session was shown, and what it cost")
    quote(story.satchel("why-injected", "second-session"))
    say("\n6. Where every byte went")
    where_bytes_went(story)
    say("\n7. Is anything wrong? satchel doctor")
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

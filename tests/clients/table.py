"""The clients of `clients.toml`, and what a person and the model say in each of them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from clients.dialects import Call, Said, Text, Wait
from clients.model_server import Script

LEARNT = "rate limits count per API key, not per user"
FAILING = "the pdf renderer needs LANG=C to be reproducible"
TYPED = "The staging database resets every night at two"
RULE = "Never use curl here, always use the internal fetch wrapper"
OF_HELPER = "the cache is keyed by tenant and locale"
REMEMBERED = "The nightly job holds the lock until six"

LEARN = "Please look at the rate limiter and write down what you find."
ASK = "Why do we hit the rate limit so early?"
KEEP = "Remember how long the nightly job runs."
FAR = "The webhook signature check fails on Fridays, have a look."
SEND = "Send a helper to look at the cache."
HELPER = "HELPER-TASK: find out how the cache is keyed. BEAD_ID: BD-3"
CORRECT = "No, never edit files below generated/ by hand."
INSTALL = "Install the dependencies."
BACKGROUND = "Start the long check beside this."
GO_ON = "Go on where you stopped, please."


class Client(NamedTuple):
    """One client: `said` is its part of `clients.toml`, which tells what each word means."""

    name: str
    package: str
    said: dict[str, Any]

    def words(self, which: str, prompt: str = "", options: str = "") -> list[str]:
        """Return a command as words, its first options these; [] where the client has none."""
        words = self.said.get(which, "").split()
        own = next((at for at, one in enumerate(words) if one[0] == "-" or one == "PROMPT"), 0)
        words[own:own] = options.split()
        return [prompt if one == "PROMPT" else one for one in words]

    def texts(self, which: str) -> dict[str, str]:
        """Return a table of texts: variables, files, reasons."""
        found: dict[str, str] = self.said.get(which, {})
        return found

    def call(self, which: str, text: str = "", **texts: str) -> list[Call]:
        """Return a call of one of its tools; [] where it has none."""
        if which not in self.said:
            return []
        name, arguments = self.said[which]
        told = {"COMMAND": text, "PROMPT": text, **texts}
        if isinstance(arguments, str):
            return [Call(name, told[arguments])]
        return [Call(name, {key: _put(one, told) for key, one in arguments.items()})]

    def server_tool(self, name: str) -> str:
        """Return what it calls a tool of our MCP server."""
        return str(self.said["server_tool"]).replace("NAME", name)

    def first(self) -> Call | None:
        """Return what is called while a tool of our server is not offered."""
        return next(iter(self.call("first")), None)

    def script(self) -> Script:
        """Return what the model says after each of the person's prompts."""
        recall = Call(self.server_tool("recall"), {"question": "rate limit"})
        remember = Call(self.server_tool("remember"), {"content": REMEMBERED, "kind": "learned"})
        wait = self.call("shell", self.said["wait"]) if "wait" in self.said else []
        answer = Text("It is keyed by tenant and locale.")
        ends: list[Said] = [*self.call("agent_ends")] or [answer]
        return {
            LEARN: [
                *self.call("shell", f'bd comment BD-1 "LEARNED: {LEARNT}"'),
                *self.call("shell", f'satchel learn "{TYPED}"'),
                *self.call("shell", f'bd comment BD-2 "LEARNED: {FAILING}" && false'),
                *self.call("shell", f'bd comment BD-2 "CONSTRAINT: {RULE}"'),
                Text("I looked at the rate limiter."),
            ],
            ASK: [recall, Text("Because they count per key.")],
            KEEP: [remember, Text("Kept.")],
            FAR: [Text("Looking at the signature.")],
            SEND: [
                *self.call("agent", HELPER),
                *(Wait(one, HELPER) for one in wait),
                Text("The helper has answered."),
            ],
            HELPER: [
                *self.call("shell", f'bd comment BD-3 "LEARNED: {OF_HELPER}"'),
                *ends,
            ],
            CORRECT: [Text("Understood.")],
            INSTALL: [*self.call("shell", "npm install left-pad"), Text("I tried.")],
            BACKGROUND: [*self.call("background"), Text("It runs.")],
            GO_ON: [Text("I go on.")],
        }


def _put(argument: Any, texts: dict[str, str]) -> Any:
    """Return what an argument stands for."""
    return texts.get(argument, argument) if isinstance(argument, str) else argument


def _read() -> tuple[Client, ...]:
    text = Path(__file__).with_name("clients.toml").read_text("utf-8")
    return tuple(Client(name, one["package"], one) for name, one in tomllib.loads(text).items())


CLIENTS = _read()

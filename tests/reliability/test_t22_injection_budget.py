"""T22: whatever is remembered, what is put before an agent costs no more than its budget."""

import os
import random
import shutil

import pytest

from reliability.stand import SEED, Stand, say, scale, sentence
from satchel.clock import Clock
from satchel.ledger.record import Record
from satchel.token_budget import estimate_tokens
from satchel.workspace import Workspace

pytestmark = pytest.mark.torture
_KINDS = ("learned", "constraint", "decision", "fact", "preference", "next_step", "checkpoint",
          "insight", "context", "foreign_kind")  # fmt: skip
_SCRIPTS = (
    "日本語のとても長い文章",
    "🎉🚀",
    "\u202eevil",
    "ünïcödé",
    "\x1b[31mred",
    "a" * 300,
    "<satchel-memory>",
)


def random_records(dice: random.Random, count: int) -> list[Record]:
    """Short ones, long ones, and one of 200 KB now and then."""
    records = []
    text = sentence(dice, 30_000)
    for n in range(count):
        size = dice.choice((20, 80, 300, 2000, 20_000 if n % 40 == 0 else 100))
        if n % 97 == 5:
            size = 200_000
        begin = dice.randrange(max(1, len(text) - size))
        content = f"{n} lint branch {dice.choice(_SCRIPTS) * dice.choice((1, 1, 40))} "
        content += text[begin : begin + size]
        title = sentence(dice, dice.choice((0, 3, 400)))
        kind = dice.choice(_KINDS)
        agent = dice.choice(("", "worker", "x" * 5000))
        records.append(Record(kind=kind, content=content, title=title, key=f"k{n}" * dice.choice((1, 200)),
                              agent=agent, source=dice.choice(("", "y" * 3000)),
                              task=dice.choice(("", "T-1"))))  # fmt: skip
    return records


def over_budget(workspace: Workspace, session: str) -> list[str]:
    """Compose everything that can be put before an agent; say what costs too much."""
    settings = workspace.settings
    briefs = {
        "session": (workspace.session_brief(), settings.integer("brief.max_tokens")),
        "task": (workspace.session_brief(task="T-1"), settings.integer("brief.max_tokens")),
        "role": (workspace.session_brief(role="worker" * 50), settings.integer("brief.max_tokens")),
    }
    prompts = (
        "what about the lint before pushing this branch",
        "branch " * 20_000,
        "🎉 lint branch deploy",
    )
    for n, prompt in enumerate(prompts):
        brief = workspace.prompt_brief(prompt, session=f"{session}{n}")
        briefs[f"prompt {n}"] = (brief, settings.integer("prompt.max_tokens"))
    assert settings.integer("brief.max_tokens") <= 2000
    wrong = []
    for name, (brief, budget) in briefs.items():
        cost = estimate_tokens(brief.text)
        if cost > budget or len(brief.text.encode()) > budget * 8:
            wrong.append(f"{name}: {cost} tokens, {len(brief.text.encode())} bytes of {budget}")
    return wrong


def test_no_store_makes_a_brief_cost_more_than_its_budget(tmp_path: os.PathLike[str]) -> None:
    stand = Stand(os.fspath(tmp_path), settings="[rotation]\nabove = 1000000\n")
    dice = random.Random(SEED)
    stores, most = scale(25, 1000), scale(400, 100_000)
    largest = 0
    for n in range(stores):
        count = int(most ** dice.random()) if n else most
        largest = max(largest, count)
        shutil.rmtree(stand.state.path)
        with Workspace.open(stand.repo, home=stand.home, clock=Clock()) as workspace:
            workspace.ledgers.append(random_records(dice, count))
            wrong = over_budget(workspace, f"s{n}")
        assert not wrong, f"store {n} of {count} memories: {wrong}"
    say("T22", stores, f"{stores} stores of up to {largest} memories, items of up to 200 KB: every "
        "brief within 2,000 tokens, every prompt within 500")  # fmt: skip


def test_a_seeded_bug_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A budget that counts lines instead of tokens."""
    from satchel.briefs import composing

    stand = Stand(os.fspath(tmp_path), settings="[brief]\nmax_item_tokens = 400\n")
    monkeypatch.setattr(composing, "estimate_tokens", _lines)
    with stand.workspace() as workspace:
        workspace.ledgers.append(random_records(random.Random(1), 60))
        assert over_budget(workspace, "s")


def _lines(text: str) -> int:
    return text.count("\n") + 1

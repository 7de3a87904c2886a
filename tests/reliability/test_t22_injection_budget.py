"""T22: whatever is remembered, what is shown to an agent costs no more than its budget."""

import os
import random
import shutil

import pytest

from reliability.stand import SEED, Stand, say, scale, sentence
from satchel.application.briefs.sections import Reader
from satchel.core.clock import Clock
from satchel.core.token_budget import estimate_tokens
from satchel.storage.ledger.record import Record
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
                              trust="user", agent=agent, source=dice.choice(("", "y" * 3000)),
                              task=dice.choice(("", "T-1"))))  # fmt: skip
    return records


def random_surroundings(dice: random.Random, root: str) -> None:
    """Write an intent, a README, a session prompt and an instruction file, sometimes far too long."""
    text = sentence(dice, 6_000)

    def some(most: int) -> str:
        size = dice.choice((0, 40, 400, most))
        begin = dice.randrange(max(1, len(text) - size))
        return dice.choice(_SCRIPTS) + text[begin : begin + size]

    heads = "\n\n".join(
        f"{'#' * dice.randint(1, 6)} {some(80)} {{#anchor:part-{n}}}\n\n{some(9000)}"
        for n in range(dice.choice((0, 3, 60)))
    )
    texts = {
        "PROJECT_INTENT.md": f"---\nversion: 1\nupdated_at: 2026-01-01\n---\n{heads}",
        "README.md": f"# {some(200)}\n\n{some(9000)}\n\n## Test\n\n```\n{some(3000)}\n```\n",
        ".satchel/MEMORY.md": "\n".join(f"- {some(900)}" for _ in range(dice.choice((0, 9, 300)))),
        ".satchel/prompts/session-start.md": f"{{{{intent_brief}}}} {some(9000)} {{{{bead_title}}}}",
        ".satchel/intent-links.json":
            '{"version": 1, "links": [{"beadId": "T-1", "anchor": "part-1"}]}',
    }  # fmt: skip
    os.makedirs(os.path.join(root, ".satchel", "prompts"), exist_ok=True)
    for name, said in texts.items():
        with open(os.path.join(root, name), "w", encoding="utf-8", errors="replace") as file:
            file.write(said)


def parts_over_budget(workspace: Workspace) -> list[str]:
    """Compose what is shown to an agent piece by piece; say what costs too much."""
    settings, briefing = workspace.project.settings, workspace.briefs
    texts = {
        "intent": (
            workspace.intent.excerpt(task="T-1").text,
            settings.integer("intent.max_tokens"),
        ),
        "memory": (briefing.parts.memory(task="T-1"), settings.integer("brief.max_tokens")),
        "prime": (briefing.prime().text, settings.integer("prime.max_tokens")),
        "small prime": (briefing.prime(budget=150).text, 150),
        "small memory": (briefing.parts.memory(budget=120), 120),
    }
    for budget in (900, settings.integer("prompt.assembled_tokens")):
        whole = briefing.parts.assembled("fix it", task="T-1", pack="lint branch", budget=budget)
        texts[f"whole prompt of {budget}"] = (whole.text, budget)
    return [
        f"{name}: {estimate_tokens(text)} tokens of {budget}"
        for name, (text, budget) in texts.items()
        if estimate_tokens(text) > budget
    ]


def over_budget(workspace: Workspace, session: str) -> list[str]:
    """Compose everything that can be shown to an agent; say what costs too much."""
    settings = workspace.project.settings
    briefs = {
        "session": (workspace.briefs.session(), settings.integer("brief.max_tokens")),
        "task": (workspace.briefs.session(task="T-1"), settings.integer("brief.max_tokens")),
        "role": (
            workspace.briefs.session(Reader(role="worker" * 50)),
            settings.integer("brief.max_tokens"),
        ),
    }
    prompts = (
        "what about the lint before pushing this branch",
        "branch " * 20_000,
        "🎉 lint branch deploy",
    )
    for n, prompt in enumerate(prompts):
        brief = workspace.briefs.prompt(prompt, session=f"{session}{n}")
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
    stores, most = scale(5, 1000), scale(200, 100_000)
    largest = 0
    for n in range(stores):
        count = int(most ** dice.random()) if n else most
        largest = max(largest, count)
        shutil.rmtree(stand.state.path)
        with Workspace.open(stand.repo, home=stand.home, clock=Clock()) as workspace:
            workspace.memories.own.append(random_records(dice, count))
            random_surroundings(dice, workspace.project.place.root)
            wrong = [*over_budget(workspace, f"s{n}"), *parts_over_budget(workspace)]
        assert not wrong, f"store {n} of {count} memories: {wrong}"
    say("T22", stores, f"{stores} stores of up to {largest} memories, items of up to 200 KB: every "
        "brief within 2,000 tokens, every prompt within 500, intent, memory, prime and whole "
        "prompts within theirs")  # fmt: skip


def test_a_thousand_stores_of_the_usual_size_keep_every_budget(
    tmp_path: os.PathLike[str],
) -> None:
    """Many stores rather than large ones; minutes, where the test above takes hours in full."""
    stand = Stand(os.fspath(tmp_path), settings="[rotation]\nabove = 1000000\n")
    dice = random.Random(SEED + 1)
    stores = scale(3, 1000)
    for n in range(stores):
        shutil.rmtree(stand.state.path)
        with Workspace.open(stand.repo, home=stand.home, clock=Clock()) as workspace:
            workspace.memories.own.append(random_records(dice, int(300 ** dice.random())))
            random_surroundings(dice, workspace.project.place.root)
            wrong = [*over_budget(workspace, f"t{n}"), *parts_over_budget(workspace)]
        assert not wrong, f"store {n}: {wrong}"
    say("T22", stores, f"{stores} stores of up to 300 memories: every brief within its budget")


def test_a_seeded_bug_is_caught(
    tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A budget that counts lines instead of tokens."""
    from satchel.application.briefs import composing

    stand = Stand(os.fspath(tmp_path), settings="[brief]\nmax_item_tokens = 400\n")
    monkeypatch.setattr(composing, "estimate_tokens", _lines)
    with stand.workspace() as workspace:
        workspace.memories.own.append(random_records(random.Random(1), 60))
        assert over_budget(workspace, "s")


def _lines(text: str) -> int:
    return text.count("\n") + 1

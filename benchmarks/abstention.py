"""How often questions about something else get "nothing found", and at what price.

    python benchmarks/abstention.py

The corpus are the sections of our own documentation. Half of the questions are about them, mostly in
other words than theirs; the others are about other subjects, many of them technical ones. Nothing
is downloaded. The table shows, for thresholds around those in use, the share of other questions
that are rightly left without an answer, and the share of good ones that lose theirs. `words` is the
least share of a question's telling words; `nearness` is added to what is more than chance, a cosine
for hybrid and a share of equal bits for fast.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from satchel.engine.markdown.chunks import chunks
from satchel.engine.search.binary_codes import least_likeness
from satchel.engine.search.tokens import _LONG_QUESTION, LEAST_COVERAGE, shares_two
from satchel.storage.ledger.record import Record
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
_DEPTH = 10
#: Question -> the page that answers it.
ABOUT_US = {
    "how do I get my old memories from beads": "coming-from-beads-memory",
    "which hooks are written into the client's settings": "claude-code",
    "can I undo the installation": "claude-code",
    "what happens to data when the electricity fails": "reliability",
    "is anything lost if a process is killed": "reliability",
    "does it work on network drives": "reliability",
    "was it tested on a Mac": "reliability",
    "how are lines protected against bit rot": "reliability",
    "several agents writing at the same time": "reliability",
    "which embedding models can I choose": "models",
    "can I use Ollama for vectors": "models",
    "does it work without internet access": "models",
    "how do I switch to another model": "models",
    "where do I put the API key": "models",
    "order results by a cross encoder": "models",
    "how do I add a learning note": "notes",
    "what fields does the front matter have": "notes",
    "index a folder of Markdown documentation": "notes",
    "what if my directory of notes is unmounted": "notes",
    "entities sidecar yaml file": "notes",
    "how are communities of the graph found": "graph",
    "merge two entities that are the same thing": "graph",
    "forget old relations with time": "graph",
    "draw a picture of the knowledge graph": "graph",
    "list of all settings with their defaults": "reference",
    "what do exit codes mean": "reference",
    "which kinds of memory are there": "reference",
    "how long does an insight live": "reference",
    "how can I see what was injected into a session": "reference",
    "share memories with my team through git": "reference",
    "difference between fast and hybrid recall": "search",
    "why does a question get no answer": "search",
    "how are long documents split": "search",
    "late interaction of tokens": "search",
    "what does yesterday in a question do": "search",
    "remember what an agent learnt between sessions": "index",
    "progress bar while vectors are made": "search",
    "delete a memory": "reference",
    "check that everything is healthy": "reference",
    "rebuild the index from the ledgers": "reference",
}  # fmt: skip
ABOUT_OTHERS = (
    "how do I cook rice in a steamer", "what is the tallest mountain of Africa",
    "who painted the ceiling of the chapel", "best time to plant tomatoes in spring",
    "train from Hamburg to Copenhagen", "how many players has a water polo team",
    "symptoms of iron deficiency", "which violin concerto is in D major",
    "repair a puncture of a bicycle tyre", "when did the Roman republic end",
    "how do whales breathe while asleep", "average salary of a nurse in Norway",
    "recipe for sourdough bread", "is basil an annual plant", "how old is the universe",
    "distance from Earth to Mars", "rules of castling in chess", "how to fold a paper crane",
    "what causes the northern lights", "vaccines needed for a journey to Peru",
    "kubernetes pod stuck in pending state", "how do I centre a div with flexbox",
    "react hook called conditionally", "rust borrow checker error in a closure",
    "configure nginx as a reverse proxy", "terraform plan shows a drift of a bucket",
    "postgres vacuum freezes the table", "docker build cannot find the base image",
    "how does garbage collection work in Go", "swift optional chaining example",
    "train a neural network on images", "tune the learning rate of a transformer",
    "what is a monad in Haskell", "css grid or flexbox for a gallery",
    "compile a kernel module for ARM", "bluetooth headset has no microphone",
    "set up two-factor login for customers", "send emails through an SMTP relay",
    "calculate value added tax on invoices", "how to parse a PDF in Java",
    "websocket connection drops behind the proxy", "android app crashes on rotation",
    "generate a QR code in JavaScript", "load balancer health probe returns 502",
    "excel formula for the last non-empty cell", "convert a video to another codec",
    "unity shader looks pink", "pandas merge duplicates rows",
    "how do I rotate an image in photoshop", "matrix inverse on the GPU",
    "who won the world cup in 1998", "population of Iceland", "how is glass made",
    "why do cats purr", "capital of Mongolia", "what does a notary do",
    "history of the printing press", "build a bird house from oak", "salt content of sea water",
    "opening hours of the swimming pool",
)  # fmt: skip


class Seen(NamedTuple):
    """One thing found: its share of the words, its nearness, whether it is of the right page.

    Nearness is counted from the threshold in use, and is -1 where there is none. `certain` where it
    shares two words, or one that says enough.
    """

    coverage: float
    nearness: float
    certain: bool
    right: bool


def ask(workspace: Workspace, question: str, method: str, page: str) -> list[Seen]:
    """Everything that is found, weak or not. Coverage is scaled as for a short question."""
    answer = workspace.recall(question, method=method, limit=_DEPTH, weak=True)
    strict = workspace.recall(question, method=method, limit=_DEPTH).items
    sure = {found.record.id for found in strict}
    words = max(1, round(question.count(" ") * 0.7))
    longer = max(1.0, words / _LONG_QUESTION)
    index = workspace.memories.own.index
    vectors = workspace.models.vectors(index)
    assert vectors is not None
    count = int(index.database.read("SELECT COUNT(*) FROM codes")[0][0] or 0)
    signal, least = {
        "hybrid": ("vectors", vectors.least_cosine()),
        "fast": ("alike", least_likeness(count)),
        "keyword": ("", 0.0),
    }[method]
    return [
        Seen(
            found.coverage * longer,
            found.evidence[signal] - least if signal in found.evidence else -1.0,
            shares_two(question, found.coverage) or found.record.id in sure,
            found.record.category == page,
        )
        for found in answer.items
    ]


def kept(seen: Sequence[Seen], coverage: float, shift: float) -> list[Seen]:
    """Those that are more than chance by these thresholds."""
    return [s for s in seen if (s.certain and s.coverage >= coverage) or s.nearness >= shift]


def corpus() -> list[Record]:
    """Sections of the documentation as memories; the category is the page."""
    records = []
    for name in sorted(os.listdir(DOCS)):
        if name.endswith(".md"):
            with open(os.path.join(DOCS, name), encoding="utf-8") as file:
                text = file.read()
                for n, chunk in enumerate(chunks(text)):
                    page = name.removesuffix(".md")
                    said = text[chunk.start : chunk.end]
                    records.append(
                        Record(kind="learned", key=f"{page}-{n}", content=said, category=page)
                    )
    return records


def main() -> None:
    """Print the table."""
    with temporary_workspace() as workspace:
        records = corpus()
        workspace.memories.stores.ledgers.private("learned").append(records)
        workspace.refresh()
        done = workspace.embed()
        if done.why:
            sys.exit(done.why)
        print(f"{len(records)} sections, {len(ABOUT_US)} questions about them, "
              f"{len(ABOUT_OTHERS)} about something else")  # fmt: skip
        print(f"{'method':<8} {'words':>6} {'nearness':>9}   "
              f"{'rightly nothing':>15} {'good ones lost':>15} {'right page kept':>16}")  # fmt: skip
        for method in ("keyword", "fast", "hybrid"):
            good = [ask(workspace, q, method, page) for q, page in ABOUT_US.items()]
            other = [ask(workspace, q, method, "") for q in ABOUT_OTHERS]
            for row in thresholds(method):
                print(line(method, row, good, other))


def thresholds(method: str) -> list[tuple[float, float]]:
    """The thresholds in use, and others around them."""
    words = (0.2, LEAST_COVERAGE, 0.34, 0.4, 0.5, 0.6)
    shifts = (0.0,) if method == "keyword" else (-0.06, -0.03, 0.0, 0.03, 0.06)
    rows = [(LEAST_COVERAGE, 0.0), *((c, s) for c in words for s in shifts)]
    return list(dict.fromkeys(rows))


def line(
    method: str, row: tuple[float, float], good: list[list[Seen]], other: list[list[Seen]]
) -> str:
    """One row of the table; a star marks what is in use."""
    nothing = sum(not kept(seen, *row) for seen in other) / len(other)
    lost = sum(not kept(seen, *row) for seen in good) / len(good)
    right = sum(any(s.right for s in kept(seen, *row)) for seen in good) / len(good)
    star = "*" if row == (LEAST_COVERAGE, 0.0) else " "
    return (f"{method:<8} {row[0]:>6.2f} {row[1]:>+9.2f} {star} "
            f"{nothing:>15.0%} {lost:>15.0%} {right:>16.0%}")  # fmt: skip


if __name__ == "__main__":
    main()

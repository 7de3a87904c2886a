"""T13: whatever a file, a model or a person says, a parser answers in time or refuses politely."""

import json
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from benchmarks.corpora import _line_parser
from reliability.mutants import Mutate, mutants
from reliability.stand import SEED, say, scale
from satchel.core.errors import SatchelError
from satchel.engine.inference.expansion import variants_of
from satchel.engine.markdown import front_matter
from satchel.engine.markdown.chunks import chunks
from satchel.engine.markdown.yaml_text import read_yaml
from satchel.engine.search.passages import passages, question_parts
from satchel.engine.search.time_words import time_span
from satchel.engine.search.tokens import coverage, match_expression
from satchel.storage.database.sqlite import SqliteDatabase
from satchel.storage.ledger.lines import decode

pytestmark = pytest.mark.torture
_NOW = 1_795_000_000.0
#: Nobody waits longer for one input.
_SECONDS = 1.0
#: No question is longer: an argument of a command cannot be, nor a prompt.
_LONGEST = 1_000_000
#: Where this machine is doing other things too, an input is tried again before it is blamed.
_TRIES = 3
_NOTE = """---
title: "Walrus: one"
tags: [a, b, 'c d']
symptoms:
  - it's slow
  - >-
    folded
    text
date: 2026-03-01
---
# Heading

Text with a [link](other.md#part) and `code`.

```python
# no heading
```

Setext
------
* one
* two
"""
_SIDECAR = """entities:
  - name: Walrus
    type: animal
    aliases: [sea horse, "Odobenus"]
relations:
  - [Walrus, lives in, Arctic]
  - {source: Walrus, relation: eats, target: clams, confidence: 0.9}
"""
_LINE = (
    '{"key":"k","type":"learned","content":"say \\"hi\\" \\u00e9 \\ud83c\\udf89","source":"user",'
    '"tags":["a","b"],"ts":1760000000,"bead":"","id":"01K9ZZZZZZZZZZZZZZZZZZZZZZ","rev":2}'
)
_CORPUS = (
    '{"id":"d1","text":"words","title":"t","tags":["x"],"timestamp":"2026-03-01T10:00:00Z",'
    '"session":"s","conversation":"c","links":["d2"]}'
)
_TIMES = (
    "what did we decide 3 weeks ago on last Monday in May 2025, on the 31st of February, "
    "since 2024-02-30, past 999 years, an hour earlier, this quarter, yesterday, march 5th"
)
_WRITTEN = (
    "<think>lex: no</think>\nlex: cache cold restart\nvec: why is the cache cold\nhyde: The cache "
    "is cold since it restarts.\nLEX:x\nvec:\n"
)
_QUESTION = 'why does "max_tokens of parseHttpURL" fail -- NEAR(a b, 3) OR (c* AND ^d) {x}:y café'


def _of_text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda data: read(data.decode("utf-8", "replace"))


def _front_matter(data: bytes) -> None:
    parts = front_matter.split(data)
    if parts.has_fields:
        front_matter.read_fields(parts)
        front_matter.with_fields(data, {"title": "x"})


def _time(text: str) -> None:
    span = time_span(text, _NOW)
    assert span is None or span[0] <= span[1]


def _match(text: str) -> None:
    """An expression is one that SQLite takes, and a text covers itself."""
    text = text[:_LONGEST]
    expression = match_expression(text)
    if expression:
        assert _words().read("SELECT 1 FROM words WHERE words MATCH ?", (expression,)) == []
        assert coverage(text, text) == 1.0


def _words() -> SqliteDatabase:
    if not _DATABASE:
        _DATABASE.append(SqliteDatabase(":memory:"))
        _DATABASE[0].script(
            'CREATE VIRTUAL TABLE words USING fts5 (x, tokenize="porter unicode61")'
        )
    return _DATABASE[0]


_DATABASE: list[SqliteDatabase] = []

PARSERS: dict[str, tuple[str, Callable[[bytes], Any]]] = {
    "front matter": (_NOTE, _front_matter),
    "sidecar": (_SIDECAR, _of_text(read_yaml)),
    "Markdown": (_NOTE, _of_text(chunks)),
    "ledger line": (_LINE, decode),
    "corpus line": (_CORPUS, _line_parser()),
    "time words": (_TIMES, _of_text(_time)),
    "other wordings": (_WRITTEN, _of_text(lambda text: variants_of(text, "why is it cold"))),
    "question": (_QUESTION, _of_text(_match)),
    "passages": (_NOTE, _of_text(lambda text: (passages(text[:99], text), question_parts(text)))),
}


def inputs(dice: random.Random, seed: bytes, count: int) -> list[bytes]:
    """Mutants of mutants: one bad place, several, and pieces of the grammar thrown together."""
    pieces = [seed[i : i + 12] for i in range(0, len(seed), 7)]
    steps: list[Mutate] = mutants(dice, seed, count, heavy=1)
    found = []
    for n, mutate in enumerate(steps):
        data = mutate(dice, seed)
        while data and n > 2 and dice.random() < 0.4:
            data = mutants(dice, data, 1, heavy=0)[0](dice, data)
        if dice.random() < 0.2:
            data = b"".join(dice.choice(pieces) for _ in range(dice.choice((3, 30, 3000))))
        found.append(data)
    return found


def fuzz(read: Callable[[bytes], Any], data: Sequence[bytes]) -> float:
    """Read every input; return the longest that one took, seconds."""
    slowest = 0.0
    for one in data:
        for left in reversed(range(_TRIES)):
            began = time.perf_counter()
            try:
                read(one)
            except SatchelError:
                pass
            except Exception as error:  # noqa: BLE001 -- that is what is looked for
                pytest.fail(f"{error!r} for {one[:200]!r} ({len(one)} bytes)")
            took = time.perf_counter() - began
            if took <= _SECONDS:
                break
            assert left, f"{took:.1f} s for {one[:200]!r} ({len(one)} bytes)"
        slowest = max(slowest, took)
    return slowest


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_no_input_breaks_a_parser_or_holds_it_up(name: str) -> None:
    seed, read = PARSERS[name]
    dice = random.Random(f"{SEED} {name}")
    count = scale(300, 200_000)
    slowest = fuzz(read, inputs(dice, seed.encode(), count))
    say(f"T13 {name}", count, f"{count} inputs, 0 exceptions, slowest {slowest * 1000:.0f} ms")


@pytest.mark.parametrize("seed", sorted({seed for seed, _ in PARSERS.values()}))
def test_the_seeds_themselves_say_something(seed: str) -> None:
    """Mutants of what is nonsense already would prove little."""
    for one, read in PARSERS.values():
        if one == seed:
            read(one.encode())


@pytest.mark.parametrize(
    "bug",
    [
        lambda data: json.loads(data)["key"],
        lambda data: data.decode("ascii"),
        lambda data: time.sleep(1.1 if len(data) > 10**6 else 0),
    ],
    ids=["trusting", "ascii", "slow"],
)
def test_a_seeded_bug_is_caught(bug: Callable[[bytes], Any]) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        fuzz(bug, inputs(random.Random(SEED), _LINE.encode(), 200))

"""T18: no pattern of ours can be held up by a text that was made for it."""

import importlib
import inspect
import itertools
import pkgutil
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import NamedTuple

import pytest

import satchel
from machine_speed import slowness
from reliability.stand import say, scale
from satchel.storage.kept_patterns import LazyPattern

pytestmark = pytest.mark.torture
#: Characters of a short text and of one four times as long, and by how much more that may take.
SHORT, LONG = scale(4_000, 25_000), scale(16_000, 100_000)
GROWTH = 8.0
#: Seconds below which nobody waits: what takes no longer for either text is not looked at closer.
AT_ONCE, SOON = 0.001, 0.03
#: What patterns like to repeat.
UNITS = (
    "a", "A", "0", "_", " ", "\t", "\n", "\n\n", "-", ".", "/", "\\", "'", '"', "`", "``", "*", "**", "#",
    "[", "]", "(", ")", "{", "}", "<", ">", ":", ";", "=", "+", "@", "|", "&", "!", "?", "$", "%", "~", ",",
    "é", "a ", "A ", "a.", "a-", "a_", "a/", "a:", "a=", "a,", "a+", "aA", "A_", "0.", "0-", "- ", "\n ",
    "](", "[[", "](a", "../", "a b\n", "x: ", "<!--", "-->", "<a>", "@a ", "{#", "://", "'a'", "a('", "w+",
)  # fmt: skip


class Placed(NamedTuple):
    """A pattern, where it stands, and how it is asked: by these methods, or by any."""

    pattern: re.Pattern[str]
    where: str
    methods: tuple[str, ...] = ()


@cache
def asked() -> dict[str, dict[str, set[str]]]:
    """What every module asks of names: module, name, methods."""
    found: dict[str, dict[str, set[str]]] = {}
    for one in pkgutil.walk_packages(satchel.__path__, "satchel."):
        if one.name.endswith("__main__"):
            continue
        held = found.setdefault(one.name, {})
        source = inspect.getsource(importlib.import_module(one.name))
        for name, method in re.findall(r"\b(\w+)\.(\w+)\(", source):
            held.setdefault(name, set()).add(method)
    return found


def patterns_in(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Patterns that a value is made of."""
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, LazyPattern):
        yield value.compiled
    elif isinstance(value, dict) and depth < 4:
        for one in itertools.chain(value, value.values()):
            yield from patterns_in(one, depth + 1)
    elif isinstance(value, tuple | list | set | frozenset) and depth < 4:
        for one in value:
            yield from patterns_in(one, depth + 1)


def named_in(module: ModuleType) -> Iterator[tuple[str, object]]:
    """What a module and its classes define."""
    for name, value in list(vars(module).items()):
        if name.startswith("__"):
            continue
        yield name, value
        if inspect.isclass(value) and value.__module__ == module.__name__:
            yield from list(vars(value).items())


def anchored(module: str, name: str) -> tuple[str, ...]:
    """Return how a pattern is asked that is only ever held against a beginning; else nothing."""
    askers = [module] if name.startswith("_") else list(asked())
    methods = {method for one in askers for method in asked()[one].get(name, ())}
    return tuple(sorted(methods)) if methods <= {"match", "fullmatch"} else ()


#: Every lazy pattern of the process: each is asked where it is defined, as it is asked there; those
#: that other tests have made are nobody's.
REGISTER = "satchel.storage.kept_patterns:_every"
REDACTIONS = ("satchel.core.redaction.scanning", "_compiled")


def every_pattern() -> list[Placed]:
    """Every pattern that is compiled when the package is imported, once."""
    found: dict[tuple[str, int], Placed] = {}
    for module in asked():
        for name, value in named_in(importlib.import_module(module)):
            if f"{module}:{name}" == REGISTER:
                continue
            for pattern in patterns_in(value):
                # A public lazy one may be handed to whoever asks it in another way.
                own = isinstance(value, LazyPattern) and name.startswith("_")
                alone = own or isinstance(value, re.Pattern)
                methods = anchored(module, name) if alone else ()
                # What redaction keeps compiled, once it has met it, is held against one place.
                methods = ("match",) if (module, name) == REDACTIONS else methods
                placed = Placed(pattern, f"{module}:{name}", methods)
                found.setdefault((pattern.pattern, pattern.flags), placed)
    return list(found.values())


def units_for(pattern: re.Pattern[str]) -> Iterable[str]:
    """What is repeated at a pattern: what many like, and words of its own."""
    words = dict.fromkeys(re.findall(r"[A-Za-z]{2,}", pattern.pattern))
    return (*UNITS, *itertools.islice(words, scale(8, 40)))


def slow(one: Placed) -> list[str]:
    """Return the units that a pattern takes too long for."""
    asks: list[Callable[[str], object]] = [getattr(one.pattern, name) for name in one.methods]
    asks = asks or [lambda text: sum(1 for _ in one.pattern.finditer(text))]
    found = []
    for unit in units_for(one.pattern):
        for ask in asks:
            if seconds(ask, unit, SHORT) < AT_ONCE:
                continue
            if is_slow(ask, unit):
                found.append(f"{one.where} by {unit!r}")
    return found


def is_slow(ask: Callable[[str], object], unit: str) -> bool:
    """Say whether four times the text takes more than linear time, and longer than anybody waits.

    The best of some: other work on the machine can only add. A first try that is good enough is
    not repeated, because the best of all would be no worse.
    """
    if (much := seconds(ask, unit, LONG)) <= SOON:
        return False
    little = min(seconds(ask, unit, SHORT) for _ in range(3))
    if much > GROWTH * little:
        much = min(much, *(seconds(ask, unit, LONG) for _ in range(3)))
    # How slow the machine is just now, not when this file was read.
    return much > SOON and much > GROWTH * little and much > SOON * slowness()


def seconds(ask: Callable[[str], object], unit: str, size: int) -> float:
    """Processor time that an asking takes for so many characters, which do not end as they began."""
    text = unit * (size // len(unit)) + "\x01"
    began = time.thread_time()
    ask(text)
    return time.thread_time() - began


def test_no_pattern_is_held_up_by_what_is_repeated() -> None:
    every = every_pattern()
    assert len(every) > 200
    assert [told for one in every for told in slow(one)] == []
    say("T18", len(every), f"patterns, each against {len(UNITS)} kinds of {LONG:,} characters and "
        "words of its own: all in time")  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "by"), [(r"\s+x", "\t"), (r"^\s*x", "\n"), (r"\b[a-z.]+ y", "a."), (r"(a+)+b", "a")]
)
def test_a_pattern_that_is_held_up_would_be_noticed(pattern: str, by: str) -> None:
    # The last of them would take for ever: it is seen at a text that it can still finish.
    if pattern == r"(a+)+b":
        began = time.thread_time()
        re.compile(pattern).match("a" * 24)
        assert time.thread_time() - began > SOON * slowness()
        return
    assert any(
        told.endswith(repr(by)) for told in slow(Placed(re.compile(pattern, re.MULTILINE), "x"))
    )

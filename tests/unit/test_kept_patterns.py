"""A pattern that was kept compiled is the one that `re` would compile, or it is compiled again."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

from satchel.application.learning.nudging.nudges import keep_ready
from satchel.application.learning.signals import speech
from satchel.storage import kept_patterns
from satchel.storage.kept_patterns import LazyPattern, keep_patterns, spoken

SAID = "we never push to main here, always open a pull request"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where patterns are kept, by a process that has read none yet."""
    monkeypatch.setenv("SATCHEL_HOME", str(tmp_path))
    monkeypatch.setattr(kept_patterns, "_kept", [])
    return tmp_path / "patterns.bin"


def every() -> list[LazyPattern]:
    for one in pkgutil.walk_packages(speech.__path__, f"{speech.__name__}."):
        importlib.import_module(one.name)
    keep_ready()
    return list(kept_patterns._every)


def test_every_pattern_is_what_re_compiles(kept: Path) -> None:
    patterns = every()
    assert len(patterns) > 150
    held = kept_patterns._read() or {}
    for one in patterns:
        made = kept_patterns._made_of(one.source, held[one.source, one.flags])
        right = re.compile(one.source, one.flags)
        assert made == right  # their numbers, too
        assert (made.flags, made.groups, made.groupindex) == (
            right.flags,
            right.groups,
            right.groupindex,
        )


def test_names_of_groups_are_found(kept: Path) -> None:
    one = spoken(r"(?P<who>\w+) (owns|has) (?P<what>\w+)")
    keep_patterns()
    found = one.search("Mira OWNS maps")
    assert found is not None
    assert found.groupdict() == {"who": "Mira", "what": "maps"}
    assert LazyPattern(r"(\d)\s").split("a1 b2 c") == ["a", "1", "b", "2", "c"]


def test_a_blank_in_a_pattern_of_speech_is_white_space() -> None:
    one = spoken(r"we never,? ever (?:force )?push\b")
    for said in ("we never ever push", "WE  never,\tever\n  force push", "we never ,ever push"):
        assert bool(one.fullmatch(said)) == (" ," not in said)
    assert spoken(r"code ?base").fullmatch("codebase")
    assert spoken(r"code ?base").fullmatch("code \n base")
    assert not spoken("code base").search("codebase")


def test_no_pattern_repeats_a_blank_or_has_one_in_a_class(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """White space of a few characters has no meaning there, or another one."""
    misread = re.compile(r"\\s\{\d,8\}[*+{]|\[(?:[^\]\\]|\\.)*\\s\{\d,8\}")
    sources = [one.source.replace(r"\[", "") for one in every()]
    assert not list(filter(misread.search, sources))
    monkeypatch.setattr(kept_patterns, "_every", [])
    assert all(misread.search(spoken(wrong).source) for wrong in ("a [b c]", "a +b", "a {2}"))


@pytest.mark.parametrize("damage", [b"", b"\0", b"torn", None])
def test_what_is_damaged_is_compiled_again(kept: Path, damage: bytes | None) -> None:
    keep_patterns()
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2] if damage is None else damage + whole[1:100])
    assert kept_patterns._read() is None
    assert LazyPattern("a+").fullmatch("aaa")
    keep_patterns()
    assert kept_patterns._read()


def test_another_python_compiles_its_own(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_patterns()
    monkeypatch.setattr(sys, "version", "4.0")
    assert kept_patterns._read() is None


def test_what_re_no_longer_takes_is_compiled(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = LazyPattern("b+c")
    keep_patterns()
    monkeypatch.setattr(kept_patterns, "_made_of", lambda *_: (_ for _ in ()).throw(TypeError))
    assert one.match("bbc")


def test_what_is_up_to_date_is_not_written_again(kept: Path) -> None:
    keep_patterns()
    before = kept.stat().st_ino
    keep_patterns()
    assert kept.stat().st_ino == before


def test_a_process_that_finds_them_compiles_nothing(kept: Path) -> None:
    every()
    counted = (
        "import re\nfrom re import _compiler\nwhole, seen = _compiler.compile, []\n"
        "_compiler.compile = lambda *a: seen.append(a) or whole(*a)\n"
        "from satchel.application.learning.signals.hearing import heard\n"
        f"print(heard({SAID!r}).label, len(seen))"
    )

    def run() -> tuple[str, int]:
        done = subprocess.run(
            [sys.executable, "-c", counted], capture_output=True, text=True, check=True
        )
        label, compiled = done.stdout.split()
        return label, int(compiled)

    with_them = run()
    kept.unlink()
    without = run()
    assert with_them[0] == without[0] == "correction"
    assert with_them[1] * 5 < without[1]

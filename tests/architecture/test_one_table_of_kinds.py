"""Everything that is true of a kind of memory is said once, in the table of kinds."""

import ast
from pathlib import Path

from satchel.core.kinds import KINDS, kinds_for, kinds_in
from satchel.storage.ledger.record import ID_KINDS, Record

SOURCE = Path(__file__).parents[2] / "src" / "satchel"
MOST = 2
#: Words that happen to be names of kinds: what the classifier of what a person says tells apart.
OTHER_WORDS = {
    "application/learning/signals/weights.py",
}


def listed_kinds(code: str) -> set[str]:
    """Names of kinds in the longest literal collection of code that lists them, if over `MOST`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        parts: list[ast.expr | None] = []
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            parts = list(node.elts)
        elif isinstance(node, ast.Dict):
            parts = [*node.keys, *node.values]
        named = {one.value for one in parts if isinstance(one, ast.Constant)}
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            named = {word.strip() for word in node.value.split(",")}
        named &= set(KINDS)
        if len(named) > max(MOST, len(found)):
            found = {str(name) for name in named}
    return found


def test_kinds_are_listed_in_their_table_alone() -> None:
    lists = {
        str(path.relative_to(SOURCE)): listed
        for path in sorted(SOURCE.rglob("*.py"))
        if (listed := listed_kinds(path.read_text("utf-8")))
    }
    lists.pop("core/kinds.py", None)
    assert set(lists) == OTHER_WORDS, lists


def test_a_list_of_kinds_is_found() -> None:
    for code in (
        'a = ("fact", "decision", "x", "constraint")', 'a = {"fact": 1, "decision": 2, "learned": 3}',
        'a = "learned,decision, fact"',
    ):  # fmt: skip
        assert len(listed_kinds(code)) == 3, code
    assert listed_kinds('a = ("fact", "decision")') == set()


def test_a_record_s_identity_is_what_the_table_says() -> None:
    for name, kind in KINDS.items():
        one, other = (Record(kind=name, key="k", id=ident, content="c") for ident in ("1", "2"))
        assert (one.identity == other.identity) is kind.keyed
    assert ID_KINDS - set(KINDS) == {"injection", "row"}


def test_every_use_and_section_has_a_kind() -> None:
    for kind in KINDS.values():
        assert all(kind.name in kinds_for(use) for use in kind.uses)
        assert not kind.section or kind.name in kinds_in(kind.section)


def test_a_hook_keeps_every_comment_that_a_marker_of_the_table_can_stand_in() -> None:
    """The hook's word test is a list of its own, since it may import next to nothing."""
    from satchel.interfaces.hooks.capture import _MARKERS

    every = [marker for kind in KINDS.values() for marker in kind.markers]
    assert every
    assert [one for one in every if not any(word in one for word in _MARKERS)] == []

"""Laws of imports: nothing from outside, nothing lost, always an end; and whose word counts where."""

import os
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.clients.contract.instructions import MACHINE, REPOSITORY, SHARED, USER
from satchel.features.instructions.scanning import BOTH, DIALECTS
from satchel.features.instructions.trust_policy import TrustPolicy
from unit.memory_trees import MemoryTree

_SECRET = "S3CRET"
_NAMES = ("a.md", "b.md", "sub/c.md", "sub/d.md")
_words = st.sampled_from(
    ["@import ", "@", "./", "../", "~/", "/", "a.md", "b.md", "sub/", "c.md", "d.md", "out.md",
     "link.md", "far/", "\n", "\n\n", " ", "`", "```\n", "<!-- ", " -->", "text", "#x", "\\ ",
     "OUTSIDE", "..", "HOME"]
)  # fmt: skip
_texts = st.lists(_words, max_size=30).map("".join)


@pytest.fixture(scope="module")
def tree() -> Iterator[MemoryTree]:
    with tempfile.TemporaryDirectory() as directory:
        tree = MemoryTree(directory)
        tree.write("../out.md", _SECRET)
        tree.write(os.path.join(tree.home, "out.md"), _SECRET)
        tree.write("../far/out.md", _SECRET)
        os.symlink("../out.md", os.path.join(tree.root, "link.md"))
        os.symlink("../far", os.path.join(tree.root, "far"))
        yield tree


@given(
    st.lists(_texts, min_size=5, max_size=5),
    st.sampled_from((*DIALECTS, BOTH)),
    st.booleans(),
)
@settings(max_examples=150)
def test_no_text_brings_anything_from_outside_and_all_of_it_ends(
    tree: MemoryTree,
    texts: list[str],
    dialect: str,
    once: bool,  # noqa: FBT001
) -> None:
    texts = [t.replace("OUTSIDE", tree.directory).replace("HOME", tree.home) for t in texts]
    for name, text in zip(_NAMES, texts, strict=False):
        tree.write(name, text)
    path = tree.write("main.md", texts[4])
    found = tree.expand(texts[4], dialect, path=path, once=once, files=40, extensions=())
    assert _SECRET not in found.text
    assert "".join(piece.text for piece in found.pieces) == found.text
    for piece in found.pieces:
        assert 1 <= piece.first_line <= piece.last_line
        assert piece.depth <= 5
        assert os.path.realpath(piece.path).startswith(tree.root)
    shown = [piece.path for piece in found.pieces if piece.imported_from]
    if once and dialect not in ("gemini", "beans"):
        assert len(shown) == len(set(shown))


@given(_texts)
def test_without_an_import_a_text_stays_as_it_is(tree: MemoryTree, text: str) -> None:
    plain = text.replace("@", "at").replace("<!--", "(")
    for dialect in (*DIALECTS, BOTH):
        assert tree.expand(plain, dialect).text == plain


# Whose word counts where. Names alone decide here, so none of these places has to exist.

AT_HOME = TrustPolicy("/home/u/ws", "/home/u", managed=("/etc/managed",), team="/srv/team")
IN_TMP = TrustPolicy("/tmp/ws", "/home/u")


@pytest.mark.parametrize(
    ("grounds", "real", "owner", "told"),
    [
        (AT_HOME, "/home/u/ws/a.md", REPOSITORY, ""),
        (AT_HOME, "/home/u/ws", REPOSITORY, ""),
        (AT_HOME, "/home/u/ws2/a.md", REPOSITORY, "it is outside the project"),
        (AT_HOME, "/home/u/a.md", REPOSITORY, "it is outside the project"),
        (AT_HOME, "/home/u/a.md", USER, ""),
        (AT_HOME, "/home/other/a.md", USER, "it is outside your home"),
        (AT_HOME, "/tmp/a.md", REPOSITORY, "anybody can write there"),
        (AT_HOME, "/tmp/a.md", USER, "anybody can write there"),
        (AT_HOME, "/var/lib/a.md", USER, "anybody can write there"),
        (AT_HOME, "/home/u/.ssh/a.md", USER, "its place is off limits"),
        (AT_HOME, "/home/u/.aws/a.md", USER, "its place is off limits"),
        (AT_HOME, "/proc/1/environ", USER, "its place is off limits"),
        (AT_HOME, "/dev/zero", MACHINE, "its place is off limits"),
        (AT_HOME, "/etc/managed/a.md", MACHINE, ""),
        (AT_HOME, "/home/u/ws/a.md", MACHINE, "it is outside your home"),
        (AT_HOME, "/srv/team/a.md", SHARED, ""),
        (AT_HOME, "/srv/team/a.md", REPOSITORY, "it is outside the project"),
        (AT_HOME, "/home/u/a.md", SHARED, "it is outside the project"),
        (IN_TMP, "/tmp/ws/a.md", REPOSITORY, ""),
        (IN_TMP, "/tmp/other/a.md", REPOSITORY, "anybody can write there"),
        (IN_TMP._replace(approved={"/tmp/other/a.md": "1"}), "/tmp/other/a.md", REPOSITORY, ""),
        (
            AT_HOME._replace(approved={"/dev/zero": "1"}),
            "/dev/zero",
            USER,
            "its place is off limits",
        ),
    ],
)
def test_places_are_judged_by_whose_word_it_is(
    grounds: TrustPolicy, real: str, owner: str, told: str
) -> None:
    assert grounds.objection(real, owner) == told


def test_an_approval_holds_for_the_content_that_was_approved() -> None:
    grounds = AT_HOME._replace(approved={"/home/u/a.md": "1"})
    assert grounds.still_approved("/home/u/a.md", REPOSITORY, "1")
    assert not grounds.still_approved("/home/u/a.md", REPOSITORY, "2")
    assert grounds.still_approved("/home/u/a.md", USER, "2"), "the home needs no approval"

"""What pages make of text: Markdown that runs nothing, diffs by words, a part of a graph in its place."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from satchel.features.graph.values import Relation
from satchel.interfaces.http.console import presentation
from satchel.interfaces.http.console.graph_drawing import draw
from satchel.interfaces.http.console.presentation import inline, markdown
from satchel.interfaces.http.console.queue_items import ADDED, GAP, REMOVED, SAME, diff_of, words_of

_ALLOWED = {"p", "h3", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "em", "a"}
_PARTS = st.sampled_from(
    [
        "# ",
        "- ",
        "1. ",
        "> ",
        "```",
        "`",
        "**",
        "*",
        "[a](",
        "https://x",
        "javascript:alert(1)",
        ")",
        "\n",
        "<script>",
        "<img src=x onerror=alert(1)>",
        "\"'>",
        "{#anchor:x}",
        "word",
        " ",
        "](",
    ]
)


class _Elements(HTMLParser):
    """Collects what elements and attributes a text has."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))


def active(text: str) -> list[str]:
    """What of a text's HTML is no element of ours, or an address that is none of the web's."""
    parser = _Elements()
    parser.feed(str(markdown(text)) + str(inline(text)))
    wrong = [tag for tag, _ in parser.found if tag not in _ALLOWED]
    for tag, attributes in parser.found:
        for name, value in attributes:
            fine = tag == "a" and (
                name == "rel" or (name == "href" and re.match(r"https?://", value or ""))
            )
            wrong += [] if fine else [f"{tag} {name}"]
    return wrong


@settings(max_examples=300)
@given(st.lists(_PARTS, max_size=25).map("".join))
def test_markdown_runs_nothing(text: str) -> None:
    assert active(text) == []


def test_markdown_that_is_not_escaped_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded bug."""
    monkeypatch.setattr(presentation, "escape", Markup)
    assert active("<img src=x onerror=alert(1)>") != []


def test_markdown_has_what_notes_use() -> None:
    made = str(
        markdown(
            "# Title {#anchor:x}\n\nIt is **so**, `code`.\n\n- one\n- two\n\n```py\na = 1\n```\n> said\n1. first"
        )
    )
    assert made == (
        "<h3>Title</h3>\n<p>It is <strong>so</strong>, <code>code</code>.</p>\n<ul><li>one</li><li>two</li></ul>\n"
        "<pre><code>a = 1</code></pre>\n<blockquote>said</blockquote>\n<ol><li>first</li></ol>"
    )
    assert str(markdown("```\nnever closed")) == "<pre><code>never closed</code></pre>"


def test_a_diff_marks_words_and_folds_what_stays() -> None:
    before = b"".join(b"line %d\n" % n for n in range(20))
    made = diff_of("AGENTS.md", before, before.replace(b"line 10\n", b"line 10 by hand\nmore\n"))
    kinds = [one.kind for one in made.lines]
    assert kinds == [SAME] * 3 + [REMOVED, ADDED, ADDED] + [SAME] * 3
    assert (made.added, made.removed, made.new) == (2, 1, False)
    (changed,) = [one for one in made.lines if one.kind == ADDED and one.number == 11]
    assert [text for text, marked in changed.parts if marked] == [" by hand"]
    far = before.replace(b"line 1\n", b"").replace(b"line 18\n", b"")
    assert GAP in [one.kind for one in diff_of("x", before, far).lines]
    assert diff_of("x", None, b"a\n").new


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_parts_of_two_texts_are_the_texts(old: str, new: str) -> None:
    left, right = words_of(old, new)
    joined = ["".join(text for text, _ in parts) for parts in (left, right)]
    assert joined == ["".join(re.findall(r"\w+|\s+|.", one)) or one for one in (old, new)]


def test_a_drawing_has_everything_inside_and_nothing_twice() -> None:
    ties = [Relation("hub", f"n{n}", "uses", 0.5) for n in range(30)]
    ties += [Relation(f"n{n}", f"far{n}", "uses", 0.5) for n in range(30)]
    made = draw(
        "hub", lambda name, most: [one for one in ties if name in (one.source, one.target)][:most]
    )
    assert len({one.name for one in made.nodes}) == len(made.nodes)
    assert all(0 < one.x < 760 and 0 < one.y < 620 for one in made.nodes)
    assert made.more == 16
    assert made.nodes[-1].name == "hub"

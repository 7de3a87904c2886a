"""The project's intent: anchors, what is wrong with them, and what fits before an agent."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satchel.core.errors import BadInputError, ConflictError, NotFoundError
from satchel.core.token_budget import estimate_tokens
from satchel.features.intent.excerpt import LINKED_MARK, excerpt
from satchel.features.intent.finding import below, find_section
from satchel.features.intent.links import Links
from satchel.features.intent.reading import ANCHOR, read_intent
from satchel.features.intent.values import Link
from satchel.testing import temporary_workspace

DOCUMENT = """---
version: 3
created_at: 2026-01-15T10:00:00Z
updated_at: "2026-01-20T14:30:00Z"
---
# Project Intent: Shop

## Overview {#anchor:overview}
A shop for bread.

## Business Model {#anchor:business-model}

### Target Users {#anchor:business-model.users}
- bakers
- guests

### Revenue {#anchor:business-model.revenue}
Each loaf pays for itself.

## Delivery
By bicycle. `{#anchor:in-code}` is an example.

```markdown
## Not a heading {#anchor:fenced}
```

## Non-Negotiables {#anchor:non-negotiables}
- No flour dust in the server room.
"""


def document() -> bytes:
    return DOCUMENT.encode()


def test_sections_have_anchors_paths_and_lines() -> None:
    intent = read_intent(document())
    assert (intent.version, intent.updated_at) == ("3", "2026-01-20T14:30:00Z")
    assert [s.anchor for s in intent.sections] == [
        "", "overview", "business-model", "business-model.users", "business-model.revenue", "",
        "non-negotiables",
    ]  # fmt: skip
    lines = DOCUMENT.splitlines()
    assert all(s.title in lines[s.line - 1] for s in intent.sections)
    assert intent.problems == ()


def test_a_section_is_found_by_anchor_and_by_the_path_of_its_titles() -> None:
    intent = read_intent(document())
    by_anchor = find_section(intent, "business-model.revenue")
    by_path = find_section(intent, "business-model.target-users")
    assert by_anchor is not None
    assert by_path is not None
    assert (by_anchor.title, by_path.title) == ("Revenue", "Target Users")
    assert find_section(intent, "delivery") is not None
    assert find_section(intent, "nothing") is None
    model = find_section(intent, "business-model")
    assert model is not None
    assert [s.title for s in below(intent, model.number)] == ["Target Users", "Revenue"]


def test_duplicate_orphan_and_broken_anchors_are_told_with_their_lines() -> None:
    text = "# A {#anchor:a}\n\ntext {#anchor:stray}\n\n## B {#anchor:a}\n\n## C {#anchor:Not OK}\n"
    problems = read_intent(text.encode()).problems
    assert [(p.kind, p.line) for p in problems] == [
        ("front_matter", 1), ("orphan_anchor", 3), ("duplicate_anchor", 5), ("broken_anchor", 7),
    ]  # fmt: skip


def test_an_unclosed_front_matter_and_bytes_that_are_no_text_do_not_stop_it() -> None:
    assert read_intent(b"---\nversion: 1\n# T\n").problems[0].kind == "front_matter"
    assert read_intent(b"\xff\xfe\x00# x {#anchor:y}").sections


def test_everything_is_shown_where_it_fits_and_linked_headings_are_marked() -> None:
    made = excerpt(read_intent(document()), primary=["non-negotiables"], budget=2000)
    assert made.text.startswith("<!-- Intent v3 | Updated: 2026-01-20T14:30:00Z -->")
    assert f"## Non-Negotiables {LINKED_MARK}" in made.text
    assert made.text.count(LINKED_MARK) == 1
    assert made.omitted == ()


def test_what_is_linked_brings_what_is_below_it_and_stays_when_the_rest_goes() -> None:
    intent = read_intent(document())
    made = excerpt(intent, primary=["business-model"], budget=118)
    assert f"### Revenue {LINKED_MARK}" in made.text
    assert "flour dust" not in made.text
    assert f"<!-- Truncated: {len(made.omitted)} sections omitted (token budget) -->" in made.text
    assert made.tokens <= 118


def test_it_says_where_only_what_is_linked_is_shown() -> None:
    long = DOCUMENT
    for said in ("A shop for bread.", "By bicycle.", "- No flour"):
        long = long.replace(said, said + " and more" * 90)
    made = excerpt(read_intent(long.encode()), primary=["business-model"], budget=140)
    assert "<!-- SHOWING LINKED SECTIONS ONLY: business-model -->" in made.text
    assert "bicycle" not in made.text


def test_a_heading_above_is_shown_with_what_it_holds() -> None:
    long = DOCUMENT.replace("Each loaf pays", "Each loaf pays " + "and pays " * 60)
    made = excerpt(read_intent(long.encode()), primary=["business-model.revenue"], budget=300)
    assert made.text.index("## Business Model") < made.text.index("### Revenue")


def test_without_a_link_what_always_holds_comes_before_the_rest() -> None:
    filler = "\n".join(f"## Part {n} {{#anchor:part-{n}}}\n{'words ' * 40}\n" for n in range(30))
    intent = read_intent((DOCUMENT.replace("## Delivery", filler + "\n## Delivery")).encode())
    made = excerpt(intent, budget=200)
    assert "flour dust" in made.text
    assert made.tokens <= 200


def test_one_section_larger_than_the_budget_is_cut_at_a_line() -> None:
    text = "# T {#anchor:t}\n" + "\n".join(f"- rule {n} of the house" for n in range(900))
    made = excerpt(read_intent(text.encode()), primary=["t"], budget=100)
    assert "TRUNCATED" in made.text
    assert "- rule 3 of the house" in made.text
    assert made.tokens <= 100


def test_a_mark_in_the_document_is_not_taken_for_ours() -> None:
    made = excerpt(read_intent(f"# T {{#anchor:t}}\nx {LINKED_MARK}\n".encode()), budget=500)
    assert LINKED_MARK not in made.text


@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.from_regex(r"[a-z0-9-]{1,8}", fullmatch=True),
                  st.text(max_size=300)),
        max_size=12,
    ),
    st.integers(20, 400),
    st.integers(0, 11),
)  # fmt: skip
def test_no_excerpt_costs_more_than_its_budget(
    heads: list[tuple[int, str, str]], budget: int, linked: int
) -> None:
    text = "\n\n".join(f"{'#' * n} {a} {{#anchor:{a}}}\n\n{body}" for n, a, body in heads)
    primary = [heads[linked % len(heads)][1]] if heads else []
    intent = read_intent(text.encode("utf-8", "replace"))
    made = excerpt(intent, primary=primary, budget=budget)
    assert estimate_tokens(made.text) <= budget
    assert made.tokens == estimate_tokens(made.text)
    everything = {s.number for s in intent.sections if s.body or s.level}
    assert set(made.shown) | set(made.omitted) == everything
    assert not set(made.shown) & set(made.omitted)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_and_anchors_keep_their_pattern(data: bytes) -> None:
    intent = read_intent(data)
    assert all(not s.anchor or ANCHOR.fullmatch(f"{{#anchor:{s.anchor}}}") for s in intent.sections)


def test_links_are_kept_renewed_and_removed_and_unknown_fields_stay(
    tmp_path: os.PathLike[str],
) -> None:
    path = os.path.join(tmp_path, "links.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            '{"version": 1, "owner": "us", "links": [{"beadId": "a", "anchor": "x", "by": 3}]}'
        )
    links = Links(path, os.path.join(tmp_path, "lock"), root=os.fspath(tmp_path))
    assert links.add(Link("b", "y", "related", "t", "agent", "why"))
    assert not links.add(Link("b", "y", "primary", "t"))
    assert [(one.task, one.relevance) for one in links.all()] == [
        ("a", "primary"),
        ("b", "primary"),
    ]
    assert links.remove("b") == 1
    with pytest.raises(NotFoundError):
        links.remove("b", "y")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert '"owner": "us"' in text
    assert '"by": 3' in text


def test_a_damaged_links_file_is_never_written_over(tmp_path: os.PathLike[str]) -> None:
    path = os.path.join(tmp_path, "links.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"links": [')
    links = Links(path, os.path.join(tmp_path, "lock"), root=os.fspath(tmp_path))
    assert links.all() == []
    with pytest.raises(BadInputError, match="not JSON"):
        links.add(Link("a", "b"))
    with open(path, encoding="utf-8") as file:
        assert file.read() == '{"links": ['


def test_what_was_parsed_is_used_again_until_the_bytes_change() -> None:
    with temporary_workspace() as workspace:
        path = workspace.intent.create("Bread")
        with pytest.raises(ConflictError):
            workspace.intent.create()
        first = workspace.intent.read()
        assert workspace.intent.read() == first
        # Seeded: whatever the cache says under the hash of other bytes is not believed.
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n## More {#anchor:more}\n")
        assert workspace.intent.section("more").title == "More"
        with open(workspace.project.state.intent, "w", encoding="utf-8") as file:
            file.write("{")
        assert workspace.intent.section("more").title == "More"


def test_a_link_needs_a_section_with_an_anchor_and_reaches_the_tasks_below() -> None:
    with temporary_workspace() as workspace:
        with open(workspace.project.tracked.intent, "wb") as file:
            file.write(document())
        with open(workspace.project.tracked.place("tasks"), "w", encoding="utf-8") as tasks:
            tasks.write('{"id": "bd-1", "title": "epic"}\n{"id": "bd-1.1", "title": "task"}\n')
        intent = workspace.intent
        with pytest.raises(NotFoundError, match="overvew"):
            intent.link(Link("bd-1", "overvew"))
        with pytest.raises(BadInputError, match="no anchor"):
            intent.link(Link("bd-1", "delivery"))
        intent.link(Link("bd-1", "non-negotiables"))
        assert f"## Non-Negotiables {LINKED_MARK}" in intent.excerpt(task="bd-1.1").text
        assert LINKED_MARK not in intent.excerpt(task="bd-2").text
        workspace.intent.links.add(Link("bd-1", "gone"))
        assert [p.kind for p in intent.check()] == ["broken_link"]

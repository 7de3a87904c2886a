"""The behaviours of Gemini CLI's imports, each told in our words and shown on real files."""

import os

import pytest

from unit.memory_trees import MemoryTree


@pytest.fixture
def tree(tmp_path: os.PathLike[str]) -> MemoryTree:
    return MemoryTree(tmp_path)


def around(path: str, text: str) -> str:
    return f"<!-- Imported from: {path} -->\n{text}\n<!-- End of import from: {path} -->"


def test_a_markdown_file_stands_where_it_is_named(tree: MemoryTree) -> None:
    tree.write("a.md", "# A")
    assert tree.expand("Before @./a.md after").text == f"Before {around('./a.md', '# A')} after"


def test_a_file_that_is_no_markdown_is_imported_alike_and_without_a_word(tree: MemoryTree) -> None:
    tree.write("a.txt", "plain")
    found = tree.expand("@./a.txt")
    assert found.text == around("./a.txt", "plain")
    assert found.problems == []


def test_a_circle_ends_with_the_word_that_the_file_is_processed_already(tree: MemoryTree) -> None:
    main = tree.write("main.md", "main @./a.md")
    tree.write("a.md", "a @./main.md")
    text = tree.expand("main @./a.md", path=main).text
    assert text == "main " + around("./a.md", "a <!-- File already processed: ./main.md -->")


def test_a_file_that_is_missing_is_told_in_place_and_among_the_problems(tree: MemoryTree) -> None:
    found = tree.expand("x @./nonexistent.md y")
    assert found.text == "x <!-- Import failed: ./nonexistent.md - File not found --> y"
    assert [(p.what, p.path) for p in found.problems] == [("missing", "./nonexistent.md")]


def test_at_the_greatest_depth_a_text_stays_as_it_is_with_a_warning(tree: MemoryTree) -> None:
    tree.write("a.md", "A")
    found = tree.expand("text @./a.md", depth=0)
    assert found.text == "text @./a.md"
    assert [p.told for p in found.problems] == [
        "Maximum import depth (0) reached. Stopping import processing."
    ]


def test_five_hops_are_followed_and_the_sixth_is_left_as_text(tree: MemoryTree) -> None:
    for n in range(1, 8):
        tree.write(f"{n}.md", f"hop {n} @./{n + 1}.md")
    text = tree.expand("@./1.md").text
    assert "hop 5 @./6.md\n" in text
    assert "hop 6" not in text


def test_imports_of_imports_are_put_in_place_relative_to_the_file_that_names_them(
    tree: MemoryTree,
) -> None:
    tree.write("docs/a.md", "A @./deep/b.md")
    tree.write("docs/deep/b.md", "B")
    inner = around("./deep/b.md", "B")
    assert tree.expand("@./docs/a.md").text == around("./docs/a.md", f"A {inner}")


def test_an_absolute_path_within_the_project_is_imported(tree: MemoryTree) -> None:
    path = tree.write("a.md", "A")
    assert tree.expand(f"@{path}").text == around(path, "A")


def test_several_imports_of_one_text_are_all_put_in_place(tree: MemoryTree) -> None:
    tree.write("a.md", "A")
    tree.write("b.md", "B")
    text = tree.expand("1 @./a.md 2\n@./b.md 3").text
    assert text == f"1 {around('./a.md', 'A')} 2\n{around('./b.md', 'B')} 3"


def test_what_stands_in_a_fenced_block_is_no_import_but_what_stands_around_it_is(
    tree: MemoryTree,
) -> None:
    for name in "abc":
        tree.write(f"{name}.md", name.upper())
    text = tree.expand("@./a.md\n```\n@./b.md\n```\n@./c.md").text
    assert text == f"{around('./a.md', 'A')}\n```\n@./b.md\n```\n{around('./c.md', 'C')}"


def test_what_stands_in_inline_code_is_no_import(tree: MemoryTree) -> None:
    tree.write("a.md", "A")
    assert tree.expand("`@./a.md` and ``x @./a.md``").text == "`@./a.md` and ``x @./a.md``"


@pytest.mark.parametrize(
    "text",
    [
        "- item `@./a.md`\n  - nested ``code @./a.md ` tick``\n",
        "```\n@./a.md\n```\n\n```\n@./a.md\n```\n",
        "`@./a.md` `@./a.md`\n> `@./a.md`\n",
        "use `user @ host` and `@./a.md`",
        "`a @./a.md b` between `@x` ends",
    ],
)
def test_nested_and_repeated_code_hides_imports_by_place_and_not_by_text(
    tree: MemoryTree, text: str
) -> None:
    tree.write("a.md", "A")
    assert tree.expand(text).text == text
    both = tree.expand(text + "\n@./a.md").text
    assert both == text + "\n" + around("./a.md", "A")


def test_the_same_words_in_code_and_outside_of_it_are_told_apart(tree: MemoryTree) -> None:
    tree.write("a.md", "A")
    text = tree.expand("`@./a.md` then @./a.md then `@./a.md`").text
    assert text == f"`@./a.md` then {around('./a.md', 'A')} then `@./a.md`"


def test_parents_and_subdirectories_within_the_root_are_allowed(tree: MemoryTree) -> None:
    tree.write("top.md", "T")
    tree.write("pkg/sub/low.md", "L")
    assert "T" in tree.expand("@../top.md", below="pkg").text
    assert "L" in tree.expand("@./sub/low.md", below="pkg").text


def test_what_lies_outside_the_root_is_refused(tree: MemoryTree) -> None:
    secret = tree.write(os.path.join(tree.directory, "secret.md"), "S3CRET")
    for path in ("../secret.md", secret, "./sub/../../secret.md"):
        found = tree.expand(f"@{path}")
        assert found.text == f"<!-- Import failed: {path} - Path traversal attempt -->"
        assert found.problems[0].what == "elsewhere"


@pytest.mark.parametrize("url", ["https://x.org/a.md", "http://x.org/a.md", "file:///etc/passwd"])
def test_addresses_are_no_paths(tree: MemoryTree, url: str) -> None:
    assert tree.expand(f"@{url}").text.startswith(f"<!-- Import failed: {url} - ")


def test_a_relative_and_an_absolute_path_are_judged_alike(tree: MemoryTree) -> None:
    inside, outside = tree.write("in.md", "I"), tree.write("../out.md", "O")
    for good in ("./in.md", "in.md", inside):
        assert "I" in tree.expand(f"@{good}").text
    for bad in ("../out.md", outside):
        assert "Path traversal" in tree.expand(f"@{bad}").text


def test_several_places_may_be_allowed(tree: MemoryTree) -> None:
    note = tree.write(os.path.join(tree.home, "note.md"), "N")
    assert "N" in tree.expand(f"@{note}", owner="user").text
    inside = tree.write("in.md", "I")
    assert "I" in tree.expand(f"@{inside}", owner="user").text
    assert "Path traversal" in tree.expand("@/etc/hosts", owner="user").text


def test_a_link_that_leads_outside_is_refused(tree: MemoryTree) -> None:
    tree.write("../secret.md", "S3CRET")
    os.symlink("../secret.md", os.path.join(tree.root, "link.md"))
    os.symlink("..", os.path.join(tree.root, "up"))
    for path in ("./link.md", "./up/secret.md"):
        assert (
            tree.expand(f"@{path}").text
            == f"<!-- Import failed: {path} - Path traversal attempt -->"
        )


def test_a_link_within_the_project_is_followed(tree: MemoryTree) -> None:
    tree.write("real.md", "R")
    os.symlink("real.md", os.path.join(tree.root, "link.md"))
    assert "R" in tree.expand("@./link.md").text


@pytest.mark.parametrize(
    "text", ["@~/a.md", "@_a.md", "@1.md", "a@a.md", "(@a.md)", "@", "@ a.md", "x\u00a0@a.md"]
)
def test_what_the_scanner_does_not_take_for_an_import_stays(tree: MemoryTree, text: str) -> None:
    tree.write("a.md", "A")
    assert tree.expand(text).text == text


def test_punctuation_behind_a_path_belongs_to_it(tree: MemoryTree) -> None:
    tree.write("a.md", "A")
    assert "Import failed: a.md. - File not found" in tree.expand("see @a.md.").text


def test_a_diamond_is_imported_by_both_and_is_no_circle(tree: MemoryTree) -> None:
    tree.write("a.md", "A @./c.md")
    tree.write("b.md", "B @./c.md")
    tree.write("c.md", "C")
    found = tree.expand("@./a.md @./b.md", once=False)
    assert found.text.count(around("./c.md", "C")) == 2
    assert found.problems == []
    once = tree.expand("@./a.md @./b.md")
    assert once.text.count("\nC\n") == 1
    assert "<!-- Already shown: ./c.md -->" in once.text
    assert once.problems == []

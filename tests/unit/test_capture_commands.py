import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from machine_speed import least_seconds
from satchel.application.learning.listening.commands import (
    Capture,
    CapturedComment,
    captures_in,
    parse_commands,
)
from satchel.application.learning.listening.markers import PREFIXES


def bodies(command: str) -> list[tuple[str, str]]:
    return [(one.task, one.body) for one in parse_commands(command)]


@pytest.mark.parametrize(
    "command",
    [
        'bd comment X "LEARNED: y z"',
        'bd comments add X "LEARNED: y z"',
        "bd comment X 'LEARNED: y z'",
        "bd comment X $'LEARNED: y z'",
        "bd comment X LEARNED: y z",
        "bd comment X LEARNED:\\ y\\ z",
        'bd comment X \\\n  "LEARNED: y z"',
        'bd --json comment X "LEARNED: y z"',
        'bd comment --json X "LEARNED: y z" -a ana',
        'bd comments add X -a ana "LEARNED: y z"',
        'bd comments add X --author=ana -- "LEARNED: y z"',
        'FOO=1 BAR="a b" bd comment X "LEARNED: y z"',
        'cd "my dir" && bd comment X "LEARNED: y z"',
        'true; bd comment X "LEARNED: y z"; false',
        'false || bd comment X "LEARNED: y z"',
        'ls\nbd comment X "LEARNED: y z"\nls',
        '(cd a && bd comment X "LEARNED: y z")',
        '{ bd comment X "LEARNED: y z"; }',
        'if true; then bd comment X "LEARNED: y z"; fi',
        'bd comment X "LEARNED: y z" 2>&1 | tail -1',
        'bd comment X "LEARNED: y z" > /dev/null &',
        '/usr/local/bin/bd comment X "LEARNED: y z"',
        'npx bd comment X "LEARNED: y z"',
        'npx -y @beads/bd@1.3.0 comment X "LEARNED: y z"',
        'env A=1 timeout 10 bd comment X "LEARNED: y z"',
        'sudo -u ana bd comment X "LEARNED: y z"',
        "bash -lc 'bd comment X \"LEARNED: y z\"'",
        'out=$(bd comment X "LEARNED: y z" --json)',
        "bd comment X --stdin <<'EOF'\nLEARNED: y z\nEOF",
        "bd comment X --stdin <<EOF\nLEARNED: y z\nEOF\n",
        "bd comment X --stdin <<-EOF && ls\n\tLEARNED: y z\n\tEOF\n",
        'bd comment X --stdin <<< "LEARNED: y z"',
        "bd comment X \"$(cat <<'EOF'\nLEARNED: y z\nEOF\n)\"",
        'bd comment X "$(cat <<EOF\nLEARNED: y z\nEOF)"',
        'echo "LEARNED: y z" | bd comment X --stdin',
        "echo -e 'LEARNED:\\x20y z' | bd comment X -",
        "printf '%s %s\\n' LEARNED: 'y z' | bd comments add X -f -",
        "cat <<EOF | bd comment X --stdin\nLEARNED: y z\nEOF",
        "cat > note.txt <<EOF\nLEARNED: y z\nEOF\nbd comments add X --file note.txt",
        "echo 'LEARNED: y z' > n; bd comment X --stdin < n",
        'bd comment X "LEARNED: y z',
        "bd comment X 'LEARNED: y z",
        "bd comment X --stdin <<EOF\nLEARNED: y z",
    ],
)
def test_a_comment_is_captured_however_the_shell_is_given_it(command: str) -> None:
    assert captures_in(command) == [Capture("learned", "y z", ("learned",), "X", "bd")]


@pytest.mark.parametrize(
    "command",
    [
        "bd comments X --json",
        "bd comments add X",
        "bd comment X",
        "bd show X --comment 'LEARNED: y'",
        "echo \"bd comment X 'LEARNED: y'\"",
        "grep -rn 'bd comment X \"LEARNED: y\"' docs",
        "# bd comment X 'LEARNED: y'",
        "cat <<'EOF'\nbd comment X 'LEARNED: y'\nEOF",
        "git commit -m 'LEARNED: y'",
        "abd comment X 'LEARNED: y'",
        "bd comment X 'done, no marker'",
        'bd comment X "LEARNED: $(cat unknown.txt)"',
        'bd comment X "LEARNED: $TEXT"',
        "bd comment X --file unknown.txt",
        "satchel recall LEARNED: x",
        'satchel learn "$NOTE"',
        "satchel learn ''",
        "satchel remember --kind nonsense text",
        "",
    ],
)
def test_what_is_no_memory_is_not_captured(command: str) -> None:
    assert captures_in(command) == []


def test_chained_commands_each_give_their_own() -> None:
    command = (
        'bd comment a "FACT: one" && bd comments add b "LEARNED: a \\"quoted\\" two"; bd close a'
    )
    assert bodies(command) == [("a", "FACT: one"), ("b", 'LEARNED: a "quoted" two')]


def test_a_long_body_from_a_here_document_is_kept_to_the_letter() -> None:
    text = 'LEARNED: don\'t (do\n  it; "ever" && `so`\n\n# not a comment'
    command = f"bd comment X --json \"$(cat <<'EOF'\n{text}\nEOF\n)\" && ls"
    assert bodies(command) == [("X", text)]


def test_variables_stay_as_they_are_written() -> None:
    command = 'bd comment "$ID" "LEARNED: set $HOME, ${A:-b} and \\$5 for $(whoami)"'
    assert bodies(command) == [("$ID", "LEARNED: set $HOME, ${A:-b} and $5 for $(whoami)")]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('satchel learn "use pnpm"', ("learned", "use pnpm", "")),
        ('./.venv/bin/satchel learn "use pnpm" --task T-1', ("learned", "use pnpm", "T-1")),
        ('satchel learn --task=T-1 "use pnpm"', ("learned", "use pnpm", "T-1")),
        ('satchel remember "use pnpm" --kind decision', ("decision", "use pnpm", "")),
        ('satchel remember --kind Next-Steps "use pnpm"', ("next_step", "use pnpm", "")),
        ('satchel remember --kind decision "DECISION: use pnpm"', ("decision", "use pnpm", "")),
        ('satchel learn "DECISION: use pnpm"', ("decision", "use pnpm", "")),
        ('uv run satchel learn "use pnpm"', ("learned", "use pnpm", "")),
        ('python -m satchel learn "use pnpm"', ("learned", "use pnpm", "")),
        ('echo "use pnpm" | satchel learn -', ("learned", "use pnpm", "")),
        (
            'satchel learn "We write DECISION: before decisions"',
            ("learned", "We write DECISION: before decisions", ""),
        ),
    ],
)
def test_satchel_s_own_commands_are_captured(command: str, expected: tuple[str, str, str]) -> None:
    assert [(one.kind, one.content, one.task) for one in captures_in(command)] == [expected]


def test_a_command_says_which_kind_it_was_given() -> None:
    assert parse_commands("satchel remember a --kind fact") == [
        CapturedComment("", "a", "satchel", "fact")
    ]


def shell_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


@given(
    st.lists(st.text("ab \n\"'\\$`(){};&|#<>", min_size=1).filter(lambda t: t.strip()), min_size=1)
)
def test_every_text_comes_back_from_a_quoted_command(texts: list[str]) -> None:
    command = " && ".join(f"bd comment X {shell_quoted(text)}" for text in texts)
    # A text that begins with a hyphen would be a flag, as it is for bd.
    assert [body for _, body in bodies(command)] == texts


SHELL = st.lists(
    st.one_of(
        st.text(max_size=4),
        st.sampled_from(
            ["bd comment X ", "bd comments add X ", "satchel learn ", "satchel remember --kind "]
            + ["'", '"', "`", "$(", "${", ")", "<<EOF\n", "\nEOF\n", "$'", "\\", "|", "&&", ";"]
            + ["echo ", "printf '%s' ", "cat ", "> f ", "bash -c ", "-f f ", "--", "\ud800", "%5$s"]
            + [f"{prefix}: " for prefix in PREFIXES]
        ),
    )
).map("".join)


@settings(max_examples=300)
@given(SHELL)
def test_no_command_line_raises_and_all_content_can_be_written(command: str) -> None:
    for one in captures_in("bd comment X " + command):
        assert one.content.strip()
        one.content.encode()
        assert one.tags[0] == one.kind


@pytest.mark.parametrize(
    "unit",
    [
        *("$", "'", '"', "\\", "`", "${", "$(", "(", ")", "<<A ", "<<A\n", "$'\\n", "\n", '"$('),
        *("a;", "LEARNED: ", '"LEARNED: a" ', "satchel learn a;", "echo a|"),
        *("cat f f > f;", "printf '%s' > f;"),
    ],
)
def test_a_hostile_command_of_100_kb_is_read_at_once(unit: str) -> None:
    command = "bd comment X 'FACT: first'; satchel " + unit * (100_000 // len(unit))
    assert captures_in(command)[0].content == "first"
    assert least_seconds(lambda: captures_in(command), enough=0.2) <= 0.2


@pytest.mark.parametrize(
    ("command", "task"),
    [
        ('bd close bd-7 --reason "LEARNED: the lock is fair"', "bd-7"),
        ('bd close bd-7 -r "done. LEARNED: the lock is fair"', "bd-7"),
        ('bd update bd-7 --status open --notes "LEARNED: the lock is fair"', "bd-7"),
        ('gh pr comment 12 --body "LEARNED: the lock is fair"', ""),
        ('gh pr comment 12 -R o/r -b "LEARNED: the lock is fair"', ""),
        ("gh pr comment 12 --body-file - <<E\nLEARNED: the lock is fair\nE", ""),
        ('false || bd comment bd-7 "LEARNED: the lock is fair"', "bd-7"),
        ('true && bd comment bd-7 "LEARNED: the lock is fair"', "bd-7"),
        ('false && x; bd comment bd-7 "LEARNED: the lock is fair"', "bd-7"),
    ],
)
def test_a_lesson_is_heard_wherever_it_is_told_of_work(command: str, task: str) -> None:
    (one,) = captures_in(command)
    assert (one.kind, one.content, one.task) == ("learned", "the lock is fair", task)


@pytest.mark.parametrize(
    "command",
    [
        'false && bd comment bd-7 "LEARNED: x y"',
        'true || bd comment bd-7 "LEARNED: x y"',
        'false && cd sub && bd comment bd-7 "LEARNED: x y"',
        'false &&\n bd comment bd-7 "LEARNED: x y"',
        'bd close bd-7 --reason "nothing marked"',
        'bd list --notes "LEARNED: x y"',
        'gh issue create --body "LEARNED: x y"',
    ],
)
def test_what_never_ran_or_is_no_comment_teaches_nothing(command: str) -> None:
    assert captures_in(command) == []


def test_what_a_shell_did_not_find_was_not_said() -> None:
    said = 'bd comment bd-7 "LEARNED: x y"'
    assert captures_in(said, code=127) == []
    assert len(captures_in(said, code=1)) == 1
    assert len(captures_in(f"{said}; nothing-like-it", code=127)) == 1


def test_a_comment_is_read_from_the_file_that_it_names() -> None:
    told = {"notes.md": "What I saw.\n\nLEARNED: the lock is fair\n"}
    (one,) = captures_in("bd comments add bd-7 -f notes.md", files=told)
    assert (one.content, one.task) == ("the lock is fair", "bd-7")
    assert captures_in("bd comments add bd-7 -f other.md", files=told) == []

"""Our tokenizer against bash itself."""

import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satchel.application.learning.listening.shell_words import read_commands

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None, reason="bash is not installed")

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
PLAIN = st.text("abzXY019_.,:/@%+=-\u00e9\u4e16", min_size=1)


def double_quoted(text: str) -> str:
    for special in '\\"$`':
        text = text.replace(special, "\\" + special)
    return f'"{text}"'


def single_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def ansi_quoted(text: str) -> str:
    spelled = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\x1b": "\\e", "a": "\\x61"}
    return "$'" + "".join(spelled.get(c, c) for c in text) + "'"


# A newline after a backslash vanishes in bash, so a backslash is never left before one.
UNQUOTED = TEXT.filter(lambda t: t and "\n" not in t).map(lambda t: "".join("\\" + c for c in t))
RAW_DOUBLE = st.lists(
    st.sampled_from(
        ["a", " ", "'", "\\\\", '\\"', "\\$", "\\`", "\\n", "\\\n", "#", ";", "$ ", "|"]
    )
).map(lambda parts: '"' + "".join(parts) + '"')
RAW_ANSI = st.lists(
    st.sampled_from(
        (
            *(r"\n", r"\t", r"\\", r"\'", r"\"", r"\a", r"\e", r"\x41", r"\xc3\xa9", r"\101"),
            *(r"\u00e9", r"\U0001f642", r"\q", r"\?", r"\cA", r"\x", r"\u", r"\7", r"\0b"),
            *("a", '"', "$", "\n"),
        )
    )
).map(lambda parts: "$'" + "".join(parts) + "'")
HEREDOC = st.lists(
    st.text("ab '\"()\t#;&|", max_size=8).filter(lambda t: t != "EOF"), min_size=1, max_size=4
).map(lambda lines: "\"$(cat <<'EOF'\n" + "\n".join(lines) + '\nEOF\n)"')
LIVE_HEREDOC = st.lists(
    st.sampled_from(["a", "it's", '"', "\\$x", "\\\\", "\\q", "(", ")", "\\`", " b"]), max_size=5
).map(lambda parts: '"$(cat <<-EOF\n\t' + "".join(parts) + '\n\tEOF\n)"')
PART = st.one_of(
    PLAIN,
    TEXT.map(double_quoted),
    TEXT.map(single_quoted),
    TEXT.map(ansi_quoted),
    UNQUOTED,
    RAW_DOUBLE,
    RAW_ANSI,
    HEREDOC,
    LIVE_HEREDOC,
)
WORD = st.lists(PART, min_size=1, max_size=4).map("".join)
LINE = st.lists(WORD, min_size=1, max_size=5)


def split_by_bash(lines: list[str]) -> list[list[str]]:
    """Let one bash split many lines; each is parsed on its own, as a command would be."""
    script = "set -f +B\n" + "".join(
        f"printf '%s\\0' {line}\nprintf '\\1\\1END\\0'\n" for line in lines
    )
    run = subprocess.run(
        [BASH or "bash", "--norc", "--noprofile", "-c", script],
        capture_output=True,
        env={"LC_ALL": "C.UTF-8"},
        timeout=60,
    )
    assert run.stderr == b""
    printed = run.stdout.decode(errors="replace").split("\0")[:-1]
    result: list[list[str]] = [[]]
    for word in printed:
        if word == "\1\1END":
            result.append([])
        else:
            result[-1].append(word)
    return result[:-1]


def split_by_us(line: str) -> list[str]:
    (command,) = [one for one in read_commands(f"printf {line}") if one.words[:1] == ["printf"]]
    return command.words[1:]


@needs_bash
@settings(max_examples=40, deadline=None)
@given(st.lists(LINE, min_size=10, max_size=30))
def test_words_are_split_as_bash_splits_them(lines: list[list[str]]) -> None:
    texts = [" ".join(words) for words in lines]
    assert [split_by_us(text) for text in texts] == split_by_bash(texts)


def words_of(text: str) -> list[list[str]]:
    return [one.words for one in read_commands(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a && b || c; d | e & f\ng", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
        ("(a; (b))", [["a"], ["b"]]),
        ("{ a; }; if b; then c; fi", [["a"], ["b"], ["c"]]),
        ("a # b; c\nd", [["a"], ["d"]]),
        ("a b#c", [["a", "b#c"]]),
        ("a 2>&1 >/dev/null <in b 2>err", [["a", "b"]]),
        ("a &>all b", [["a", "b"]]),
        ("a b\\\n c", [["a", "b", "c"]]),
        ("a '' \"\"", [["a", "", ""]]),
        ('a "$x ${y:-z} $(d) `e`"', [["a", "$x ${y:-z} $(d) `e`"], ["d"]]),
        ("a $((1+(2))) b", [["a", "$((1+(2)))", "b"]]),
        ("a <(b c) d", [["a", "<(b c)", "d"], ["b", "c"]]),
        ('a "unfinished b', [["a", "unfinished b"]]),
        ("a 'unfinished b", [["a", "unfinished b"]]),
        ("a $(unfinished b", [["a", "$(unfinished b"], ["unfinished", "b"]]),
        ("a b\\", [["a", "b\\"]]),
        ('a "b\\', [["a", "b\\"]]),
        ("", []),
        (";;&|()", []),
    ],
)
def test_commands_are_parted_and_unfinished_ones_read_as_far_as_they_go(
    text: str, expected: list[list[str]]
) -> None:
    assert words_of(text) == expected


def test_a_here_document_belongs_to_its_command_and_the_line_goes_on() -> None:
    first, second, third = read_commands("a <<A b && c <<'B'\nx $y \\$z\nA\n\\$it's\nB\nd")
    assert (first.words, first.stdin) == (["a", "b"], "x $y $z\n")
    assert (second.words, second.stdin) == (["c"], "\\$it's\n")
    assert third.words == ["d"]


def test_a_pipe_leads_from_one_command_to_the_next_only() -> None:
    first, second, third = read_commands("a | b; c")
    assert second.source is first
    assert third.source is None


@settings(max_examples=300)
@given(st.text("ab'\"\\$`(){}<>|&;#\n \tE-0\ud800", max_size=60))
def test_no_input_raises(text: str) -> None:
    read_commands(text)

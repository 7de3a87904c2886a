"""Output that is pasted without a fence says nothing in the person's place."""

import time

import pytest

from satchel.application.learning.signals.own_words import own_words

_PASTED = (
    "ERROR: always use --force here",
    "2026-01-02T10:00:00Z ERROR: always use --force here",
    "[2026-01-02 10:00:00] always rotate keys",
    "Jan  2 10:00:00 host sshd[123]: never allow root",
    "W0102 10:00:00.000 1 x.go:3] always flush",
    "[INFO] always use the daemon\n[WARN] never use it",
    "WARN  never use it\nINFO [main] always start first\nERROR app.py: never here",
    "10:30:12 always retry\n12: never use it",
    "$ npm install\nnpm ERR! never use node 12 with this package",
    "me@host:~/work$ make always",
    "> always run as root",
    (
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n'
        '    raise ValueError("always pass a key")\nValueError: always pass a key'
    ),
    "TypeError: never call this twice\n    at foo (x.js:1:2)\n    at x.js:1:2\n    at async all (i 0)",
    (
        'error[E0308]: always use String\n --> src/main.rs:4:5\n  |\n4 |     let x: i32 = "never";\n'
        "  = note: never mix them"
    ),
    (
        "java.lang.IllegalStateException: always close\n\tat com.foo.Bar.baz(Bar.java:10)\n\t... 12 more\n"
        "Caused by: java.io.IOException: never"
    ),
    "FAILED tests/test_a.py::test_b - AssertionError: always sort\nE   assert never",
)
_OWN = (
    "Error handling: always use Result here",
    "ERROR messages must always be in English",
    "note: always use tabs",
    "Warning to you: never push to main",
    "at least run make lint before every push",
    "at localhost:3000 the app must always answer",
    "Caused by: the cache. Always empty it first",
    "ann@example.org must never be written to",
    "--> never do this",
    "npm is forbidden here, always use bun",
    "10:30 is too late, always deploy before",
)


@pytest.mark.parametrize("pasted", _PASTED)
@pytest.mark.parametrize("around", ["{}\ncan you look?", "the build fails:\n{}"])
def test_pasted_output_is_not_said(pasted: str, around: str) -> None:
    said = own_words(around.format(pasted))
    assert said == around.format("").strip()


@pytest.mark.parametrize("own", _OWN)
def test_what_a_person_says_like_it_is_heard(own: str) -> None:
    assert own_words(own) == own


@pytest.mark.parametrize("piece", [" ", "a", "a.", "a:", "E ", "x@", "at ", "A1", "\t", "- "])
def test_long_runs_hold_nothing_up(piece: str) -> None:
    begun = time.process_time()
    own_words(piece * 20_000)
    own_words(f"at {piece * 20_000}")
    assert time.process_time() - begun < 2

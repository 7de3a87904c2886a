"""What manifests and agents' files say of a project is read by the line, however long they are."""

import time

from satchel.features.code.map import inventory


def test_requirements_are_read() -> None:
    module = "module m.io/x\n\nrequire (\n\ta.io/b v1.2\n\tc.io/d v0.1 // indirect\n)\n"
    assert inventory._of_go_mod(module + "require e.org/f/v2 v2.0\n") == ["a.io/b", "e.org/f/v2"]
    gems = "source 'x'\n\n  gem 'rails', '7'\ngem \"pg\"\n"
    assert inventory._of_gemfile(gems) == ["rails", "pg"]


def test_a_section_is_read() -> None:
    soul = "# Ada\n\n## Role \r\n\n Reviews code\n\n# End"
    assert inventory._section(soul, "role") == "Reviews code"


def test_an_empty_section_of_many_lines_is_passed_at_once() -> None:
    began = time.thread_time()
    assert inventory._section("# role" + "\n" * 40_000, "role") == ""
    assert time.thread_time() - began < 1

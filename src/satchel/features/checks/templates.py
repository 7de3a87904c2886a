"""What `satchel check --init` writes: a first file of checks, and a workflow that runs them."""

EXAMPLE = """\
# What this project's memory must know. `satchel check` runs it; docs: checks.md
version: 1
checks:
  # A question and what must be, or must not be, among its answers:
  # - name: the package manager is known
  #   query: which package manager do we use
  #   must_return: [pnpm]
  #   must_not_return: [yarn]
  - name: memories point at code that is there
    no_stale_anchors: true
  - name: rules do not contradict each other
    no_contradictions: true
  - name: a session starts small
    brief: session
    under: 2000
  - name: guards pass their own examples
    guards_pass: true
"""

WORKFLOW = """\
name: satchel check
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0  # which project it is, and how code was, git's history knows
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install satchel
      - run: satchel check --junit satchel-check.xml
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: satchel-check
          path: satchel-check.xml
"""

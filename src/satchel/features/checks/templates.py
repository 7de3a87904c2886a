"""The files that `satchel check --init` writes: initial checks, and a workflow to run them."""

from __future__ import annotations

import json
import re

#: An address without a user, a password or anything special to a workflow.
_PUBLIC = re.compile(r"https://[\w.:-]+/[\w./%+-]*")

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

_WORKFLOW = """\
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
          fetch-depth: 0  # the history says which project this is, and how code was
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      # By its address: anybody may own a name on a public index.
      - run: pip install "${SATCHEL:?set the repository variable SATCHEL to an address of Satchel}"
        env:
          SATCHEL: ${{ vars.SATCHEL%s }}
      - run: satchel check --junit satchel-check.xml
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: satchel-check
          path: satchel-check.xml
"""


def workflow(source: str) -> str:
    """Return a workflow that runs the checks.

    Args:
        source: Satchel's installation source for pip; "" leaves it to a repository variable,
            without which the workflow fails and says so.
    """
    return _WORKFLOW % (f" || '{source}'" if source else "")


def source_of(direct: str) -> str:
    """Return a package's installation source, if others can reach it.

    Args:
        direct: its direct_url.json (PEP 610), or "".

    Returns:
        A requirement: the commit of a repository, or an archive with its hash. "" for a directory,
        a file, or an index.
    """
    told = json.loads(direct or "{}")
    url = str(told.get("url", ""))
    if not _PUBLIC.fullmatch(url):
        return ""
    commit = told.get("vcs_info", {}).get("commit_id", "")
    if commit:
        return f"git+{url}@{commit}"
    hashes = told.get("archive_info", {}).get("hashes", {})
    return f"{url}#sha256={hashes['sha256']}" if "sha256" in hashes else ""

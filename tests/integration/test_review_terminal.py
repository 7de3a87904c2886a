"""The review's screen on a real terminal: Ctrl-C gives the terminal back as it was."""

import os
import pty
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from integration.transcripts_made import a_mornings_work
from satchel.application.learning.reflection.service import Reflection
from satchel.testing import temporary_workspace
from satchel.workspace import Workspace

ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"
#: The end of what the screen shows.
SHOWN = b"q done"
#: All that is redrawn of "[ ]" once everything is accepted.
ACCEPTED = b"+"
#: Far beyond what a loaded machine takes: only a program that hangs waits this long.
_SECONDS = 90
pytestmark = pytest.mark.skipif(
    not any(Path(top, "x/xterm").exists() for top in ("/lib/terminfo", "/usr/share/terminfo")),
    reason="no description of the terminal",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / ".claude"))
    with temporary_workspace(git=True) as workspace:
        root = os.path.realpath(workspace.project.place.root)
        key = "".join(c if c.isalnum() else "-" for c in root)
        made = a_mornings_work(root)
        made.write(str(tmp_path / ".claude" / "projects" / key / f"{made.session}.jsonl"))
        Reflection(workspace).reflect()
        yield workspace


class Terminal:
    """`satchel review` on a terminal of its own."""

    def __init__(self, project: Workspace, temporary: Path, editor: str = "vi") -> None:
        self.said = b""
        self.pid, self.fd = pty.fork()
        if not self.pid:
            # Whoever runs the tests in the background has them ignore interrupts.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(project.project.place.root)
            os.environ.update(
                TERM="xterm", EDITOR=editor, VISUAL=editor, SATCHEL_HOME=project.owner().home.path,
                TMPDIR=str(temporary),
            )  # fmt: skip
            os.execv(sys.executable, [sys.executable, "-m", "satchel", "review"])  # noqa: S606

    def until(self, wanted: bytes) -> None:
        """Read until the program has written this since it was last asked."""
        end = time.monotonic() + _SECONDS
        seen = b""
        while wanted not in seen:
            assert time.monotonic() < end, (wanted, seen[-2000:])
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    more = os.read(self.fd, 65536)
                except OSError:
                    more = b""
                assert more, (wanted, seen[-2000:])
                seen += more
        self.said += seen

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self.fd, keys)

    def end(self) -> int:
        """Read all that the program still writes; return its exit code once it has ended."""
        until = time.monotonic() + _SECONDS
        while time.monotonic() < until:
            if not select.select([self.fd], [], [], 0.2)[0]:
                continue
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                more = b""
            if not more:  # nobody holds the terminal any more
                return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            self.said += more
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError(("it did not end", self.said[-2000:]))


def test_an_interrupt_gives_the_terminal_back_and_decides_nothing(
    project: Workspace, tmp_path: Path
) -> None:
    terminal = Terminal(project, tmp_path)
    terminal.until(SHOWN)
    terminal.type(b"a")
    terminal.until(ACCEPTED)
    terminal.type(b"\x03")
    assert terminal.end() == 0
    assert ALTERNATE in terminal.said
    assert terminal.said.rfind(NORMAL) > terminal.said.rfind(ALTERNATE)
    from satchel.application.learning.reviewing.review import Review

    with Review(project) as review:
        assert review.pending()


def test_an_interrupt_in_the_editor_is_the_editors(project: Workspace, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho EDITING\nexec sleep 60\n")
    editor.chmod(0o755)
    terminal = Terminal(project, temporary, str(editor))
    terminal.until(SHOWN)
    terminal.type(b"m")
    terminal.until(b"EDITING")
    assert os.listdir(temporary)
    terminal.type(b"\x03")
    terminal.until(ALTERNATE)  # and with it the modes in which a key alone is read
    terminal.type(b"Q")
    assert terminal.end() == 0
    assert os.listdir(temporary) == []
    assert terminal.said.rfind(NORMAL) > terminal.said.rfind(ALTERNATE)

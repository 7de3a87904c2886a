"""Git is started by one module, which knows what a repository must not make it start."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "satchel"
STARTS_GIT = "storage/git.py"
#: What starts a program, by the last word of its name.
_STARTERS = {"run", "Popen", "call", "check_call", "check_output", "system", "popen", "which",
             "create_subprocess_exec", "create_subprocess_shell"}  # fmt: skip


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_git(text: str) -> bool:
    return text.partition(" ")[0].rpartition("/")[2] in ("git", "git.exe")


def starts_of_git(code: str) -> list[int]:
    """Lines on which a program's words begin with git, as a list or as an argument of a call."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.List | ast.Tuple) and len(node.elts) > 1:
            first = next((_text(one) for one in node.elts), "")
            # The words of a command are one by one: "git push" in a list is text.
            if " " not in first and _is_git(first):
                found.append(node.lineno)
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            starts = name in _STARTERS or name.startswith(("exec", "spawn", "posix_spawn"))
            if starts and any(_is_git(_text(one)) for one in node.args):
                found.append(node.lineno)
    return found


def test_one_module_starts_git() -> None:
    found = {
        str(path.relative_to(SOURCE)): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if (lines := starts_of_git(path.read_text("utf-8")))
    }
    assert list(found) == [STARTS_GIT]


def test_every_way_to_start_it_is_found() -> None:
    for code in (
        'subprocess.run(["git", "status"])', 'words = ["git", *words]', 'run(("/usr/bin/git", a))',
        'os.execvp("git", words)', 'os.system("git status")', 'subprocess.Popen("git log", 1)',
        'shutil.which("git")',
    ):  # fmt: skip
        assert starts_of_git(code) == [1], code
    for code in ('checked("git", found)', 'NAMES = ["gem", "git", "go"]', 'told["git"]'):
        assert starts_of_git(code) == [], code

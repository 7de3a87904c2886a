"""The workspace: the one composition root, and the public API.

    from satchel.workspace import Workspace

    with Workspace.open(".") as workspace:
        workspace.learn("Run `make lint` before pushing: CI fails on warnings.")
        answer = workspace.recall("what must I do before pushing?")

Settings, stores and clock meet here and nowhere else. It owns no rule of any subject.
"""

from satchel.workspace.project import Workspace

__all__ = ["Workspace"]

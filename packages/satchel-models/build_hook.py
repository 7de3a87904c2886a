"""Hatchling asks this file for the wheel's data: they are built here, see recipe/building.py."""
# ruff: noqa: INP001 -- hatchling loads it by its path

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ModelsHook(BuildHookInterface):
    """Builds the model's files into a temporary folder and puts them into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, unless this is a source distribution or an editable install."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._place = tempfile.mkdtemp(prefix="satchel-models-")
        sys.path.insert(0, self.root)
        # The runtime would note down an id of this machine for its maker, from its import on.
        os.putenv("ORT_DISABLE_TELEMETRY", "1")
        from recipe.building import build

        build(os.path.join(self.root, "sources"), self._place)
        for name in sorted(os.listdir(self._place)):
            build_data["force_include"][os.path.join(self._place, name)] = f"satchel_models/{name}"

    def finalize(
        self,
        version: str,  # noqa: ARG002
        build_data: dict[str, Any],  # noqa: ARG002
        artifact_path: str,  # noqa: ARG002
    ) -> None:
        """Remove the temporary folder."""
        shutil.rmtree(getattr(self, "_place", ""), ignore_errors=True)

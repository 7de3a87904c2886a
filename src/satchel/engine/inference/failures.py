"""What goes wrong with models."""

from __future__ import annotations

from satchel.core.errors import SatchelError


class ModelUnavailableError(SatchelError):
    """A model cannot be used: absent, unreachable, or its answer makes no sense."""

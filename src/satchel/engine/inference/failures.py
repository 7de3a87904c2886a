"""Errors of models."""

from __future__ import annotations

from satchel.core.errors import SatchelError


class ModelUnavailableError(SatchelError):
    """A model cannot be used: it is absent, unreachable, or gave an invalid answer."""

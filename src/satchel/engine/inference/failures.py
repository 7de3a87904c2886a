"""Errors of models."""

from __future__ import annotations

from satchel.core.errors import SatchelError


class ModelUnavailableError(SatchelError):
    """A model cannot be used: absent, unreachable, or with an invalid answer."""

"""Named tuples without importing `typing`, which costs as much as half a bare Python start.

Type checkers see `typing.NamedTuple` itself. At run time a class is built by
`collections.namedtuple`, which is what `typing` does too.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 -- says that it is handed on
else:

    class _ValueMeta(type):
        def __new__(cls, name: str, bases: tuple, namespace: dict) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = namespace.get("__annotations__", {})
            defaults = [namespace[field] for field in fields if field in namespace]
            value = namedtuple(name, fields, defaults=defaults, module=namespace["__module__"])
            for attribute, thing in namespace.items():
                if attribute not in fields and attribute not in ("__annotations__", "__module__"):
                    setattr(value, attribute, thing)
            return value

    class NamedTuple(metaclass=_ValueMeta):
        """Base of values: fields by annotation, defaults by assignment, immutable."""

"""The parts of `typing`, `collections` and `functools` that are used, without importing them.

Each of those costs more than a hook's own work.

Type checkers see `typing.NamedTuple` itself. At run time classes are made here. A constructor is
compiled, as in `collections.namedtuple`, only after a few values: a command loads dozens of
classes, and makes one value of most.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as cached_property  # noqa: PLC0414 -- it is handed on
    from typing import Any as Any  # noqa: PLC0414 -- it is handed on
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 -- it is handed on
    from typing import Self as Self  # noqa: PLC0414 -- it is handed on
else:
    Any = Self = object

    try:
        from _collections import _tuplegetter as field_getter
    except ImportError:  # another Python than CPython

        def field_getter(index: int, doc: str | None) -> property:
            """Return a function that reads one field of a value."""
            return property(lambda value: value[index], doc=doc)

    #: How many values to make before compiling a constructor, which takes as long.
    _FEW = 20

    class _Value(tuple):
        """The behaviour of every value."""

        __slots__ = ()
        _fields = ()
        _field_defaults = {}  # noqa: RUF012 -- each class has its own

        @classmethod
        def _make(cls, values: Any) -> Self:
            return cls(*values)

        def _replace(self, /, **changes: Any) -> Self:
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"{type(self).__name__} has no field {next(iter(changes))!r}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            fields = ", ".join(f"{n}={v!r}" for n, v in self._asdict().items())
            return f"{type(self).__name__}({fields})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class _ValueMeta(type):
        def __new__(cls, name: str, bases: tuple, namespace: dict) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.pop("__annotations__", ()))
            defaults = {field: namespace[field] for field in fields if field in namespace}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name} has a field without a default behind one with a default")
            left = _FEW

            def early(owner: type, /, *values: Any, **named: Any) -> Any:
                nonlocal left
                left -= 1
                rest = fields[len(values) :]
                if left > 0 and len(values) + len(rest) == len(fields):
                    given = defaults | named if named else defaults
                    if given.keys() >= {*rest} >= named.keys():
                        return tuple.__new__(owner, (*values, *map(given.__getitem__, rest)))
                value.__new__ = made = _constructor(fields, tuple(defaults.values()))
                return made(owner, *values, **named)

            namespace |= {field: field_getter(at, None) for at, field in enumerate(fields)}
            namespace |= {"__slots__": (), "__new__": early, "__match_args__": fields}
            namespace |= {"_fields": fields, "_field_defaults": defaults}
            value = type(name, (_Value,), namespace)
            return value

    def _constructor(fields: tuple[str, ...], defaults: tuple[Any, ...]) -> Callable[..., Any]:
        named = ", ".join(fields)
        # No field begins with an underscore, so none hides these two.
        inside = (
            f"lambda _cls, /, {named}: _new(_cls, ({named},))"
            if fields
            else "lambda _cls: _new(_cls)"
        )
        made = eval(inside, {"_new": tuple.__new__})  # noqa: S307 -- names of fields, from the source
        made.__defaults__ = defaults
        return made

    class NamedTuple(metaclass=_ValueMeta):
        """Base of values: fields by annotation, defaults by assignment, immutable."""

    class cached_property:  # noqa: N801 -- as the standard library calls it
        """A property computed once per object and stored in the object."""

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self.compute = compute
            self.__doc__ = compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, one: Any, owner: type | None = None) -> Any:
            if one is None:
                return self
            value = one.__dict__[self.name] = self.compute(one)
            return value


class Closing:
    """Closes what a class opened at the end of a `with` statement."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close open resources; they reopen on next use."""
        raise NotImplementedError

"""Models: mappings with names on the wire, and attributes with Python names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from datetime import datetime, timezone
from typing import Any, ClassVar, Optional

from azure.core.serialization import NULL


class RestField:
    """Property of a model. Helpers of azure-core read its private attributes in the models of all SDKs."""

    def __init__(
        self, rest_name: str, read_only: bool, of: Optional[Callable[[], type[Model]]], many: Optional[str], time: bool
    ) -> None:
        self._rest_name = rest_name
        self._visibility = ["read"] if read_only else ["read", "create", "update", "delete", "query"]
        self._is_multipart_file_input = False
        self._original_tsp_name = None
        self.read_only = read_only
        self._of = of
        self._many = many
        self._time = time

    @property
    def _class_type(self) -> Any:
        return self._of() if self._of and self._many is None else None

    def __get__(self, instance: Optional[Model], owner: Optional[type] = None) -> Any:
        if instance is None:
            return self
        return instance._members.get(self._rest_name)

    def __set__(self, instance: Model, value: Any) -> None:
        if value is None:
            instance._members.pop(self._rest_name, None)
        else:
            instance._members[self._rest_name] = self.adopt(value)

    def adopt(self, value: Any) -> Any:
        """Converts plain mappings in the value to models. Returns an unchanged list itself."""
        if self._many == "list" and isinstance(value, (list, tuple)):
            adopted = [self._one(each) for each in value]
            same = isinstance(value, list) and all(new is old for new, old in zip(adopted, value))
            return value if same else adopted
        if self._many == "dict" and isinstance(value, Mapping):
            return {key: self._one(each) for key, each in value.items()}
        return self._one(value)

    def _one(self, value: Any) -> Any:
        if self._of and isinstance(value, Mapping) and not isinstance(value, Model):
            return self._of()(value)
        if self._time and isinstance(value, str):
            return parse_time(value)
        return value


class FlattenedField:
    """Property in `properties` that is also an attribute of the model itself."""

    def __init__(self, outer: str, of: Callable[[], type[Model]]) -> None:
        self._outer = outer
        self._of = of

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Optional[Model], owner: Optional[type] = None) -> Any:
        if instance is None:
            return self
        inner = getattr(instance, self._outer)
        return None if inner is None else getattr(inner, self._name)

    def __set__(self, instance: Model, value: Any) -> None:
        inner = getattr(instance, self._outer)
        if inner is None:
            if value is None:
                return
            inner = self._of()()
            setattr(instance, self._outer, inner)
        setattr(inner, self._name, value)


def rest_field(
    rest_name: str,
    *,
    read_only: bool = False,
    of: Optional[Callable[[], type[Model]]] = None,
    many: Optional[str] = None,
    time: bool = False,
) -> Any:
    return RestField(rest_name, read_only, of, many, time)


def flattened_field(outer: str, of: Callable[[], type[Model]]) -> Any:
    return FlattenedField(outer, of)


class Model(MutableMapping[str, Any]):
    """Attributes of missing keys are None. Setting None removes the key. NULL of azure-core sends null.

    Members that this version does not know are kept, and sent back.
    """

    _is_model: ClassVar[bool] = True
    _attr_to_rest_field: ClassVar[dict[str, RestField]] = {}
    _rest_to_field: ClassVar[dict[str, RestField]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = {name: field for name, field in vars(cls).items() if isinstance(field, RestField)}
        cls._attr_to_rest_field = {**cls._attr_to_rest_field, **own}
        cls._rest_to_field = {field._rest_name: field for field in cls._attr_to_rest_field.values()}
        flattened = [name for name, field in vars(cls).items() if isinstance(field, FlattenedField)]
        if flattened:
            setattr(cls, f"_{cls.__name__.lstrip('_')}__flattened_items", flattened)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            raise TypeError(f"{type(self).__name__} takes one mapping or keywords, not {len(args)} arguments")
        self._members: dict[str, Any] = {}
        for key, value in (args[0] if args else {}).items():
            self[key] = value
        for name, value in kwargs.items():
            if not isinstance(getattr(type(self), name, None), (RestField, FlattenedField)):
                raise TypeError(f"{type(self).__name__} has no member {name!r}")
            setattr(self, name, value)

    def __getitem__(self, key: str) -> Any:
        return self._members[key]

    def __setitem__(self, key: str, value: Any) -> None:
        field = self._rest_to_field.get(key)
        self._members[key] = field.adopt(value) if field else value

    def __delitem__(self, key: str) -> None:
        del self._members[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and to_wire(self) == to_wire(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({to_wire(self)!r})"

    def copy(self) -> Model:
        return type(self)(self._members)

    def as_dict(self, *, exclude_readonly: bool = False) -> dict[str, Any]:
        """Returns the JSON with names on the wire. `exclude_readonly` omits read-only properties."""
        return {
            key: to_wire(value, exclude_readonly)
            for key, value in self._members.items()
            if not (exclude_readonly and key in self._rest_to_field and self._rest_to_field[key].read_only)
        }


def to_wire(value: Any, exclude_readonly: bool = False) -> Any:
    """Converts a value, including nested models, to JSON."""
    if isinstance(value, Model):
        return value.as_dict(exclude_readonly=exclude_readonly)
    if isinstance(value, Mapping):
        return {key: to_wire(each, exclude_readonly) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_wire(each, exclude_readonly) for each in value]
    if isinstance(value, datetime):
        return format_time(value)
    return None if value is NULL else value


_fraction = re.compile(r"\.(\d+)")


def parse_time(text: str) -> Any:
    """Parses an RFC 3339 time to the microsecond. Returns other strings unchanged."""
    digits = _fraction.sub(lambda found: "." + found.group(1)[:6].ljust(6, "0"), text.strip().upper())
    try:
        return datetime.fromisoformat(digits.replace("Z", "+00:00"))
    except ValueError:
        return text


def format_time(time: datetime) -> str:
    utc = time.replace(tzinfo=timezone.utc) if time.tzinfo is None else time.astimezone(timezone.utc)
    return utc.isoformat().replace("+00:00", "Z")

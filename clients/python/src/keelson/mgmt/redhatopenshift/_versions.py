"""Modules of API versions."""

from __future__ import annotations

from importlib import import_module
from typing import Any, get_type_hints

from ._api_versions import API_VERSIONS


def module_of(api_version: str, rest: str = "") -> Any:
    """Returns the module of an API version. None for an unknown version."""
    if api_version not in API_VERSIONS:
        return None
    return import_module(f"{__package__}.v{api_version.replace('-', '_')}{rest}")


def models_of(api_version: str) -> Any:
    models = module_of(api_version, ".models")
    if models is None:
        raise ValueError(f"API version {api_version!r} is none of {', '.join(API_VERSIONS)}")
    return models


def groups_of(client: type) -> dict[str, Any]:
    """Returns the classes of a client's operation groups by attribute."""
    return {name: group for name, group in get_type_hints(client).items() if not name.startswith("_")}

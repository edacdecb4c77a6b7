"""Shared part of synchronous and asynchronous clients: requests, pages, errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional, Union
from urllib.parse import parse_qs, quote, urljoin, urlparse

from azure.core.exceptions import (
    ClientAuthenticationError,
    HttpResponseError,
    ResourceExistsError,
    ResourceNotFoundError,
    ResourceNotModifiedError,
    map_error,
)
from azure.core.rest import HttpRequest
from azure.core.utils import case_insensitive_dict
from azure.mgmt.core.exceptions import ARMErrorFormat

from ._model import Model, to_wire
from ._version import VERSION

PUBLIC_ENDPOINT = "https://management.azure.com"


@dataclass(frozen=True)
class Call:
    """Request of the API, with the values of its path."""

    method: str
    path: str
    parameters: Mapping[str, str]
    expects: tuple[int, ...] = (200,)
    """Successful statuses."""
    accepts: bool = True
    """True if the response has a body."""


class Configuration:
    """Endpoint and credential of a client. Additional policies have the option names of azure-core's SDKs."""

    def __init__(
        self, credential: Any, subscription_id: str, base_url: Optional[str], api_version: str, options: dict[str, Any]
    ) -> None:
        if credential is None:
            raise ValueError("Parameter 'credential' must not be None.")
        if subscription_id is None:
            raise ValueError("Parameter 'subscription_id' must not be None.")
        endpoint, scopes = _cloud(options.pop("cloud_setting", None))
        self.credential = credential
        self.subscription_id = subscription_id
        self.base_url = (base_url or endpoint).rstrip("/")
        self.api_version = api_version
        # With a custom endpoint, the default scope is derived from the endpoint's URL. A custom endpoint therefore never receives
        # a token for Azure's public cloud.
        own = [f"{self.base_url}/.default"] if base_url else scopes
        self.credential_scopes: list[str] = options.pop("credential_scopes", None) or own
        self.polling_interval: float = options.get("polling_interval", 30)
        options.setdefault("sdk_moniker", f"keelson-mgmt-redhatopenshift/{VERSION}")


def _cloud(setting: Any) -> tuple[str, list[str]]:
    """Returns the endpoint of one of Azure's clouds and the scopes of its tokens."""
    try:
        from azure.core.settings import settings
        from azure.mgmt.core.tools import get_arm_endpoints
    except ImportError:  # azure-mgmt-core before 1.6
        return PUBLIC_ENDPOINT, [f"{PUBLIC_ENDPOINT}/.default"]
    current: Any = settings.current
    endpoints: Mapping[str, Any] = get_arm_endpoints(setting or current.azure_cloud)
    return endpoints["resource_manager"], endpoints["credential_scopes"]


def request_of(configuration: Configuration, call: Call, options: dict[str, Any], body: Any = None) -> HttpRequest:
    """Creates the request of a call. Removes the caller's headers and parameters from the options."""
    headers = case_insensitive_dict(options.pop("headers", None) or {})
    params = case_insensitive_dict(options.pop("params", None) or {})
    params["api-version"] = options.pop("api_version", None) or params.pop("api-version", configuration.api_version)
    if call.accepts:
        headers.setdefault("Accept", "application/json")
    values = {"subscriptionId": configuration.subscription_id, **call.parameters}
    path = call.path.format(**{name: quote(_given(name, value), safe="") for name, value in values.items()})
    content: dict[str, Any] = {}
    if body is not None:
        headers.setdefault("Content-Type", options.pop("content_type", None) or "application/json")
        content["content"] = body if _is_raw(body) else json.dumps(to_wire(body, exclude_readonly=True))
    return HttpRequest(call.method, configuration.base_url + path, headers=headers, params=params, **content)


def _given(name: str, value: str) -> str:
    if not value:
        raise ValueError(f"{name} must not be empty")
    return str(value)


def _is_raw(body: Any) -> bool:
    return isinstance(body, (bytes, str)) or hasattr(body, "read")


def next_page(configuration: Configuration, link: str, options: Mapping[str, Any]) -> HttpRequest:
    """Creates the request of a page link in the client's API version. Tokens are sent only to the client's host."""
    url = urljoin(configuration.base_url, link)
    if origin_of(url) != origin_of(configuration.base_url):
        raise HttpResponseError(f"the next page is at {urlparse(url).netloc}, not at {configuration.base_url}")
    query = parse_qs(urlparse(url).query)
    params = {key: [quote(value) for value in values] for key, values in query.items()}
    params.update({key: [value] for key, value in (options.get("params") or {}).items()})
    params = {key: values for key, values in params.items() if key.lower() != "api-version"}
    headers = dict(options.get("headers") or {})
    api_version = options.get("api_version") or configuration.api_version
    return HttpRequest("GET", url.partition("?")[0], headers=headers, params={**params, "api-version": api_version})


def origin_of(url: str) -> tuple[str, Optional[str], Optional[int]]:
    """Returns scheme, host and port, because Azure's links contain `:443` but its endpoint does not."""
    parsed = urlparse(url)
    return parsed.scheme, parsed.hostname, parsed.port or {"https": 443, "http": 80}.get(parsed.scheme)


def check(response: Any, expects: tuple[int, ...], error_map: Optional[Mapping[int, type]] = None) -> None:
    """Raises the error of a response's status, with the service's own code and message."""
    if response.status_code in expects:
        return
    errors = {
        401: ClientAuthenticationError,
        404: ResourceNotFoundError,
        409: ResourceExistsError,
        304: ResourceNotModifiedError,
        **(error_map or {}),
    }
    try:
        map_error(status_code=response.status_code, response=response, error_map=errors)
    except HttpResponseError as error:
        # The ARM format adds error details to azure-core's exceptions.
        raise type(error)(response=response, error_format=ARMErrorFormat) from None
    raise HttpResponseError(response=response, error_format=ARMErrorFormat)


def page_of(answer: Any, element: type[Model]) -> tuple[Optional[str], list[Model]]:
    """Returns the link to the next page, and the elements of this one."""
    page = answer if isinstance(answer, Mapping) else {}
    return page.get("nextLink") or None, [element(each) for each in page.get("value") or []]


def result_of(response: Any, result: Optional[type[Model]]) -> Union[Model, None]:
    """Returns the response as a model. None without a body."""
    if result is None or response.status_code == 204:
        return None
    return result(response.json())

"""Base of the asynchronous clients of all API versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional, TypeVar

from azure.core.rest import AsyncHttpResponse, HttpRequest

from ._connection import Connection, pipeline_client
from .._requests import Configuration
from .._versions import groups_of, models_of, module_of

if TYPE_CHECKING:
    from azure.core.credentials_async import AsyncTokenCredential

C = TypeVar("C", bound="AsyncClient")


class AsyncClient:
    """`base_url` is the endpoint of Azure Resource Manager or of a compatible service. None: Azure's own.

    The keyword `api_version` selects a version with its operations. `cloud_setting`, `credential_scopes`,
    `polling_interval` and the options of azure-core's pipeline are the same as in every SDK of Azure.
    """

    _api_version: ClassVar[str]

    def __init__(
        self, credential: AsyncTokenCredential, subscription_id: str, base_url: Optional[str] = None, **kwargs: Any
    ) -> None:
        api_version = kwargs.pop("api_version", None) or self._api_version
        self._config = Configuration(credential, subscription_id, base_url, api_version, kwargs)
        self._client = pipeline_client(self._config, kwargs)
        connection = Connection(self._config, self._client)
        chosen = module_of(api_version, ".aio") if api_version != self._api_version else None
        for name, group in groups_of(chosen.AzureRedHatOpenShiftClient if chosen else type(self)).items():
            setattr(self, name, group(connection))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            known = f"API version {self._config.api_version} has no " if name in groups_of(type(self)) else "no attribute "
            raise AttributeError(f"{known}{name!r}")

    @classmethod
    def models(cls, api_version: Optional[str] = None) -> Any:
        """Returns the module with the models of a version."""
        return models_of(api_version or cls._api_version)

    async def send_request(self, request: HttpRequest, *, stream: bool = False, **kwargs: Any) -> AsyncHttpResponse:
        """Sends a request with an absolute or relative URL. An error status does not raise."""
        if request.url.startswith("/"):
            request.url = self._config.base_url + request.url
        response: AsyncHttpResponse = await self._client.send_request(request, stream=stream, **kwargs)
        return response

    async def close(self) -> None:
        await self._client.close()

    async def __aenter__(self: C) -> C:
        await self._client.__aenter__()
        return self

    async def __aexit__(self, *details: Any) -> None:
        await self._client.__aexit__(*details)

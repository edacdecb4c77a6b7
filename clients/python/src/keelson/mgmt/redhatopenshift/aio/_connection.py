"""Sends requests and waits for operations asynchronously."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, TypeVar

from azure.core.async_paging import AsyncItemPaged, AsyncList
from azure.core.pipeline import policies
from azure.core.polling import AsyncLROPoller, AsyncNoPolling, AsyncPollingMethod
from azure.core.rest import AsyncHttpResponse, HttpRequest
from azure.mgmt.core import AsyncARMPipelineClient
from azure.mgmt.core.policies import (
    AsyncARMAutoResourceProviderRegistrationPolicy,
    AsyncARMChallengeAuthenticationPolicy,
    ARMHttpLoggingPolicy,
)
from azure.mgmt.core.polling.async_arm_polling import AsyncARMPolling

from .._model import Model
from .._requests import Call, Configuration, check, next_page, page_of, request_of, result_of

T = TypeVar("T", bound=Model)


def pipeline_client(configuration: Configuration, options: dict[str, Any]) -> Any:
    """Returns the pipeline of azure-core's management clients. `policies` replaces all of its policies."""

    def own(name: str, policy: Callable[..., Any], *arguments: Any) -> Any:
        return options.pop(f"{name}_policy", None) or policy(*arguments, **options)

    chosen = options.pop("policies", None)
    if chosen is None:
        redirect = own("redirect", policies.AsyncRedirectPolicy)
        chosen = [
            policies.RequestIdPolicy(**options),
            own("headers", policies.HeadersPolicy),
            own("user_agent", policies.UserAgentPolicy),
            own("proxy", policies.ProxyPolicy),
            policies.ContentDecodePolicy(**options),
            AsyncARMAutoResourceProviderRegistrationPolicy(),
            redirect,
            own("retry", policies.AsyncRetryPolicy),
            own(
                "authentication",
                AsyncARMChallengeAuthenticationPolicy,
                configuration.credential,
                *configuration.credential_scopes,
            ),
            own("custom_hook", policies.CustomHookPolicy),
            own("logging", policies.NetworkTraceLoggingPolicy),
            policies.DistributedTracingPolicy(**options),
            policies.SensitiveHeaderCleanupPolicy(**options) if redirect else None,
            own("http_logging", ARMHttpLoggingPolicy),
        ]
    return AsyncARMPipelineClient(base_url=configuration.base_url, policies=chosen, **options)


class Connection:
    """Shared part of a client's operations."""

    def __init__(self, configuration: Configuration, client: Any) -> None:
        self.configuration = configuration
        self.client = client

    async def send(self, request: HttpRequest, **options: Any) -> AsyncHttpResponse:
        response: AsyncHttpResponse = await self.client.send_request(request, **options)
        return response

    async def call(self, call: Call, result: Optional[type[T]], options: dict[str, Any], body: Any = None) -> Any:
        """Returns the result. Calls the option `cls` with the response, the result and the headers, like azure-core."""
        cls, error_map = options.pop("cls", None), options.pop("error_map", None)
        run = await self._run(request_of(self.configuration, call, options, body), options)
        response = run.http_response
        check(response, call.expects, error_map)
        answer = result_of(response, result)
        return cls(run, answer, dict(response.headers)) if cls else answer

    async def begin(self, call: Call, result: Optional[type[T]], options: dict[str, Any], body: Any = None) -> Any:
        """Returns a poller of an operation. Options: `polling`, `polling_interval` and `continuation_token`."""
        cls, polling = options.pop("cls", None), options.pop("polling", True)
        interval = options.pop("polling_interval", self.configuration.polling_interval)
        token: Optional[str] = options.pop("continuation_token", None)

        def output(run: Any) -> Any:
            answer = result_of(run.http_response, result)
            return cls(run, answer, {}) if cls else answer

        begun: Any = None
        if token is None:
            error_map = options.pop("error_map", None)
            begun = await self._run(request_of(self.configuration, call, options, body), options)
            check(begun.http_response, call.expects, error_map)
        method: AsyncPollingMethod[Any]
        if polling is True:
            method = AsyncARMPolling(interval, **options)
        else:
            without: Any = AsyncNoPolling
            method = without() if polling is False else polling
        if token is not None:
            return AsyncLROPoller.from_continuation_token(
                polling_method=method, continuation_token=token, client=self.client, deserialization_callback=output
            )
        return AsyncLROPoller(self.client, begun, output, method)

    def pages(self, call: Call, element: type[T], options: dict[str, Any]) -> AsyncItemPaged[T]:
        """Returns the elements of all pages. Pages are fetched on demand."""
        cls, error_map = options.pop("cls", None), options.pop("error_map", None)
        given = {name: options.pop(name, None) for name in ("headers", "params", "api_version")}

        async def get_next(link: Optional[str] = None) -> Any:
            request = next_page(self.configuration, link, given) if link else None
            run = await self._run(request or request_of(self.configuration, call, dict(given)), options)
            check(run.http_response, call.expects, error_map)
            return run

        async def extract(run: Any) -> tuple[Optional[str], Any]:
            link, elements = page_of(run.http_response.json(), element)
            return link, AsyncList(cls(elements) if cls else elements)

        return AsyncItemPaged(get_next, extract)

    async def _run(self, request: HttpRequest, options: dict[str, Any]) -> Any:
        return await self.client._pipeline.run(request, stream=False, **options)

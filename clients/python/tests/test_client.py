from __future__ import annotations

from typing import Any

import pytest
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.core.pipeline.policies import HeadersPolicy
from azure.core.rest import HttpRequest
from conftest import SUBSCRIPTION, AsyncCredential, Credential
from recording_server import Answer, RecordingServer
from same_calls import BEGUN, CLUSTER, DONE, PLACE, REFUSAL, RUNNING

from keelson.mgmt.redhatopenshift import AzureRedHatOpenShiftClient, models
from keelson.mgmt.redhatopenshift._requests import origin_of
from keelson.mgmt.redhatopenshift.aio import AzureRedHatOpenShiftClient as AsyncClient
from keelson.mgmt.redhatopenshift.v2022_09_04 import AzureRedHatOpenShiftClient as OlderClient

AUTHENTICATION: dict[str, Any] = {"authentication_policy": HeadersPolicy({"Authorization": "Bearer token"})}


def client_of(server: RecordingServer, **options: Any) -> AzureRedHatOpenShiftClient:
    return AzureRedHatOpenShiftClient(Credential(), SUBSCRIPTION, server.url, **AUTHENTICATION, **options)


@pytest.mark.parametrize("version", ["2020-04-30", "2022-09-04", "2023-11-22", "2030-01-01"])
def test_another_version_is_a_keyword(server: RecordingServer, version: str) -> None:
    server.answers = [Answer(200, CLUSTER)]
    client_of(server, api_version=version).open_shift_clusters.get(*PLACE)
    assert server.take()[0].query == {"api-version": [version]}


def test_a_version_has_its_own_operations_and_models(server: RecordingServer) -> None:
    client = client_of(server, api_version="2022-04-01")
    with pytest.raises(AttributeError, match="API version 2022-04-01 has no 'open_shift_versions'"):
        client.open_shift_versions  # noqa: B018
    older = AzureRedHatOpenShiftClient.models("2022-04-01")
    assert not hasattr(older, "ManagedServiceIdentity")
    assert client_of(server).models() is __import__("keelson.mgmt.redhatopenshift.v2025_07_25.models", fromlist=["x"])
    with pytest.raises(ValueError, match="'1999-01-01' is none of"):
        AzureRedHatOpenShiftClient.models("1999-01-01")


def test_the_package_of_a_version_is_a_client_of_it(server: RecordingServer) -> None:
    server.answers = [Answer(200, {"value": []})]
    client = OlderClient(Credential(), SUBSCRIPTION, server.url, **AUTHENTICATION)
    assert list(client.open_shift_versions.list("eastus")) == []
    assert server.take()[0].query == {"api-version": ["2022-09-04"]}


def test_names_in_paths_are_escaped_and_not_empty(server: RecordingServer) -> None:
    server.answers = [Answer(404, {"error": {"code": "ResourceNotFound", "message": "m"}})]
    clusters = client_of(server).open_shift_clusters
    with pytest.raises(ResourceNotFoundError, match=r"\(ResourceNotFound\) m"):
        clusters.get("a/b", "c?d")
    assert "/resourceGroups/a%2Fb/" in server.take()[0].path
    with pytest.raises(ValueError, match="resourceName must not be empty"):
        clusters.get("group", "")


def test_a_token_goes_to_no_other_host(server: RecordingServer) -> None:
    server.answers = [Answer(200, {"value": [], "nextLink": "https://elsewhere.example/more"})]
    with pytest.raises(HttpResponseError, match="the next page is at elsewhere.example"):
        list(client_of(server).open_shift_clusters.list())
    assert len(server.take()) == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://management.azure.com", "https://management.azure.com:443/x?y", True),
        ("https://management.azure.com", "https://MANAGEMENT.azure.com/x", True),
        ("https://management.azure.com", "http://management.azure.com/x", False),
        ("https://management.azure.com", "https://management.azure.com.evil/x", False),
        ("https://management.azure.com", "https://management.azure.com@evil/x", False),
        ("https://localhost:8443", "https://localhost:8444/x", False),
    ],
)
def test_the_default_port_is_the_same_host(one: str, other: str, same: bool) -> None:
    assert (origin_of(one) == origin_of(other)) is same


def test_a_poller_goes_on_where_another_stopped(server: RecordingServer) -> None:
    server.answers = [Answer(201, CLUSTER, BEGUN), RUNNING, Answer(403, REFUSAL)]
    clusters = client_of(server, polling_interval=0).open_shift_clusters
    stopped = clusters.begin_create_or_update(*PLACE, models.OpenShiftCluster(location="eastus"))
    with pytest.raises(HttpResponseError, match="Refused"):
        stopped.result()
    server.answers = [RUNNING, DONE, Answer(200, CLUSTER)]
    again = clusters.begin_create_or_update(*PLACE, {}, continuation_token=stopped.continuation_token())
    assert again.result().name == "name"
    assert [request.method for request in server.take()] == ["PUT"] + ["GET"] * 5
    assert server.answers == []


def test_tokens_are_for_the_endpoint() -> None:
    ours = AzureRedHatOpenShiftClient(Credential(), SUBSCRIPTION, "https://localhost:8444/")
    assert ours._config.credential_scopes == ["https://localhost:8444/.default"]
    azures = AzureRedHatOpenShiftClient(Credential(), SUBSCRIPTION)
    assert azures._config.base_url == "https://management.azure.com"
    assert azures._config.credential_scopes == ["https://management.azure.com/.default"]


def test_any_request_can_be_sent(server: RecordingServer) -> None:
    server.answers = [Answer(404, {})]
    assert client_of(server).send_request(HttpRequest("GET", "/any?a=b")).status_code == 404
    assert server.take()[0].query == {"a": ["b"]}


async def use(server: RecordingServer) -> list[Any]:
    seen: list[Any] = []
    async with AsyncClient(AsyncCredential(), SUBSCRIPTION, server.url, polling_interval=0, **AUTHENTICATION) as client:
        clusters = client.open_shift_clusters
        poller = await clusters.begin_create_or_update(*PLACE, models.OpenShiftCluster(location="eastus"))
        seen.append((await poller.result()).name)
        seen.append((await clusters.get(*PLACE)).provisioning_state)
        seen.append([each.name async for each in clusters.list()])
        await (await clusters.begin_delete(*PLACE)).result()
        try:
            await clusters.get(*PLACE)
        except ResourceNotFoundError as error:
            seen.append(error.error.code if error.error else None)
        other = AsyncClient(
            AsyncCredential(), SUBSCRIPTION, server.url, api_version="2023-11-22", **AUTHENTICATION
        )
        async with other:
            seen.append((await other.send_request(HttpRequest("GET", "/any"))).status_code)
            assert not hasattr(other, "platform_workload_identity_role_sets")
    return seen


def test_without_blocking_all_is_the_same(server: RecordingServer) -> None:
    from asyncio import run

    next_link = "{base}/subscriptions/s/providers/Microsoft.RedHatOpenShift/openShiftClusters?%24skipToken=a%2Bb"
    server.answers = [
        *[Answer(201, CLUSTER, BEGUN), RUNNING, DONE, Answer(200, CLUSTER)],
        Answer(200, CLUSTER),
        *[Answer(200, {"value": [CLUSTER], "nextLink": next_link}), Answer(200, {"value": [CLUSTER]})],
        *[Answer(202, None, BEGUN), DONE],
        Answer(404, {"error": {"code": "ResourceNotFound", "message": "m"}}),
        Answer(200, {}),
    ]
    assert run(use(server)) == ["name", "Succeeded", ["name", "name"], "ResourceNotFound", 200]
    requests = server.take()
    assert [each.method for each in requests] == ["PUT", *["GET"] * 6, "DELETE", "GET", "GET", "GET"]
    assert requests[6].query == {"api-version": ["2025-07-25"], "$skipToken": ["a+b"]}

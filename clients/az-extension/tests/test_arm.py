from __future__ import annotations

from types import SimpleNamespace

import pytest
from azext_keelson_aro import _arm
from azure.core.exceptions import HttpResponseError
from fake_azure import GROUP, SUBSCRIPTION, VNET


class Client:
    """Returns the responses in turn."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self._config = SimpleNamespace(base_url="https://azure.example", subscription_id=SUBSCRIPTION)

    def send_request(self, request):
        self.requests.append(request)
        status, body = self.answers.pop(0)
        return SimpleNamespace(
            status_code=status, json=lambda: body, headers={}, reason="", content=b"", text=lambda: "{}", request=request
        )


@pytest.fixture
def using(monkeypatch):
    def use(*answers):
        client = Client(*answers)
        monkeypatch.setattr(_arm, "azure_client", lambda cli_ctx: client)
        return _arm.Arm(None), client

    return use


def test_all_pages_are_read(using):
    arm, client = using(
        (200, {"value": [1], "nextLink": "https://azure.example:443/more?token=a"}), (200, {"value": [2]})
    )
    assert arm.permissions(VNET) == [1, 2]
    first, second = client.requests
    assert first.url == f"{VNET}/providers/Microsoft.Authorization/permissions?api-version=2022-05-01-preview"
    assert second.url == "https://azure.example:443/more?token=a"


def test_a_token_goes_to_no_other_host(using):
    arm, client = using((200, {"value": [1], "nextLink": "https://elsewhere.example/more"}))
    with pytest.raises(ValueError, match="is on another host"):
        arm.permissions(VNET)
    assert len(client.requests) == 1


def test_pages_without_end_are_not_read_for_ever(using, monkeypatch):
    monkeypatch.setattr(_arm, "MOST_PAGES", 3)
    page = (200, {"value": [], "nextLink": "https://azure.example/more"})
    arm, client = using(*[page] * 9)
    with pytest.raises(ValueError, match="more than 3 pages"):
        arm.permissions(VNET)
    assert len(client.requests) == 4


def test_names_in_paths_are_escaped(using):
    arm, client = using((404, {}))
    with pytest.raises(HttpResponseError):
        arm.network_resource(f"{GROUP} (é)/x?y#z")
    assert client.requests[0].url.partition("?")[0] == f"{GROUP}%20(%C3%A9)/x%3Fy%23z"


@pytest.mark.parametrize(("status", "expected"), [(201, True), (200, True), (409, False)])
def test_an_assignment_that_is_there_is_no_error(using, status, expected):
    arm, client = using((status, {}))
    assert arm.assign_role("name", VNET, "/definition", "principal") is expected
    assert client.requests[0].url.endswith("/roleAssignments/name?api-version=2022-04-01")


@pytest.mark.parametrize(("status", "expected"), [(204, True), (404, False)])
def test_a_group_is_there_or_not(using, status, expected):
    arm, client = using((status, None))
    assert arm.group_exists("group") is expected
    assert client.requests[0].method == "HEAD"

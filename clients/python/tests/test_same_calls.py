"""PyPI's client and this one: the same calls send the same requests and return the same results."""

from __future__ import annotations

from typing import Any, Optional

import azure.mgmt.redhatopenshift as theirs
import azure.mgmt.redhatopenshift.models as their_models
import pytest
from azure.core.exceptions import HttpResponseError
from azure.core.pipeline.policies import HeadersPolicy
from conftest import SUBSCRIPTION, Credential
from recording_server import RecordingServer, Request
from same_calls import CALLS, REFUSALS, SameCall

import keelson.mgmt.redhatopenshift as ours
import keelson.mgmt.redhatopenshift.models as our_models

# Headers that differ between runs and between clients.
OWN = {"user-agent", "x-ms-client-request-id", "host"}


def run(server: RecordingServer, package: Any, models: Any, same: SameCall) -> tuple[list[Request], Any, Optional[Any]]:
    server.answers = list(same.answers)
    # The SDK sends no tokens over plain HTTP. The local test server receives a fixed header instead.
    options = {"authentication_policy": HeadersPolicy({"Authorization": "Bearer token"}), "polling_interval": 0}
    with package.AzureRedHatOpenShiftClient(Credential(), SUBSCRIPTION, server.url, **options) as client:
        try:
            answer, error = same.call(client, models), None
        except HttpResponseError as caught:
            answer, error = None, caught
    return server.take(), answer, error


def comparable(request: Request) -> dict[str, Any]:
    headers = {name: value for name, value in request.headers.items() if name not in OWN}
    return {**vars(request), "headers": headers}


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value.as_dict() if hasattr(value, "as_dict") else value


@pytest.mark.parametrize("same", CALLS, ids=lambda same: same.title)
def test_the_same_requests_and_answers(server: RecordingServer, same: SameCall) -> None:
    their_requests, their_answer, their_error = run(server, theirs, their_models, same)
    our_requests, our_answer, our_error = run(server, ours, our_models, same)
    assert (their_error, our_error, server.answers) == (None, None, [])
    assert [comparable(each) for each in our_requests] == [comparable(each) for each in their_requests]
    assert plain(our_answer) == plain(their_answer)


@pytest.mark.parametrize("same", REFUSALS, ids=lambda same: same.title)
def test_the_same_errors(server: RecordingServer, same: SameCall) -> None:
    their_requests, _, theirs_raised = run(server, theirs, their_models, same)
    our_requests, _, ours_raised = run(server, ours, our_models, same)
    assert theirs_raised is not None and ours_raised is not None
    assert [comparable(each) for each in our_requests] == [comparable(each) for each in their_requests]
    assert type(ours_raised) is type(theirs_raised)
    assert ours_raised.status_code == theirs_raised.status_code
    assert getattr(ours_raised.error, "code", None) == getattr(theirs_raised.error, "code", None)


def test_every_name_of_theirs_is_ours() -> None:
    ours_has = set(our_models.__all__)
    assert [name for name in their_models.__all__ if name not in ours_has] == []
    for name in their_models.__all__:
        model, mine = getattr(their_models, name), getattr(our_models, name)
        if hasattr(model, "__members__"):
            assert {key: value.value for key, value in mine.__members__.items()} == {
                key: value.value for key, value in model.__members__.items()
            }
            continue
        model()  # fills in what is compared
        fields = {attribute: each._rest_name for attribute, each in model._attr_to_rest_field.items()}
        assert {attribute: each._rest_name for attribute, each in mine._attr_to_rest_field.items()} == fields, name

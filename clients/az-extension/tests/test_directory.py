from __future__ import annotations

from types import SimpleNamespace

import pytest
from azext_keelson_aro import _directory as directory
from azext_keelson_aro._update import attempt
from azure.cli.command_modules.role import GraphError


class Graph:
    """Returns the given rejections first."""

    def __init__(self, *refusals):
        self.refusals = list(refusals)
        self.calls = 0

    def _answer(self, *given):
        self.calls += 1
        if self.refusals:
            status, text = self.refusals.pop(0)
            raise GraphError(text, SimpleNamespace(status_code=status))
        return {"id": "object", "appId": "app", "secretText": "secret"}

    application_create = application_add_password = service_principal_create = _answer

    def service_principal_list(self, filter):
        answer = self._answer()
        return [answer] if filter == "appId eq 'known'" else []

    application_list = service_principal_list


@pytest.fixture
def using(monkeypatch):
    def use(graph):
        monkeypatch.setattr(directory, "graph_client_factory", lambda cli_ctx: graph)
        return directory.Directory(None, sleep=slept.append)

    slept = []
    use.slept = slept
    return use


def test_what_is_not_there_is_none(using):
    found = using(Graph())
    assert (found.find_service_principal("known"), found.find_service_principal("other")) == ("object", None)
    assert (found.find_application("known"), found.find_application("other")) == ("object", None)


def test_an_application_comes_with_a_secret(using):
    assert using(Graph()).create_application("name") == ("app", "secret")


def test_a_refusal_names_what_was_done_and_which_permission_it_needs(using):
    graph = Graph((403, "Insufficient privileges to complete the operation."))
    with pytest.raises(directory.GraphUnauthorizedError) as caught:
        using(graph).create_application("aro-x")
    assert str(caught.value) == (
        "Microsoft Graph did not create application 'aro-x': Insufficient privileges to complete the operation. "
        "This needs the permission Application.ReadWrite.OwnedBy (or the role Application Developer)."
    )
    assert "--client-id and --client-secret" in "".join(caught.value.recommendations)
    with pytest.raises(directory.GraphResponseError, match="did not find application known: broken$"):
        using(Graph((500, "broken"))).find_application("known")


def test_a_service_principal_is_tried_for_three_times_more(using):
    refusal = (400, "not known yet")
    graph = Graph(refusal, refusal, refusal)
    assert using(graph).create_service_principal("app") == "object"
    assert (graph.calls, using.slept) == (4, [10, 10, 10])
    graph = Graph(*[refusal] * 4)
    with pytest.raises(directory.GraphResponseError, match="did not create the service principal"):
        using(graph).create_service_principal("app")
    assert graph.calls == 4


def test_looking_is_best_effort_unless_it_must_succeed(using):
    refused = using(Graph((403, "no"), (403, "no")))
    assert attempt(False, lambda: refused.find_service_principal("known")) is None
    with pytest.raises(directory.GraphUnauthorizedError):
        attempt(True, lambda: refused.find_service_principal("known"))

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest
from azext_keelson_aro._watch import Watch
from azext_keelson_aro.vendored import models
from azure.cli.core.azclierror import CLIError
from azure.core.exceptions import ResourceNotFoundError
from fake_azure import not_found

OPERATION = "https://azure.example/operations/1"


class Clock:
    def __init__(self):
        self.now = 0
        self.slept = []

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def strftime(self, format):
        return "12:00:00"


class Service:
    """Returns successive states of the cluster and of its operation."""

    def __init__(self, *states, url=OPERATION):
        self.states = list(states)
        self.url = url
        self.sent = []
        self._config = SimpleNamespace(base_url="https://azure.example")
        self.open_shift_clusters = self

    def get(self, group, name, cls):
        state = self.states[0]
        if isinstance(state, Exception):
            raise state
        cluster, self.operation = state if isinstance(state, tuple) else (state, None)
        self.states.pop(0)
        headers = {"Azure-AsyncOperation": self.url} if self.operation else {}
        run = SimpleNamespace(http_response=SimpleNamespace(headers=headers))
        found = {"name": name, "location": "eastus", "properties": {"provisioningState": cluster}}
        return cls(run, models.OpenShiftCluster(found), {})

    def send_request(self, request):
        assert request.headers["Prefer"] == "keelson-progress"
        self.sent.append(request.url)
        return SimpleNamespace(status_code=200, json=lambda: self.operation, headers={"Retry-After": "2"})


def running(percent, step="createMachines", done=1):
    properties = {"step": step, "completedSteps": done, "totalSteps": 63}
    return ("Creating", {"status": "Creating", "percentComplete": percent, "properties": properties})


def follow(service, timeout=None):
    stream, clock = io.StringIO(), Clock()
    watch = Watch(service, "group", "one", stream, clock)
    try:
        result = watch.run(timeout)
    finally:
        follow.lines = [line.removeprefix("12:00:00 ") for line in stream.getvalue().splitlines()]
        follow.slept = clock.slept
    return result


def test_each_change_is_a_line_until_it_is_done():
    result = follow(Service(running(1), running(1), running(34, "a\x1b[2J, b", 28), "Succeeded"))
    assert result["provisioningState"] == "Succeeded"
    assert follow.lines == ["Creating    1%  1/63  createMachines", "Creating   34%  28/63  a[2J, b", "Succeeded"]
    assert follow.slept == [2, 2, 2]


def test_without_an_operation_the_state_is_all_there_is():
    service = Service("Updating", "Updating", "Succeeded")
    follow(service)
    assert (follow.lines, follow.slept, service.sent) == (["Updating", "Succeeded"], [5, 5], [])


def test_a_token_goes_to_no_other_host():
    service = Service(running(1), "Succeeded", url="https://azure.example.evil/operations/1")
    follow(service)
    assert service.sent == []


def test_a_failure_is_an_error():
    with pytest.raises(CLIError, match="The last operation on cluster one ended as Failed."):
        follow(Service(running(99), "Failed"))
    assert follow.lines[-1] == "Failed"


def test_a_deletion_ends_with_the_cluster():
    assert follow(Service("Deleting", not_found())) is None
    assert follow.lines == ["Deleting", "Deleted"]
    with pytest.raises(ResourceNotFoundError):
        follow(Service(not_found()))


def test_it_gives_up_in_time():
    with pytest.raises(CLIError, match="Cluster one is still Creating after 5 seconds."):
        follow(Service(*[running(1)] * 9), timeout=5)
    assert sum(follow.slept) <= 5

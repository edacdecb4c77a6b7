from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from azure.core.serialization import NULL, as_attribute_dict
from hypothesis import given
from hypothesis import strategies as some

from keelson.mgmt.redhatopenshift import models
from keelson.mgmt.redhatopenshift._api_versions import API_VERSIONS
from keelson.mgmt.redhatopenshift._model import Model, format_time, parse_time
from keelson.mgmt.redhatopenshift._versions import models_of


def test_members_are_attributes_and_items() -> None:
    cluster = models.OpenShiftCluster(location="eastus", worker_profiles=[models.WorkerProfile(disk_size_gb=128)])
    assert cluster.properties is not None
    assert cluster["properties"]["workerProfiles"][0]["diskSizeGB"] == 128
    assert cluster.properties.worker_profiles is cluster.worker_profiles
    assert cluster.as_dict() == {"location": "eastus", "properties": {"workerProfiles": [{"diskSizeGB": 128}]}}


def test_what_is_absent_is_none() -> None:
    cluster = models.OpenShiftCluster(location="eastus")
    assert (cluster.tags, cluster.properties, cluster.cluster_profile) == (None, None, None)
    cluster.cluster_profile = None
    assert cluster.as_dict() == {"location": "eastus"}


def test_none_removes_and_null_sends_null() -> None:
    profile = models.MasterProfile(vm_size="a", subnet_id="b")
    profile.vm_size = None
    profile.subnet_id = NULL  # type: ignore[assignment]
    assert profile.as_dict() == {"subnetId": None}


def test_what_only_the_service_writes_is_left_out() -> None:
    cluster = models.OpenShiftCluster(
        {
            "id": "/c",
            "location": "eastus",
            "properties": {"consoleProfile": {"url": "u"}, "ingressProfiles": [{"name": "default", "ip": "i"}]},
            "identity": {"type": "UserAssigned", "userAssignedIdentities": {"/i": {"clientId": "c"}}},
        }
    )
    assert cluster.as_dict(exclude_readonly=True) == {
        "location": "eastus",
        "properties": {"consoleProfile": {}, "ingressProfiles": [{"name": "default"}]},
        "identity": {"type": "UserAssigned", "userAssignedIdentities": {"/i": {}}},
    }


def test_what_a_version_does_not_know_is_kept() -> None:
    raw = {"location": "eastus", "properties": {"newer": {"a": [1]}, "workerProfiles": [{"newer": 1}]}}
    assert models.OpenShiftCluster(raw).as_dict(exclude_readonly=True) == raw


def test_a_list_stays_the_callers_own() -> None:
    profiles = [models.WorkerProfile(name="a")]
    cluster = models.OpenShiftCluster(location="eastus", worker_profiles=profiles)
    profiles.append(models.WorkerProfile(name="b"))
    assert cluster.worker_profiles == profiles


def test_a_name_that_is_no_member_is_refused() -> None:
    with pytest.raises(TypeError, match="ClusterProfile has no member 'domian'"):
        models.ClusterProfile(domian="x")  # type: ignore[call-overload]


def test_helpers_of_azure_core_read_models() -> None:
    cluster = models.OpenShiftCluster(location="eastus", cluster_profile=models.ClusterProfile(pull_secret=""))
    assert as_attribute_dict(cluster) == {"location": "eastus", "cluster_profile": {"pull_secret": ""}}


def test_times_of_the_service_are_read_to_the_microsecond() -> None:
    resource = models.Resource({"systemData": {"createdAt": "2026-01-02T03:04:05.123456789Z"}})
    assert resource.system_data is not None
    assert resource.system_data.created_at == datetime(2026, 1, 2, 3, 4, 5, 123456, timezone.utc)
    assert resource.as_dict()["systemData"]["createdAt"] == "2026-01-02T03:04:05.123456Z"
    assert parse_time("soon") == "soon"


@given(some.datetimes(), some.integers(-14 * 60, 14 * 60))
def test_a_time_survives(time: datetime, minutes: int) -> None:
    if not 2 < time.year < 9998:
        return
    local = time.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert parse_time(format_time(local)) == local


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=5),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KINDS = [
    kind
    for version in API_VERSIONS
    for kind in vars(models_of(version)).values()
    if isinstance(kind, type) and issubclass(kind, Model) and kind is not Model
]


def answers_of(kind: type[Model]) -> some.SearchStrategy[dict[str, Any]]:
    """Known and unknown properties, with values of possibly wrong types."""
    names = some.sampled_from(sorted(kind._rest_to_field)) if kind._rest_to_field else some.text(max_size=5)
    return some.dictionaries(names | some.text(max_size=5), JSON, max_size=5)


@given(some.sampled_from(KINDS).flatmap(lambda kind: some.tuples(some.just(kind), answers_of(kind))))
def test_any_answer_survives_every_model_of_every_version(drawn: tuple[type[Model], dict[str, Any]]) -> None:
    kind, answer = drawn
    assert kind(answer).as_dict() == answer

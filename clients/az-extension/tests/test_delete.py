from __future__ import annotations

from types import SimpleNamespace

import pytest
from azext_keelson_aro import _delete as deletion
from azext_keelson_aro.vendored import models
from azure.cli.core.azclierror import CLIError
from azure.core.exceptions import HttpResponseError
from fake_azure import GROUP, MASTER, FakeArm, command, not_found, permission

ID = f"{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities"
MANAGED = {
    "identity": {"userAssignedIdentities": {f"{ID}/aro-cluster": {}}},
    "properties": {
        "masterProfile": {"subnetId": MASTER},
        "platformWorkloadIdentityProfile": {
            "platformWorkloadIdentities": {name: {"resourceId": f"{ID}/{name}"} for name in ("ingress", "dns")}
        },
    },
}
OWN_APPLICATION = {"properties": {"masterProfile": {"subnetId": MASTER}, "servicePrincipalProfile": {"clientId": "c"}}}


class Clusters:
    def __init__(self, found):
        self.found = found
        self.deleted = False

    def get(self, group, name):
        if isinstance(self.found, Exception):
            raise self.found
        return models.OpenShiftCluster(self.found)

    def begin_delete(self, **place):
        self.deleted = True
        return "poller"


@pytest.fixture
def delete(monkeypatch):
    arm = FakeArm()
    service = SimpleNamespace(find_service_principal=lambda application: "service")
    monkeypatch.setattr(deletion, "Arm", lambda cli_ctx: arm)
    monkeypatch.setattr(deletion, "Directory", lambda cli_ctx: service)
    monkeypatch.setattr(deletion, "LongRunningOperation", lambda cli_ctx: lambda poller: None)

    def run(found, **options):
        clusters = Clusters(found)
        try:
            deletion.aro_delete(
                cmd=command(),
                client=SimpleNamespace(open_shift_clusters=clusters),
                resource_group_name="group",
                resource_name="name",
                **options,
            )
        finally:
            run.deleted = clusters.deleted
        return arm

    run.arm = arm
    return run


def broken(status):
    error = HttpResponseError("broken")
    error.status_code = status
    return error


def test_a_cluster_that_is_gone_is_an_error(delete):
    with pytest.raises(CLIError, match="gone"):
        delete(not_found())
    assert not delete.deleted


def test_a_cluster_that_cannot_be_read_is_deleted_all_the_same(delete):
    arm = delete(broken(500))
    assert delete.deleted
    assert arm.assigned == []


def test_identities_that_cannot_be_read_are_not_left_behind(delete):
    with pytest.raises(HttpResponseError, match="broken"):
        delete(broken(500), delete_identities=True)
    assert not delete.deleted


def test_identities_go_after_their_cluster(delete):
    arm = delete(MANAGED, delete_identities=True)
    assert delete.deleted
    assert arm.deleted == [f"{ID}/{name}" for name in ("aro-cluster", "dns", "ingress")]


def test_identities_that_may_not_be_deleted_keep_the_cluster(delete):
    delete.arm.allowed = {f"{ID}/dns": [permission("*/read")]}
    with pytest.raises(CLIError) as caught:
        delete(MANAGED, delete_identities=True)
    assert not delete.deleted
    assert str(caught.value) == (
        "Pre-delete validation failed with the following issues:\n"
        f"- Microsoft.ManagedIdentity/userAssignedIdentities/delete permission is missing over {ID}/dns"
    )


def test_a_cluster_with_an_application_has_no_identities(delete):
    with pytest.raises(CLIError, match="Cannot delete managed identities for a non-managed identity cluster"):
        delete(OWN_APPLICATION, delete_identities=True)
    assert not delete.deleted


def test_roles_of_the_service_are_repaired_first(delete):
    arm = delete(OWN_APPLICATION)
    assert [principal for _, _, principal in arm.assigned] == ["service"]
    delete.arm.assignments = {scope: broken(403) for scope, _, _ in arm.assigned}
    delete(OWN_APPLICATION)
    assert len(arm.assigned) == 1

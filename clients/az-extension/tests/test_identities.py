from __future__ import annotations

from types import SimpleNamespace

import pytest
from azext_keelson_aro import _identities as identities
from azext_keelson_aro._identities import Scope
from azext_keelson_aro._update import ensure_identities
from azext_keelson_aro._versions import role_set_of
from azext_keelson_aro.vendored import models
from azure.cli.core.azclierror import CLIError
from fake_azure import MASTER, VNET, WORKER, FakeArm, command, permission, subnet

SUBNETS = [Scope.MASTER_SUBNET, Scope.WORKER_SUBNET]
NETWORKS = "Microsoft.Network/virtualNetworks"


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ([], []),
        ([f"{NETWORKS}/subnets/read"], SUBNETS),
        ([f"{NETWORKS}/read"], [Scope.VNET]),
        ([f"{NETWORKS}/subnets/read", f"{NETWORKS}/join/action"], [Scope.VNET]),
        ([f"{NETWORKS}/join/action", f"{NETWORKS}/subnets/read"], [Scope.VNET]),
        (["Microsoft.Network/routeTables/join/action"], [Scope.ROUTE_TABLE]),
        (["microsoft.network/NATGATEWAYS/read"], [Scope.NAT_GATEWAY]),
        (["Microsoft.Network/networkSecurityGroups/join/action"], [Scope.NSG]),
        (["Microsoft.Compute/diskEncryptionSets/read"], [Scope.DISK_ENCRYPTION_SET]),
        (["Microsoft.Compute/virtualMachines/read", "Microsoft.Network/loadBalancers/read"], []),
        (["Microsoft.Network/natGateways/read", f"{NETWORKS}/subnets/read"], [*SUBNETS[:1], Scope.NAT_GATEWAY, *SUBNETS[1:]]),
    ],
)
def test_scopes_follow_from_the_actions_of_a_role(actions, expected):
    assert identities.required_scopes(definition(*actions)) == expected


def definition(*actions):
    return {"properties": {"permissions": [permission(action) for action in actions]}}


def client_of(*minors, roles=()):
    sets = [
        SimpleNamespace(open_shift_version=minor, platform_workload_identity_roles=list(roles)) for minor in minors
    ]
    return SimpleNamespace(platform_workload_identity_role_sets=SimpleNamespace(list=lambda location: sets))


def test_a_role_set_is_that_of_the_minor_version():
    client = client_of("4.1", "4.18", "4.19")
    assert role_set_of(client, "eastus", "4.18.26").open_shift_version == "4.18"
    assert role_set_of(client, "eastus", "4.1.3").open_shift_version == "4.1"
    with pytest.raises(CLIError, match="Could not find identity requirements for OpenShift version 4.14.0."):
        role_set_of(client, "eastus", "4.14.0")


def test_scopes_are_the_resources_of_the_subnets():
    attached = {"routeTable": "/routes", "natGateway": "/nat", "networkSecurityGroup": "/nsg"}
    arm = FakeArm({WORKER: subnet("10.0.2.0/23", **attached)})
    scopes = identities.scopes_of(arm, VNET, MASTER, WORKER, None)
    assert (scopes[Scope.ROUTE_TABLE], scopes[Scope.NAT_GATEWAY], scopes[Scope.NSG]) == ("/routes", "/nat", "/nsg")
    assert (scopes[Scope.VNET], scopes[Scope.DISK_ENCRYPTION_SET]) == (VNET, None)


def test_an_upgrade_brings_the_identities_that_are_missing(monkeypatch):
    role = "/providers/Microsoft.Authorization/roleDefinitions/r"
    roles = [SimpleNamespace(operator_name=name, role_definition_id=role) for name in ("ingress", "new")]
    arm = FakeArm(definitions={role: definition(f"{NETWORKS}/read")})
    arm.put_identity = lambda identifier, location: {"id": identifier, "properties": {"principalId": "p-new"}}
    monkeypatch.setattr("azext_keelson_aro._update.Arm", lambda cli_ctx: arm)
    cluster = models.OpenShiftCluster(
        {
            "location": "eastus",
            "identity": {"type": "UserAssigned", "userAssignedIdentities": {"/own": {"principalId": "p-own"}}},
            "properties": {
                "masterProfile": {"subnetId": MASTER},
                "workerProfilesStatus": [{"subnetId": WORKER}],
                "platformWorkloadIdentityProfile": {
                    "platformWorkloadIdentities": {"ingress": {"resourceId": "/ingress", "clientId": "c"}}
                },
            },
        }
    )
    change = models.OpenShiftClusterUpdate(
        platform_workload_identity_profile=models.PlatformWorkloadIdentityProfile(upgradeable_to="4.19.1")
    )
    ensure_identities(command(), client_of("4.19", roles=roles), "group", cluster, change, "4.19.1")
    sent = change.as_dict(exclude_readonly=True)
    assert sent["identity"] == {"type": "UserAssigned", "userAssignedIdentities": {"/own": {}}}
    new = arm.assigned[-1][0]
    assert sent["properties"]["platformWorkloadIdentityProfile"] == {
        "upgradeableTo": "4.19.1",
        "platformWorkloadIdentities": {"ingress": {"resourceId": "/ingress"}, "new": {"resourceId": new}},
    }
    assert arm.assigned == [(VNET, "r", "p-new"), (new, identities.FEDERATED_CREDENTIAL, "p-own")]

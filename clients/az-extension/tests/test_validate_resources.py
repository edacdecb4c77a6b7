from __future__ import annotations

from types import SimpleNamespace

import pytest
from azext_keelson_aro import _validate_resources as rules
from azure.cli.core.azclierror import CLIError, CLIInternalError
from azure.core.exceptions import HttpResponseError
from fake_azure import GROUP, MASTER, SUBSCRIPTION, VNET, FakeArm, not_found

IDENTITY = f"{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/one"
DES = f"{GROUP}/providers/Microsoft.Compute/diskEncryptionSets/des"
CMD = SimpleNamespace(cli_ctx=None)


@pytest.fixture
def arm(monkeypatch):
    fake = FakeArm()
    monkeypatch.setattr(rules, "Arm", lambda cli_ctx: fake)
    monkeypatch.setattr(rules, "get_subscription_id", lambda cli_ctx: SUBSCRIPTION)
    return fake


def namespace(**given):
    defaults = {
        "resource_group_name": "group",
        "vnet": None,
        "vnet_resource_group_name": None,
        "enable_managed_identity": True,
    }
    return SimpleNamespace(**{**defaults, **given})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"master_subnet": MASTER}, MASTER),
        ({"master_subnet": "master", "vnet": "net"}, MASTER),
        ({"master_subnet": "master", "vnet": VNET}, MASTER),
        (
            {"master_subnet": "master", "vnet": "net", "vnet_resource_group_name": "other"},
            MASTER.replace("/group/", "/other/"),
        ),
    ],
)
def test_the_name_of_a_subnet_becomes_its_id(arm, given, expected):
    arm.resources[expected] = {}
    wanted = namespace(**given)
    rules.validate_subnet("master_subnet")(CMD, wanted)
    assert wanted.master_subnet == expected


OTHER_SUBSCRIPTION = MASTER.replace(SUBSCRIPTION, "other")


@pytest.mark.parametrize(
    ("subnet", "refusal"),
    [
        ("master", "Must specify --vnet if --master-subnet is not an id."),
        (OTHER_SUBSCRIPTION, "--master-subnet subscription 'other' must equal cluster subscription."),
        (
            MASTER.replace("Microsoft.Network", "Microsoft.Other"),
            "--master-subnet namespace 'Microsoft.Other' must equal Microsoft.Network.",
        ),
        (
            MASTER.replace("virtualNetworks", "networks"),
            "--master-subnet type 'networks' must equal virtualNetworks.",
        ),
        (VNET, f"--master-subnet '{VNET}' must have one child."),
        (f"{MASTER}/parts/one", f"--master-subnet '{MASTER}/parts/one' must have one child."),
        (f"{VNET}/peerings/one", f"--master-subnet child type '{VNET}/peerings/one' must equal subnets."),
    ],
)
def test_what_is_no_subnet_is_refused(arm, subnet, refusal):
    with pytest.raises(CLIError) as caught:
        rules.validate_subnet("master_subnet")(CMD, namespace(master_subnet=subnet))
    assert str(caught.value) == refusal


def test_a_subnet_that_cannot_be_read_is_refused(arm):
    arm.resources[MASTER] = not_found()
    with pytest.raises(CLIError, match="Invalid --master-subnet, error when getting '.*/master': gone"):
        rules.validate_subnet("master_subnet")(CMD, namespace(master_subnet=MASTER))
    arm.resources[MASTER] = HttpResponseError("broken")
    with pytest.raises(CLIInternalError, match="Unexpected error when getting subnet '.*/master': broken"):
        rules.validate_subnet("master_subnet")(CMD, namespace(master_subnet=MASTER))


def test_a_disk_encryption_set_must_be_readable(arm):
    arm.disk_encryption_set = lambda identifier: None
    rules.validate_disk_encryption_set(CMD, namespace(disk_encryption_set=DES))
    with pytest.raises(CLIError, match="Invalid --disk-encryption-set 'des', has to be a resource ID."):
        rules.validate_disk_encryption_set(CMD, namespace(disk_encryption_set="des"))

    def refuse(identifier):
        raise not_found()

    arm.disk_encryption_set = refuse
    with pytest.raises(CLIError, match="Invalid --disk-encryption-set, error when getting '.*': gone"):
        rules.validate_disk_encryption_set(CMD, namespace(disk_encryption_set=DES))


def test_the_clusters_resource_group_must_not_exist(arm):
    arm.group_exists = lambda name: name == "there"
    rules.validate_cluster_resource_group(CMD, namespace(cluster_resource_group="new"))
    refusal = "Invalid --cluster-resource-group 'there': resource group must not exist."
    with pytest.raises(CLIError, match=refusal):
        rules.validate_cluster_resource_group(CMD, namespace(cluster_resource_group="there"))


def test_names_of_identities_become_ids(arm):
    wanted = namespace(mi_user_assigned="one", platform_workload_identities=[("ingress", "one"), ("other", IDENTITY)])
    rules.validate_cluster_identity(True)(CMD, wanted)
    rules.validate_platform_workload_identities(True)(CMD, wanted)
    assert wanted.mi_user_assigned == IDENTITY
    assert wanted.platform_workload_identities == [("ingress", IDENTITY), ("other", IDENTITY)]


def test_identities_need_their_flag_and_their_type(arm):
    own, operators = rules.validate_cluster_identity(True), rules.validate_platform_workload_identities(True)
    without = {"enable_managed_identity": None}
    with pytest.raises(CLIError, match="Must set --enable-managed-identity when providing a cluster identity"):
        own(CMD, namespace(mi_user_assigned="one", **without))
    with pytest.raises(CLIError, match="Must set --enable-managed-identity when providing platform workload"):
        operators(CMD, namespace(platform_workload_identities=[("a", "b")], **without))
    refusal = f"Resource {DES} used for cluster user assigned identity is not a valid userAssignedIdentity"
    with pytest.raises(CLIError, match=refusal):
        own(CMD, namespace(mi_user_assigned=DES))
    with pytest.raises(CLIError, match="used for platform workload identity a is not a valid"):
        operators(CMD, namespace(platform_workload_identities=[("a", DES)]))
    rules.validate_cluster_identity(False)(CMD, namespace(mi_user_assigned="one", **without))

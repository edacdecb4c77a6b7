from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest
from azext_keelson_aro import _preflight as preflight
from azext_keelson_aro._create import plan_of
from azext_keelson_aro._permissions import allows
from azext_keelson_aro._roles import NETWORK_CONTRIBUTOR, role_id
from azure.cli.core.azclierror import CLIError
from fake_azure import MASTER, SUBSCRIPTION, VNET, WORKER, FakeArm, Progress, permission, subnet

NSG = f"{VNET.replace('virtualNetworks/net', 'networkSecurityGroups')}/own"
ROUTES = f"{VNET.replace('virtualNetworks/net', 'routeTables')}/routes"
JOIN = "Microsoft.Network/virtualNetworks/join/action"


@pytest.mark.parametrize(
    ("permissions", "expected"),
    [
        ([], False),
        ([permission("*")], True),
        ([permission("microsoft.network/*")], True),
        ([permission("Microsoft.Network/*/join/action")], True),
        ([permission("Microsoft.Network/virtualNetworks/read")], False),
        ([permission("Microsoft.Network/virtualNetworks/join")], False),
        ([permission("*", without=["Microsoft.Network/*"])], False),
        ([permission("*", without=["Microsoft.Network/*"]), permission(JOIN)], True),
        ([{}], False),
    ],
)
def test_permissions_match_by_stars_in_any_case(permissions, expected):
    assert allows(permissions, JOIN) is expected


def plan(**given):
    wanted = {"vnet": VNET, "location": "eastus", "preconfigured_nsg": False, **given}
    return plan_of(MASTER, WORKER, None, **wanted)


def issues_of(arm, principals=(), client=None, **given):
    return preflight.check_creation(arm, client, plan(**given), list(principals), Progress())


def test_all_is_well():
    assert issues_of(FakeArm()) == []


def test_missing_permissions_are_named():
    arm = FakeArm(permissions={VNET: [permission("*/read", "*/write")]})
    assert [issue.description for issue in issues_of(arm)] == [
        "Microsoft.Network/virtualNetworks/join/action permission is missing",
        "Microsoft.Network/virtualNetworks/subnets/join/action permission is missing",
    ]


def test_route_tables_need_permissions():
    routed = subnet("10.0.0.0/23", routeTable=ROUTES)
    arm = FakeArm({MASTER: routed}, permissions={ROUTES: [permission("*/read", "*/write")]})
    [issue] = issues_of(arm)
    assert (issue.kind, issue.name) == ("master_subnet_route_table", "routes")
    assert issue.description == "Microsoft.Network/routeTables/join/action permission is missing"


def test_a_security_group_blocks_unless_it_is_wanted():
    arm = FakeArm({WORKER: subnet("10.0.2.0/23", networkSecurityGroup=NSG)})
    [issue] = issues_of(arm)
    assert (issue.kind, issue.name, issue.severity) == ("worker_subnet", "worker", "Error")
    assert NSG in issue.description
    both = FakeArm({each: subnet(prefix, networkSecurityGroup=NSG) for each, prefix in PREFIXES.items()})
    assert issues_of(both, preconfigured_nsg=True) == []
    with pytest.raises(CLIError, match="preconfiguredNSG feature is enabled but an NSG is not attached for all"):
        issues_of(arm, preconfigured_nsg=True)


PREFIXES = {MASTER: "10.0.0.0/23", WORKER: "10.0.2.0/23"}


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"pod_cidr": "10.128.0.0/14", "service_cidr": "172.30.0.0/16"}, []),
        ({"pod_cidr": "10.128.0.0/21"}, []),
        ({"pod_cidr": "10.128.0.0/22"}, ["Pod CIDR Capacity"]),
        ({"pod_cidr": "10.0.0.0/21"}, ["Pod CIDR", "Pod CIDR", "Worker Subnet CIDR", "Master Subnet CIDR"]),
        ({"pod_cidr": "10.128.0.0/14", "service_cidr": "10.129.0.0/16"}, ["Pod CIDR", "Service CIDR"]),
    ],
)
def test_ranges_must_not_overlap(given, names):
    assert [issue.name for issue in issues_of(FakeArm(), **given)] == names


def test_subnets_with_many_prefixes_are_compared_by_each():
    arm = FakeArm({MASTER: {"addressPrefixes": ["10.0.0.0/24", "fd00::/64", "172.30.1.0/24"]}})
    names = [issue.name for issue in issues_of(arm, service_cidr="172.30.0.0/16")]
    assert names == ["Service CIDR", "Master Subnet CIDR -- 172.30.1.0/24"]


def test_missing_roles_are_warnings():
    has = {
        "properties": {"roleDefinitionId": role_id(SUBSCRIPTION, NETWORK_CONTRIBUTOR).upper(), "principalId": "A"}
    }
    singular = {
        "properties": {
            "roleDefinitionId": role_id(SUBSCRIPTION, NETWORK_CONTRIBUTOR).replace("Definitions", "Definition"),
            "principalId": "b",
        }
    }
    arm = FakeArm(assignments={VNET: [{}, has, singular]})
    [issue] = issues_of(arm, ["a", "b", "c"])
    assert issue.severity == "Warning"
    assert issue.description == (
        f"Resource net is missing role assignment {NETWORK_CONTRIBUTOR} for service principal c "
        "(These roles will be automatically added during cluster creation)"
    )


def test_a_version_must_be_listed():
    versions = [SimpleNamespace(version="4.9.1"), SimpleNamespace(version="4.10.1")]
    client = SimpleNamespace(open_shift_versions=SimpleNamespace(list=lambda location: versions))
    assert issues_of(FakeArm(), client=client, version="4.9.1") == []
    [issue] = issues_of(FakeArm(), client=client, version="4.9.2")
    assert issue.description == "4.9.2 is not a valid version, valid versions are ['4.10.1', '4.9.1']"


WARNING = preflight.Issue("Resource Permissions", "virtualNetworks", "Warning", "w")
ERROR = preflight.error("vnet", "net", "e")


def test_errors_are_a_table_that_blocks(caplog):
    preflight.logger.propagate = True
    with caplog.at_level(logging.WARNING):
        preflight.report([], True)
        preflight.report([WARNING], True)
    assert caplog.messages == ["w\n"]
    caplog.clear()
    with pytest.raises(CLIError) as caught:
        preflight.report([WARNING, ERROR], True)
    [warning] = caplog.messages
    assert warning.startswith("The following issues will have a minor impact on cluster creation:\n+--")
    lines = str(caught.value).strip().split("\n")
    assert lines[0] == "The following errors are fatal and will block cluster creation:"
    assert [cell.strip() for cell in lines[2].strip("|").split("|")] == ["Type", "Name", "Severity", "Description"]
    assert [cell.strip() for cell in lines[4].strip("|").split("|")] == ["vnet", "net", "Error", "e"]

"""Checks in Azure before the creation of a cluster. Obstacles are errors, other findings are warnings."""

import ipaddress
import textwrap
from dataclasses import dataclass

from azure.cli.core.azclierror import CLIInternalError, InvalidArgumentValueError, ValidationError
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.mgmt.core.tools import parse_resource_id
from knack.log import get_logger
from tabulate import tabulate

from ._arm import vnet_of
from ._permissions import missing_actions
from ._roles import has_role, resources_by_role
from ._validate_arguments import option
from ._versions import list_versions

logger = get_logger(__name__)

VNET_ACTIONS = [
    f"Microsoft.Network/virtualNetworks/{action}"
    for action in ("join/action", "read", "write", "subnets/join/action", "subnets/read", "subnets/write")
]
ROUTE_TABLE_ACTIONS = [f"Microsoft.Network/routeTables/{action}" for action in ("join/action", "read", "write")]
# Maximum prefix length of the pod network. Each node needs a /23, and the network must have space for four nodes.
LONGEST_POD_PREFIX = 21
COLUMN_WIDTH = 160


@dataclass(frozen=True)
class Plan:
    """Properties of the planned cluster that the checks need."""

    cluster: object
    vnet: str
    master_subnet: str
    worker_subnet: str
    location: str
    preconfigured_nsg: bool = False
    version: str | None = None
    pod_cidr: str | None = None
    service_cidr: str | None = None


@dataclass(frozen=True)
class Issue:
    kind: str
    name: str
    severity: str
    description: str

    def row(self):
        return [textwrap.fill(str(each), width=COLUMN_WIDTH) for each in vars(self).values()]


def error(kind, name, description):
    return Issue(kind, name, "Error", description)


def check_creation(arm, client, plan, principals, progress):
    """Returns all issues in the order of the checks."""
    # This call precedes the checks, so that invalid arguments are reported before problems in Azure.
    resources = resources_by_role(arm, plan.cluster, True)
    checks = [
        ("Validating Virtual Network Permissions", lambda: check_vnet(arm, plan)),
        ("Validating master_subnet permissions", lambda: check_subnet(arm, plan, "master_subnet")),
        ("Validating worker_subnet permissions", lambda: check_subnet(arm, plan, "worker_subnet")),
        ("Validating no overlapping CIDR Ranges on subnets", lambda: check_ranges(arm, plan)),
        ("Validating resource permissions", lambda: check_roles(arm, resources, principals)),
    ]
    if plan.version is not None:
        checks.append(("Validating OpenShift Version", lambda: check_version(client, plan)))
    issues = []
    for message, check in checks:
        progress.add(message=message)
        issues += check()
        progress.end()
    return issues


def report(issues, warnings_as_text):
    """Logs warnings and raises errors."""
    warnings = [issue for issue in issues if issue.severity == "Warning"]
    errors = [issue for issue in issues if issue.severity != "Warning"]
    if warnings and not errors and warnings_as_text:
        logger.warning("".join(f"{issue.row()[3]}\n" for issue in warnings))
    elif warnings:
        logger.warning("The following issues will have a minor impact on cluster creation:\n%s", _table(warnings))
    if errors:
        raise ValidationError(
            ("\n" if warnings else "")
            + f"The following errors are fatal and will block cluster creation:\n{_table(errors)}"
        )


def _table(issues):
    headers = ["Type", "Name", "Severity", "Description"]
    return tabulate([issue.row() for issue in issues], headers=headers, tablefmt="grid")


def check_vnet(arm, plan):
    _read(arm, "vnet", plan.vnet, "vnet")
    return check_actions(arm, "vnet", plan.vnet, VNET_ACTIONS)


def check_actions(arm, kind, identifier, actions):
    name = parse_resource_id(identifier)["name"]
    missing = missing_actions(arm.permissions(identifier), actions)
    return [error(kind, name, f"{action} permission is missing") for action in missing]


def check_subnet(arm, plan, key):
    subnet = getattr(plan, key)
    properties = _read(arm, key, subnet, "subnet").get("properties") or {}
    issues = []
    if properties.get("routeTable"):
        issues += check_actions(arm, f"{key}_route_table", properties["routeTable"]["id"], ROUTE_TABLE_ACTIONS)
    group = properties.get("networkSecurityGroup")
    if group and not plan.preconfigured_nsg:
        issues.append(
            error(
                key,
                parse_resource_id(subnet)["child_name_1"],
                f'A Network Security Group "{group["id"]}" is already assigned to this subnet. Ensure there are no '
                "Network Security Groups assigned to cluster subnets before cluster creation",
            )
        )
    return issues


def check_ranges(arm, plan):
    issues = []
    ranges = {}
    if plan.pod_cidr is not None:
        ranges["Pod CIDR"] = ipaddress.IPv4Network(plan.pod_cidr)
        if ranges["Pod CIDR"].prefixlen > LONGEST_POD_PREFIX:
            issues.append(
                error(
                    "Pod CIDR",
                    "Pod CIDR Capacity",
                    f"{plan.pod_cidr} does not contain enough addresses for 3 master nodes "
                    f"(Requires cidr prefix of {LONGEST_POD_PREFIX} or lower)",
                )
            )
    if plan.service_cidr is not None:
        ranges["Service CIDR"] = ipaddress.IPv4Network(plan.service_cidr)
    for label, key in (("Worker", "worker_subnet"), ("Master", "master_subnet")):
        properties = _read(arm, key, getattr(plan, key), "subnet").get("properties") or {}
        single = properties.get("addressPrefix")
        prefixes = [single] if single is not None else properties.get("addressPrefixes") or []
        for prefix in prefixes:
            network = ipaddress.ip_network(prefix)
            if network.version == 4:
                name = f"{label} Subnet CIDR" if single is not None else f"{label} Subnet CIDR -- {prefix}"
                ranges[name] = network
    for name, network in ranges.items():
        for other_name, other in ranges.items():
            if name != other_name and network.overlaps(other):
                issues.append(error("CIDR Range", name, f"{network} is not valid as it overlaps with {other}"))
    return issues


def check_roles(arm, resources, principals):
    issues = []
    for principal in principals:
        for role in sorted(resources):
            for scope in resources[role]:
                if has_role(arm, scope, principal, role):
                    continue
                parts = parse_resource_id(scope)
                issues.append(
                    Issue(
                        "Resource Permissions",
                        parts["type"],
                        "Warning",
                        f"Resource {parts['name']} is missing role assignment {role} for service principal "
                        f"{principal} (These roles will be automatically added during cluster creation)",
                    )
                )
    return issues


def check_version(client, plan):
    versions = list_versions(client, plan.location)
    if plan.version in versions:
        return []
    description = f"{plan.version} is not a valid version, valid versions are {versions}"
    return [error("OpenShift Version", plan.version, description)]


def default_vnet(vnet, master_subnet):
    return vnet if vnet is not None else vnet_of(master_subnet)


def _read(arm, key, identifier, what):
    try:
        return arm.network_resource(identifier)
    except ResourceNotFoundError as found:
        raise InvalidArgumentValueError(
            f"Invalid {option(key)}, error when getting '{identifier}': {found}"
        ) from found
    except HttpResponseError as found:
        raise CLIInternalError(f"Unexpected error when getting {what} '{identifier}': {found}") from found

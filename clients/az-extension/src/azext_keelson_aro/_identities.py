"""The managed identities of clusters, and the roles that they need."""

import enum

from knack.log import get_logger

from ._arm import identity_id
from ._clients import service_application
from ._directory import Directory
from ._network import attached_resources
from ._roles import FEDERATED_CREDENTIAL, READER, SERVICE, assign, role_id
from ._versions import require_version, role_set_of

logger = get_logger(__name__)

CLUSTER_IDENTITY = "aro-cluster"


class Scope(enum.IntEnum):
    """Scopes of role assignments, in the order of assignment."""

    DISK_ENCRYPTION_SET = enum.auto()
    MASTER_SUBNET = enum.auto()
    NAT_GATEWAY = enum.auto()
    NSG = enum.auto()
    ROUTE_TABLE = enum.auto()
    VNET = enum.auto()
    WORKER_SUBNET = enum.auto()


_scope_of_type = {
    "diskencryptionsets": Scope.DISK_ENCRYPTION_SET,
    "natgateways": Scope.NAT_GATEWAY,
    "networksecuritygroups": Scope.NSG,
    "routetables": Scope.ROUTE_TABLE,
}
_providers = {"microsoft.compute", "microsoft.network"}


def required_scopes(role_definition):
    """Returns the scopes of a role's actions. A role with network actions beyond subnets needs the network."""
    permissions = (role_definition.get("properties") or {}).get("permissions") or []
    actions = [action.lower() for each in permissions for action in each.get("actions") or []]
    scopes = set()
    in_subnets = False
    for action in actions:
        provider, _, rest = action.partition("/")
        kind, _, more = rest.partition("/")
        if provider not in _providers or not more:
            continue
        if kind == "virtualnetworks" and more.startswith("subnets/"):
            in_subnets = True
        elif kind == "virtualnetworks":
            scopes.add(Scope.VNET)
        elif kind in _scope_of_type:
            scopes.add(_scope_of_type[kind])
    if in_subnets and Scope.VNET not in scopes:
        scopes |= {Scope.MASTER_SUBNET, Scope.WORKER_SUBNET}
    return sorted(scopes)


def scopes_of(arm, vnet, master_subnet, worker_subnet, disk_encryption_set):
    """Returns the resource of each scope. None if the cluster does not have it."""
    attached = attached_resources(arm, [master_subnet, worker_subnet])
    return {
        Scope.DISK_ENCRYPTION_SET: disk_encryption_set,
        Scope.MASTER_SUBNET: master_subnet,
        Scope.NAT_GATEWAY: attached.get("natGateway"),
        Scope.NSG: attached.get("networkSecurityGroup"),
        Scope.ROUTE_TABLE: attached.get("routeTable"),
        Scope.VNET: vnet,
        Scope.WORKER_SUBNET: worker_subnet,
    }


def create_required(arm, cli_ctx, client, place, version, scopes_wanted):
    """Creates the identities of a cluster with their roles, the cluster's own first."""
    resource_group, location = place
    progress = cli_ctx.get_progress_controller()
    progress.add(message="Validating OpenShift version")
    require_version(client, location, version)
    progress.add(message="Gathering necessary scopes for network resources")
    scopes = scopes_of(arm, **scopes_wanted)
    progress.add(message="Creating cluster identity")
    cluster = create_identity(arm, resource_group, CLUSTER_IDENTITY, location)
    principal = cluster["properties"]["principalId"]
    roles = role_set_of(client, location, version).platform_workload_identity_roles or []
    operators = [create_operator_identity(arm, progress, place, role, scopes, principal) for role in roles]
    progress.add(message="Creating first party service principal's role assignment over virtual network")
    service = Directory(cli_ctx).find_service_principal(service_application())
    assign(arm, service, role_id(arm.subscription, SERVICE), scopes[Scope.VNET])
    if scopes[Scope.DISK_ENCRYPTION_SET]:
        progress.add(message="Creating first party service principal's role assignment over disk encryption set")
        assign(arm, service, role_id(arm.subscription, READER), scopes[Scope.DISK_ENCRYPTION_SET])
    progress.end()
    logger.warning(
        "\nManaged identities and role assignments were created. "
        "Please record each identity's 'id' or 'name' to use with the 'az aro create' command."
    )
    return [cluster, *operators]


def create_identity(arm, resource_group, name, location):
    return arm.put_identity(identity_id(arm.subscription, resource_group, name), location)


def create_operator_identity(arm, progress, place, role, scopes, cluster_principal):
    """Creates the identity of an operator, its network roles, and the cluster's right to act as it."""
    resource_group, location = place
    name = role.operator_name
    progress.add(message=f"Creating {name} identity")
    identity = create_identity(arm, resource_group, name, location)
    definition = f"/subscriptions/{arm.subscription}{role.role_definition_id}"
    for scope in required_scopes(arm.role_definition(role.role_definition_id)):
        progress.add(message=f"Creating {name} identity's role assignments over network resources")
        if scopes[scope]:
            assign(arm, identity["properties"]["principalId"], definition, scopes[scope])
    progress.add(message=f"Creating cluster identity's federated credential role assignment over {name} identity")
    assign(arm, cluster_principal, role_id(arm.subscription, FEDERATED_CREDENTIAL), identity["id"])
    return identity


def print_required(arm, client, place, version, scopes_wanted, say):
    """Prints az commands that are equivalent to `create_required`."""
    resource_group, location = place
    require_version(client, location, version)
    roles = role_set_of(client, location, version).platform_workload_identity_roles or []
    scopes = scopes_of(arm, **scopes_wanted)
    say("Use the following Azure CLI commands to create the required managed identities:")
    for name in [CLUSTER_IDENTITY, *(role.operator_name for role in roles)]:
        say(f"    az identity create -g '{resource_group}' -n '{name}' -l '{location}'")
    say(
        "\nUse the following Azure CLI commands to create the required role assignments "
        "over virtual network and/or subnets:"
    )
    for role in roles:
        principal = _shown(resource_group, role.operator_name, "principalId")
        for scope in required_scopes(arm.role_definition(role.role_definition_id)):
            if scopes[scope]:
                _say_assignment(say, principal, f"/subscriptions/{arm.subscription}{role.role_definition_id}", scopes[scope])
    say(
        "\nUse the following Azure CLI commands to create the required role assignments "
        "over platform workload identities:"
    )
    for role in roles:
        principal = _shown(resource_group, CLUSTER_IDENTITY, "principalId")
        _say_assignment(say, principal, FEDERATED_CREDENTIAL, _shown(resource_group, role.operator_name, "id"))
    service = "$(az ad sp list --display-name 'Azure Red Hat OpenShift RP' --query '[0].id' -o tsv)"
    say("\nUse the following Azure CLI command to create the required role assignment over the virtual network:")
    _say_assignment(say, service, SERVICE, scopes[Scope.VNET])
    if scopes[Scope.DISK_ENCRYPTION_SET]:
        say(
            "\nUse the following Azure CLI command to create the required "
            "role assignment over the disk encryption set:"
        )
        _say_assignment(say, service, READER, scopes[Scope.DISK_ENCRYPTION_SET])


def _shown(resource_group, name, member):
    return f"$(az identity show -g '{resource_group}' -n '{name}' --query {member} -o tsv)"


def _say_assignment(say, assignee, role, scope):
    say(
        f'    az role assignment create --assignee-object-id "{assignee}" '
        f"--assignee-principal-type ServicePrincipal --role '{role}' --scope \"{scope}\""
    )

"""`az aro delete`."""

from azure.cli.core.azclierror import InvalidArgumentValueError, ResourceNotFoundError, UnauthorizedError
from azure.cli.core.commands import LongRunningOperation
from azure.cli.core.util import sdk_no_wait
from azure.core.exceptions import HttpResponseError
from azure.mgmt.core.tools import parse_resource_id
from knack.log import get_logger

from ._arm import Arm
from ._create import require_service_principal
from ._directory import Directory
from ._permissions import missing_actions
from ._roles import ensure_roles
from ._update import attempt

logger = get_logger(__name__)

DELETE_IDENTITY = "Microsoft.ManagedIdentity/userAssignedIdentities/delete"


def aro_delete(*, cmd, client, resource_group_name, resource_name, no_wait=False, delete_identities=None):
    arm = Arm(cmd.cli_ctx)
    cluster = read_cluster(client, resource_group_name, resource_name, required=bool(delete_identities))
    identities = identities_of(cluster)
    if delete_identities:
        if cluster.service_principal_profile is not None:
            raise InvalidArgumentValueError("Cannot delete managed identities for a non-managed identity cluster")
        require_deletable(arm, identities)
        # Prints the identities before the cluster is deleted, because only the cluster's resource lists them.
        logger.warning(
            "After deleting the ARO cluster, will delete the following set of managed identities "
            "that was associated with it:\n%s",
            bulleted(identities),
        )
    elif cluster is not None and cluster.platform_workload_identity_profile is not None:
        logger.warning(
            "The cluster's managed identities will still need to be deleted once cluster deletion completes. "
            "You can use the following commands to delete them:\n%s",
            bulleted(deletion_command(each) for each in identities),
        )
    if cluster is not None:
        # Restores missing roles first because they are the most frequent cause of failed deletions.
        directory = Directory(cmd.cli_ctx)
        service = attempt(False, lambda: require_service_principal(directory))
        ensure_roles(arm, cluster, False, [service] if service else [])
    begin = client.open_shift_clusters.begin_delete
    if not delete_identities:
        return sdk_no_wait(no_wait, begin, resource_group_name=resource_group_name, resource_name=resource_name)
    LongRunningOperation(cmd.cli_ctx)(begin(resource_group_name=resource_group_name, resource_name=resource_name))
    logger.warning("Successfully deleted ARO cluster; deleting managed identities...")
    for identity in identities:
        arm.delete_identity(identity)
        logger.warning("Successfully deleted managed identity %s", identity)
    return None


def read_cluster(client, resource_group_name, resource_name, required):
    """Returns the cluster. None if it cannot be read, which does not prevent its deletion."""
    try:
        return client.open_shift_clusters.get(resource_group_name, resource_name)
    except HttpResponseError as error:
        if error.status_code == 404:
            raise ResourceNotFoundError(error.message) from error
        if required:
            raise
        logger.warning("The cluster cannot be read, and is deleted without a check of its roles: %s", error.message)
        return None


def identities_of(cluster):
    """Returns resource IDs of the identities of a cluster, its own first."""
    if cluster is None:
        return []
    identities = []
    if cluster.identity is not None:
        identities += list(cluster.identity.user_assigned_identities or {})
    if cluster.platform_workload_identity_profile is not None:
        operators = cluster.platform_workload_identity_profile.platform_workload_identities or {}
        identities += [operators[name].resource_id for name in sorted(operators)]
    return identities


def require_deletable(arm, identities):
    refused = [identity for identity in identities if missing_actions(arm.permissions(identity), [DELETE_IDENTITY])]
    if refused:
        lines = bulleted(f"{DELETE_IDENTITY} permission is missing over {identity}" for identity in refused)
        raise UnauthorizedError(f"Pre-delete validation failed with the following issues:\n{lines}")


def deletion_command(identity):
    parts = parse_resource_id(identity)
    return f"az identity delete -g {parts['resource_group']} -n {parts['name']}"


def bulleted(lines):
    return "\n".join(f"- {line}" for line in lines)

"""`az aro update`."""

from azure.cli.core.azclierror import InvalidArgumentValueError, ResourceNotFoundError
from azure.cli.core.util import sdk_no_wait
from azure.mgmt.core.tools import parse_resource_id
from knack.log import get_logger

from ._arm import Arm, vnet_of
from ._create import give_identities, load_balancer_of, require_service_principal, scopes_wanted
from ._directory import GRAPH_ERRORS, Directory
from ._identities import create_operator_identity, scopes_of
from ._output import printed
from ._roles import ensure_roles
from ._versions import role_set_of
from .vendored import models

logger = get_logger(__name__)


def aro_update(
    *,
    cmd,
    client,
    resource_group_name,
    resource_name,
    refresh_cluster_credentials=False,
    client_id=None,
    client_secret=None,
    mi_user_assigned=None,
    platform_workload_identities=None,
    load_balancer_managed_outbound_ip_count=None,
    upgradeable_to=None,
    no_wait=False,
):
    cluster = client.open_shift_clusters.get(resource_group_name, resource_name)
    own_application = cluster.service_principal_profile
    if own_application and (platform_workload_identities or mi_user_assigned):
        raise InvalidArgumentValueError(
            "Cannot assign platform workload identities or a cluster identity "
            "to a cluster with service principal."
        )
    change = models.OpenShiftClusterUpdate()
    if own_application:
        client_id, client_secret = update_application(
            cmd.cli_ctx, cluster, client_id, client_secret, refresh_cluster_credentials
        )
        if client_id or client_secret:
            change.service_principal_profile = models.ServicePrincipalProfile(
                client_id=client_id or None, client_secret=client_secret or None
            )
    if cluster.platform_workload_identity_profile and upgradeable_to:
        change.platform_workload_identity_profile = models.PlatformWorkloadIdentityProfile(
            upgradeable_to=upgradeable_to
        )
    give_identities(
        change,
        mi_user_assigned,
        platform_workload_identities if cluster.platform_workload_identity_profile else None,
    )
    if load_balancer_managed_outbound_ip_count:
        change.network_profile = models.NetworkProfile(
            load_balancer_profile=load_balancer_of(load_balancer_managed_outbound_ip_count)
        )
    if upgradeable_to and not own_application and not platform_workload_identities and not mi_user_assigned:
        ensure_identities(cmd, client, resource_group_name, cluster, change, upgradeable_to)
    return sdk_no_wait(
        no_wait,
        client.open_shift_clusters.begin_update,
        resource_group_name=resource_group_name,
        resource_name=resource_name,
        parameters=change,
        cls=printed,
    )


def update_application(cli_ctx, cluster, client_id, client_secret, refresh):
    """Repairs the roles of a cluster and returns the new credentials of its application.

    With new or refreshed credentials, every rejection is an error. Otherwise roles are repaired as far as the caller's
    rights allow.
    """
    strict = bool(client_id or client_secret or refresh)
    directory = Directory(cli_ctx)
    service = attempt(strict, lambda: require_service_principal(directory))
    current = client_id or cluster.service_principal_profile.client_id
    if refresh:
        application = directory.find_application(current)
        if application:
            client_secret = directory.add_password(application)
        else:
            group = parse_resource_id(cluster.cluster_profile.resource_group_id)["resource_group"]
            client_id, client_secret = directory.create_application(group)
            current = client_id
    own = attempt(strict, lambda: directory.find_service_principal(current))
    if strict and not own:
        own = directory.create_service_principal(current)
    ensure_roles(Arm(cli_ctx), cluster, strict, [each for each in (service, own) if each])
    return client_id, client_secret


def attempt(strict, call):
    """Returns the result of a directory query. None for a rejection, if not strict."""
    try:
        return call()
    except (*GRAPH_ERRORS, ResourceNotFoundError) as error:
        if strict or isinstance(error, ResourceNotFoundError):
            raise
        logger.info(error)
        return None


def ensure_identities(cmd, client, resource_group_name, cluster, change, version):
    """Creates the identities of a version that the cluster lacks. The update contains all identities."""
    arm = Arm(cmd.cli_ctx)
    roles = role_set_of(client, cluster.location, version).platform_workload_identity_roles or []
    known = cluster.platform_workload_identity_profile.platform_workload_identities or {}
    identities = {
        name: models.PlatformWorkloadIdentity(resource_id=identity.resource_id) for name, identity in known.items()
    }
    missing = [role for role in roles if role.operator_name not in identities]
    own = cluster.identity.user_assigned_identities or {}
    if missing:
        master = cluster.master_profile.subnet_id
        workers = [*(cluster.worker_profiles or []), *(cluster.worker_profiles_status or [])]
        worker = next((profile.subnet_id for profile in workers if profile.subnet_id), master)
        scopes = scopes_of(
            arm, **scopes_wanted(vnet_of(master), master, worker, cluster.master_profile.disk_encryption_set_id)
        )
        progress = cmd.cli_ctx.get_progress_controller()
        principal = next((identity.principal_id for identity in own.values()), None)
        for role in missing:
            identity = create_operator_identity(
                arm, progress, (resource_group_name, cluster.location), role, scopes, principal
            )
            identities[role.operator_name] = models.PlatformWorkloadIdentity(resource_id=identity["id"])
        progress.end()
    change.identity = models.ManagedServiceIdentity(
        type=cluster.identity.type, user_assigned_identities={identifier: {} for identifier in own}
    )
    change.platform_workload_identity_profile.platform_workload_identities = identities

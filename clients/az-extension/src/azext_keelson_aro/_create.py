"""`az aro create`, `validate` and `identity`."""

import random
import string

from azure.cli.core.azclierror import ResourceNotFoundError, UnauthorizedError
from azure.cli.core.util import sdk_no_wait
from knack.log import get_logger

from . import _identities
from ._arm import Arm
from ._clients import is_development, service_application
from ._directory import Directory
from ._output import printed
from ._preflight import Plan, check_creation, default_vnet, report
from ._roles import ensure_roles
from ._validate_arguments import validate_subnets
from .vendored import models

logger = get_logger(__name__)

PROVIDER = "Microsoft.RedHatOpenShift"


def aro_create(
    *,
    cmd,
    client,
    resource_group_name,
    resource_name,
    master_subnet,
    worker_subnet,
    vnet=None,
    vnet_resource_group_name=None,
    enable_preconfigured_nsg=None,
    location=None,
    pull_secret=None,
    domain=None,
    cluster_resource_group=None,
    fips_validated_modules=None,
    client_id=None,
    client_secret=None,
    pod_cidr=None,
    service_cidr=None,
    outbound_type=None,
    disk_encryption_set=None,
    master_encryption_at_host=False,
    master_vm_size=None,
    worker_encryption_at_host=False,
    worker_vm_size=None,
    worker_vm_disk_size_gb=None,
    worker_count=None,
    apiserver_visibility=None,
    ingress_visibility=None,
    load_balancer_managed_outbound_ip_count=None,
    enable_managed_identity=False,
    platform_workload_identities=None,
    mi_user_assigned=None,
    tags=None,
    version=None,
    no_wait=False,
):
    arm = Arm(cmd.cli_ctx)
    if not is_development():
        require_registration(arm)
    validate_subnets(master_subnet, worker_subnet)
    vnet = default_vnet(vnet, master_subnet)
    principals = [] if enable_managed_identity else service_principals(cmd.cli_ctx, client_id)
    plan = plan_of(
        master_subnet, worker_subnet, disk_encryption_set,
        vnet=vnet, location=location, version=version, pod_cidr=pod_cidr, service_cidr=service_cidr,
        preconfigured_nsg=bool(enable_preconfigured_nsg),
    )
    report(check_creation(arm, client, plan, principals, cmd.cli_ctx.get_progress_controller()), warnings_as_text=True)

    random_id = generate_random_id()
    managed_group = cluster_resource_group or f"aro-{random_id}"
    cluster = models.OpenShiftCluster(
        location=location,
        tags=tags,
        cluster_profile=models.ClusterProfile(
            pull_secret=pull_secret or "",
            domain=domain or random_id,
            resource_group_id=f"/subscriptions/{arm.subscription}/resourceGroups/{managed_group}",
            fips_validated_modules=enabled(fips_validated_modules),
            version=version or "",
        ),
        network_profile=models.NetworkProfile(
            pod_cidr=pod_cidr or "10.128.0.0/14",
            service_cidr=service_cidr or "172.30.0.0/16",
            outbound_type=outbound_type or "",
            load_balancer_profile=load_balancer_of(load_balancer_managed_outbound_ip_count),
            preconfigured_nsg=enabled(enable_preconfigured_nsg),
        ),
        master_profile=models.MasterProfile(
            vm_size=master_vm_size or "Standard_D8s_v5",
            subnet_id=master_subnet,
            encryption_at_host=enabled(master_encryption_at_host),
            disk_encryption_set_id=disk_encryption_set,
        ),
        worker_profiles=[
            models.WorkerProfile(
                name="worker",
                vm_size=worker_vm_size or ("Standard_D2s_v5" if is_development() else "Standard_D4s_v5"),
                disk_size_gb=worker_vm_disk_size_gb or 128,
                subnet_id=worker_subnet,
                count=worker_count or 3,
                encryption_at_host=enabled(worker_encryption_at_host),
                disk_encryption_set_id=disk_encryption_set,
            )
        ],
        apiserver_profile=models.APIServerProfile(visibility=(apiserver_visibility or "Public").capitalize()),
        ingress_profiles=[
            models.IngressProfile(name="default", visibility=(ingress_visibility or "Public").capitalize())
        ],
    )
    if enable_managed_identity:
        if not platform_workload_identities and not mi_user_assigned:
            own, *operators = _identities.create_required(
                arm, cmd.cli_ctx, client, (resource_group_name, location), version,
                scopes_wanted(vnet, master_subnet, worker_subnet, disk_encryption_set),
            )
            mi_user_assigned = own["id"]
            platform_workload_identities = [(each["name"], each["id"]) for each in operators]
        give_identities(cluster, mi_user_assigned, platform_workload_identities)
    else:
        client_id, client_secret, principals = ensure_service_principals(
            cmd.cli_ctx, client_id, client_secret, managed_group
        )
        cluster.service_principal_profile = models.ServicePrincipalProfile(
            client_id=client_id, client_secret=client_secret
        )
        ensure_roles(arm, cluster, True, principals)

    return sdk_no_wait(
        no_wait,
        client.open_shift_clusters.begin_create_or_update,
        resource_group_name=resource_group_name,
        resource_name=resource_name,
        parameters=cluster,
        cls=printed,
    )


def aro_validate(
    *,
    cmd,
    client,
    resource_group_name,
    resource_name,
    master_subnet,
    worker_subnet,
    vnet=None,
    vnet_resource_group_name=None,
    enable_preconfigured_nsg=None,
    cluster_resource_group=None,
    client_id=None,
    client_secret=None,
    disk_encryption_set=None,
    location=None,
    version=None,
    pod_cidr=None,
    service_cidr=None,
    enable_managed_identity=False,
    platform_workload_identities=None,
    mi_user_assigned=None,
):
    arm = Arm(cmd.cli_ctx)
    validate_subnets(master_subnet, worker_subnet)
    principals = [] if enable_managed_identity else service_principals(cmd.cli_ctx, client_id)
    plan = plan_of(
        master_subnet, worker_subnet, disk_encryption_set,
        vnet=default_vnet(vnet, master_subnet), location=location, version=version,
        pod_cidr=pod_cidr, service_cidr=service_cidr, preconfigured_nsg=bool(enable_preconfigured_nsg),
    )
    report(check_creation(arm, client, plan, principals, cmd.cli_ctx.get_progress_controller()), warnings_as_text=False)


def aro_identity_create_required(
    *,
    cmd,
    client,
    resource_group_name,
    location,
    version,
    master_subnet,
    worker_subnet,
    vnet=None,
    vnet_resource_group_name=None,
    disk_encryption_set=None,
):
    validate_subnets(master_subnet, worker_subnet)
    identities = _identities.create_required(
        Arm(cmd.cli_ctx), cmd.cli_ctx, client, (resource_group_name, location), version,
        scopes_wanted(default_vnet(vnet, master_subnet), master_subnet, worker_subnet, disk_encryption_set),
    )
    # The list has the same format as the output of `az identity create`.
    return [
        {**{key: value for key, value in each.items() if key != "properties"}, **each.get("properties", {})}
        for each in identities
    ]


def aro_identity_get_required(
    *,
    cmd,
    client,
    resource_group_name,
    location,
    version,
    master_subnet,
    worker_subnet,
    vnet=None,
    vnet_resource_group_name=None,
    disk_encryption_set=None,
):
    validate_subnets(master_subnet, worker_subnet)
    _identities.print_required(
        Arm(cmd.cli_ctx), client, (resource_group_name, location), version,
        scopes_wanted(default_vnet(vnet, master_subnet), master_subnet, worker_subnet, disk_encryption_set),
        # These lines are the command's output, so they are printed even if warnings are hidden.
        print if cmd.cli_ctx.only_show_errors else logger.warning,
    )


def require_registration(arm):
    if arm.provider(PROVIDER).get("registrationState") != "Registered":
        raise UnauthorizedError(
            f"{PROVIDER} provider is not registered.", f"Run `az provider register -n {PROVIDER} --wait`."
        )


def service_principals(cli_ctx, client_id):
    """Returns the service principals of the service and, if it exists, of the cluster."""
    directory = Directory(cli_ctx)
    service = require_service_principal(directory)
    own = directory.find_service_principal(client_id) if client_id is not None else None
    return [service, *([own] if own else [])]


def ensure_service_principals(cli_ctx, client_id, client_secret, display_name):
    """Returns the application of a cluster, and the object IDs of its and the service's service principals."""
    directory = Directory(cli_ctx)
    if client_id is None:
        client_id, client_secret = directory.create_application(display_name)
    own = directory.find_service_principal(client_id) or directory.create_service_principal(client_id)
    return client_id, client_secret, [own, require_service_principal(directory)]


def require_service_principal(directory):
    found = directory.find_service_principal(service_application())
    if not found:
        raise ResourceNotFoundError("RP service principal not found.")
    return found


def plan_of(master_subnet, worker_subnet, disk_encryption_set, **wanted):
    network = models.NetworkProfile(preconfigured_nsg=enabled(wanted["preconfigured_nsg"]))
    cluster = models.OpenShiftCluster(
        location="",
        network_profile=network,
        master_profile=models.MasterProfile(subnet_id=master_subnet, disk_encryption_set_id=disk_encryption_set),
        worker_profiles=[models.WorkerProfile(subnet_id=worker_subnet)],
    )
    return Plan(cluster=cluster, master_subnet=master_subnet, worker_subnet=worker_subnet, **wanted)


def scopes_wanted(vnet, master_subnet, worker_subnet, disk_encryption_set):
    return {
        "vnet": vnet,
        "master_subnet": master_subnet,
        "worker_subnet": worker_subnet,
        "disk_encryption_set": disk_encryption_set,
    }


def give_identities(body, own, operators):
    """Adds identities to a cluster or an update: the cluster's own, those of operators by name, or both."""
    if operators:
        identities = {name: models.PlatformWorkloadIdentity(resource_id=each) for name, each in operators}
        profile = body.platform_workload_identity_profile or models.PlatformWorkloadIdentityProfile()
        profile.platform_workload_identities = identities
        body.platform_workload_identity_profile = profile
    if own:
        body.identity = models.ManagedServiceIdentity(type="UserAssigned", user_assigned_identities={own: {}})


def load_balancer_of(count):
    if count is None:
        return None
    return models.LoadBalancerProfile(managed_outbound_ips=models.ManagedOutboundIPs(count=count))


def enabled(flag):
    return "Enabled" if flag else "Disabled"


def generate_random_id():
    """Returns a random name that begins with a letter, like a domain name."""
    rest = random.choices(string.ascii_lowercase + string.digits, k=7)
    return random.choice(string.ascii_lowercase) + "".join(rest)

"""The arguments of commands."""

from azure.cli.core.commands.parameters import (
    get_enum_type,
    get_three_state_flag,
    name_type,
    resource_group_name_type,
    tags_type,
)
from azure.cli.core.commands.validators import get_default_location_from_resource_group

from . import _validate_arguments as arguments
from . import _validate_resources as resources
from ._actions import AddWorkloadIdentity

VISIBILITIES = ["Private", "Public"]


def load_arguments(loader):
    with loader.argument_context("aro") as context:
        _place(context)
        _service_principal(context, is_create=True)
        _identities(context, is_create=True)
        _network(context)
        _machines(context)
    with loader.argument_context("aro update") as context:
        _service_principal(context, is_create=False)
        _identities(context, is_create=False)
        context.argument(
            "refresh_cluster_credentials",
            arg_type=get_three_state_flag(),
            options_list=["--refresh-credentials"],
            help="Refresh cluster application credentials.",
            validator=arguments.validate_refresh_credentials,
        )
        context.argument(
            "upgradeable_to",
            arg_group="Identity",
            options_list=["--upgradeable-to"],
            help="OpenShift version to upgrade to.",
            validator=arguments.validate_upgradeable_to,
        )
    with loader.argument_context("aro get-admin-kubeconfig") as context:
        context.argument(
            "file",
            options_list=["--file", "-f"],
            help="Path to the file where kubeconfig should be saved. Default: kubeconfig in local directory",
        )
    with loader.argument_context("aro delete") as context:
        context.argument(
            "delete_identities",
            arg_group="Identity",
            arg_type=get_three_state_flag(),
            help="Delete the cluster's associated managed identities together with the cluster.",
            validator=arguments.validate_delete_identities,
        )
    with loader.argument_context("aro watch") as context:
        context.argument("timeout", type=int, help="Time limit in seconds. [Default: no limit]")


def _place(context):
    context.argument("location", validator=get_default_location_from_resource_group)
    context.argument("resource_name", name_type, help="Name of cluster.")
    context.argument(
        "tags",
        tags_type,
        help="Tags to be assigned to the openShiftCluster resource. " + tags_type.settings.get("help", ""),
    )
    context.argument("pull_secret", help="Pull secret of cluster.", validator=arguments.validate_pull_secret)
    context.argument("domain", help="Domain of cluster.", validator=arguments.validate_domain)
    context.argument(
        "cluster_resource_group",
        help="Resource group of cluster.",
        validator=resources.validate_cluster_resource_group,
    )
    context.argument(
        "fips_validated_modules",
        arg_type=get_three_state_flag(),
        options_list=["--fips-validated-modules", "--fips"],
        help="Use FIPS validated cryptography modules. [Default: false]",
    )
    context.argument(
        "version",
        options_list=["--version", context.deprecate(target="--install-version", redirect="--version", hide=True)],
        help="OpenShift version to use for cluster creation.",
        validator=arguments.validate_version,
    )


def _service_principal(context, is_create):
    context.argument(
        "client_id",
        help="Client ID of cluster service principal.",
        validator=arguments.validate_client_id(is_create),
    )
    context.argument(
        "client_secret",
        help="Client secret of cluster service principal.",
        validator=arguments.validate_client_secret(is_create),
    )


def _identities(context, is_create):
    if is_create:
        context.argument(
            "enable_managed_identity",
            arg_group="Identity",
            arg_type=get_three_state_flag(),
            options_list=["--enable-managed-identity", "--enable-mi"],
            help="Enable managed identity for this cluster.",
            validator=arguments.validate_managed_identity,
        )
    context.argument(
        "platform_workload_identities",
        arg_group="Identity",
        options_list=["--assign-platform-workload-identity", "--assign-platform-wi"],
        help="Assign a platform workload identity used within the cluster. Requires two values: an operator name and "
        "either the name or resource ID of the Azure identity to use for it.",
        validator=resources.validate_platform_workload_identities(is_create),
        action=AddWorkloadIdentity,
        nargs="+",
    )
    context.argument(
        "mi_user_assigned",
        arg_group="Identity",
        options_list=["--mi-user-assigned", "--assign-cluster-identity"],
        help="Set the user managed identity on the cluster. Value must be an identity name or resource ID.",
        validator=resources.validate_cluster_identity(is_create),
    )


def _network(context):
    for key, default in (("pod_cidr", "10.128.0.0/14"), ("service_cidr", "172.30.0.0/16")):
        context.argument(
            key,
            help=f"CIDR of {key.partition('_')[0]} network. Must be a minimum of /18 or larger. [Default: {default}]",
            validator=arguments.validate_cidr(key),
        )
    context.argument(
        "outbound_type",
        help='Outbound type of cluster. Must be "Loadbalancer" or "UserDefinedRouting". [Default: Loadbalancer]',
        validator=arguments.validate_outbound_type,
    )
    context.argument(
        "enable_preconfigured_nsg",
        arg_type=get_three_state_flag(),
        help="Use Preconfigured NSGs. Allowed values: false, true. [Default: false]",
    )
    for key, what in (("apiserver_visibility", "API server"), ("ingress_visibility", "Ingress")):
        context.argument(
            key,
            arg_type=get_enum_type(VISIBILITIES),
            help=f"{what} visibility. [Default: Public]",
            validator=arguments.validate_visibility(key),
        )
    context.argument(
        "vnet_resource_group_name",
        resource_group_name_type,
        options_list=["--vnet-resource-group"],
        help="Name of vnet resource group.",
        validator=resources.validate_vnet_resource_group,
    )
    context.argument(
        "vnet",
        help="Name or ID of vnet.  If name is supplied, `--vnet-resource-group` must be supplied.",
        validator=resources.validate_vnet,
    )
    for key in ("master_subnet", "worker_subnet"):
        context.argument(
            key,
            help=f"Name or ID of {key.partition('_')[0]} vnet subnet.  If name is supplied, `--vnet` must be supplied.",
            validator=resources.validate_subnet(key),
        )
    context.argument(
        "load_balancer_managed_outbound_ip_count",
        type=int,
        options_list=["--load-balancer-managed-outbound-ip-count", "--lb-ip-count"],
        help="The desired number of IPv4 outbound IPs created and managed by Azure for the cluster public load "
        "balancer.",
        validator=arguments.validate_outbound_ip_count,
    )


def _machines(context):
    context.argument(
        "disk_encryption_set",
        help="ResourceID of the DiskEncryptionSet to be used for master and worker VMs.",
        validator=resources.validate_disk_encryption_set,
    )
    for kind, size in (("master", "Standard_D8s_v5"), ("worker", "Standard_D4s_v5")):
        context.argument(
            f"{kind}_encryption_at_host",
            arg_type=get_three_state_flag(),
            options_list=[f"--{kind}-encryption-at-host", f"--{kind}-enc-host"],
            help=f"Encryption at host flag for {kind} VMs. [Default: false]",
        )
        context.argument(f"{kind}_vm_size", help=f"Size of {kind} VMs. [Default: {size}]")
    context.argument(
        "worker_vm_disk_size_gb",
        type=int,
        help="Disk size in GB of worker VMs. [Default: 128]",
        validator=arguments.validate_worker_disk_size,
    )
    context.argument(
        "worker_count",
        type=int,
        help="Count of worker VMs. [Default: 3]",
        validator=arguments.validate_worker_count,
    )

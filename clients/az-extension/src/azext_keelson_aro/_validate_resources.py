"""Checks of arguments that name resources."""

from azure.cli.core.azclierror import (
    CLIInternalError,
    InvalidArgumentValueError,
    RequiredArgumentMissingError,
)
from azure.cli.core.commands.client_factory import get_subscription_id
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.mgmt.core.tools import is_valid_resource_id, parse_resource_id, resource_id

from ._arm import Arm, identity_id, is_identity
from ._validate_arguments import option, validate_no_duplicates


def validate_cluster_resource_group(cmd, namespace):
    name = namespace.cluster_resource_group
    if name is not None and Arm(cmd.cli_ctx).group_exists(name):
        raise InvalidArgumentValueError(f"Invalid --cluster-resource-group '{name}': resource group must not exist.")


def validate_disk_encryption_set(cmd, namespace):
    identifier = namespace.disk_encryption_set
    if identifier is None:
        return
    if not is_valid_resource_id(identifier):
        raise InvalidArgumentValueError(f"Invalid --disk-encryption-set '{identifier}', has to be a resource ID.")
    try:
        Arm(cmd.cli_ctx).disk_encryption_set(identifier)
    except HttpResponseError as error:
        raise InvalidArgumentValueError(
            f"Invalid --disk-encryption-set, error when getting '{identifier}': {error}"
        ) from error


def validate_vnet_resource_group(namespace):
    if not namespace.vnet_resource_group_name:
        namespace.vnet_resource_group_name = namespace.resource_group_name


def validate_vnet(cmd, namespace):
    """Converts a name to an ID."""
    validate_vnet_resource_group(namespace)
    if namespace.vnet and not is_valid_resource_id(namespace.vnet):
        namespace.vnet = resource_id(
            subscription=get_subscription_id(cmd.cli_ctx),
            resource_group=namespace.vnet_resource_group_name,
            namespace="Microsoft.Network",
            type="virtualNetworks",
            name=namespace.vnet,
        )


def validate_subnet(key):
    """Converts a name to the ID of an existing subnet."""

    def validate(cmd, namespace):
        subnet = getattr(namespace, key)
        if not is_valid_resource_id(subnet):
            if not namespace.vnet:
                raise RequiredArgumentMissingError(f"Must specify --vnet if {option(key)} is not an id.")
            validate_vnet(cmd, namespace)
            subnet = f"{namespace.vnet}/subnets/{subnet}"
            setattr(namespace, key, subnet)
        validate_subnet_id(option(key), subnet, get_subscription_id(cmd.cli_ctx))
        try:
            Arm(cmd.cli_ctx).network_resource(subnet)
        except ResourceNotFoundError as error:
            raise InvalidArgumentValueError(f"Invalid {option(key)}, error when getting '{subnet}': {error}") from error
        except HttpResponseError as error:
            raise CLIInternalError(f"Unexpected error when getting subnet '{subnet}': {error}") from error

    return validate


def validate_subnet_id(name, subnet, subscription):
    parts = parse_resource_id(subnet)
    if parts["subscription"] != subscription:
        raise InvalidArgumentValueError(
            f"{name} subscription '{parts['subscription']}' must equal cluster subscription."
        )
    if parts["namespace"].lower() != "microsoft.network":
        raise InvalidArgumentValueError(f"{name} namespace '{parts['namespace']}' must equal Microsoft.Network.")
    if parts["type"].lower() != "virtualnetworks":
        raise InvalidArgumentValueError(f"{name} type '{parts['type']}' must equal virtualNetworks.")
    if parts.get("last_child_num") != 1:
        raise InvalidArgumentValueError(f"{name} '{subnet}' must have one child.")
    if "child_namespace_1" in parts:
        raise InvalidArgumentValueError(f"{name} '{subnet}' must not have child namespace.")
    if parts["child_type_1"].lower() != "subnets":
        raise InvalidArgumentValueError(f"{name} child type '{subnet}' must equal subnets.")


def validate_platform_workload_identities(is_create):
    """Converts names to IDs of identities."""

    def validate(cmd, namespace):
        if namespace.platform_workload_identities is None:
            return
        if is_create and not namespace.enable_managed_identity:
            raise RequiredArgumentMissingError(
                "Must set --enable-managed-identity when providing platform workload identities"
            )
        validate_no_duplicates(namespace)
        namespace.platform_workload_identities = [
            (name, _identity(cmd, namespace, given, f"platform workload identity {name}"))
            for name, given in namespace.platform_workload_identities
        ]

    return validate


def validate_cluster_identity(is_create):
    def validate(cmd, namespace):
        if namespace.mi_user_assigned is None:
            return
        if is_create and not namespace.enable_managed_identity:
            raise RequiredArgumentMissingError(
                "Must set --enable-managed-identity when providing a cluster identity"
            )
        given = namespace.mi_user_assigned
        namespace.mi_user_assigned = _identity(cmd, namespace, given, "cluster user assigned identity")

    return validate


def _identity(cmd, namespace, given, used_for):
    identifier = given
    if not is_valid_resource_id(given):
        identifier = identity_id(get_subscription_id(cmd.cli_ctx), namespace.resource_group_name, given)
    if not is_identity(identifier):
        raise InvalidArgumentValueError(
            f"Resource {identifier} used for {used_for} is not a valid userAssignedIdentity"
        )
    return identifier

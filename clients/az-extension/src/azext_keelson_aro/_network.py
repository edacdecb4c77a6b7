"""Resources of a virtual network that a cluster uses."""

from azure.cli.core.azclierror import ValidationError
from azure.core.exceptions import ResourceNotFoundError
from azure.mgmt.core.tools import parse_resource_id
from knack.log import get_logger

from ._arm import vnet_of

logger = get_logger(__name__)


KINDS = ("routeTable", "natGateway", "networkSecurityGroup")


def attached_resources(arm, subnets, strict=False, preconfigured_nsg=False):
    """Returns IDs of resources attached to the subnets, by kind, one of `KINDS`.

    Clusters with preconfigured network security groups have one on every subnet or on none.
    """
    attached = {}
    without_nsg = []
    for subnet in subnets:
        parts = parse_resource_id(subnet)
        if not all(parts.get(part) for part in ("resource_group", "name", "resource_name")):
            if strict:
                raise ValidationError(
                    f"(ValidationError) Failed to validate subnet '{subnet}'. "
                    "Please retry, if issue persists: raise an Azure support ticket."
                )
            logger.info("Failed to validate subnet '%s'", subnet)
            continue
        try:
            properties = arm.network_resource(subnet).get("properties") or {}
        except ResourceNotFoundError:
            continue
        for kind in KINDS:
            if properties.get(kind):
                attached[kind] = properties[kind]["id"]
        if not properties.get("networkSecurityGroup"):
            without_nsg.append(subnet)
    if preconfigured_nsg and 0 < len(without_nsg) < len(subnets):
        raise ValidationError(
            "(ValidationError) preconfiguredNSG feature is enabled but an NSG is "
            "not attached for all required subnets. Please make sure all the following "
            "subnets have a network security groups attached and retry. "
            f"{without_nsg}"
        )
    return attached


def network_resources(arm, cluster, strict):
    """Returns IDs of a cluster's virtual network and of resources attached to its subnets."""
    master = cluster.master_profile.subnet_id
    profiles = [*(cluster.worker_profiles or []), *(cluster.worker_profiles_status or [])]
    workers = {profile.subnet_id for profile in profiles if profile.subnet_id}
    network = cluster.network_profile
    preconfigured = network is not None and network.preconfigured_nsg == "Enabled"
    subnets = [master, *sorted(workers - {master})]
    attached = attached_resources(arm, subnets, strict, preconfigured)
    if not preconfigured:
        # Without a preconfigured network security group, the service creates a new network security group.
        attached.pop("networkSecurityGroup", None)
    return {vnet_of(master), *attached.values()}


def disk_encryption_sets(cluster):
    identifier = cluster.master_profile.disk_encryption_set_id
    return {identifier} if identifier else set()

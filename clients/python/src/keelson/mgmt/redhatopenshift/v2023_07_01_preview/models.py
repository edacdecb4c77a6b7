# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Optional, Union, overload

from azure.core import CaseInsensitiveEnumMeta

from .._model import Model, flattened_field, rest_field
from ..v2019_12_31_preview.models import (
    APIServerProfile,
    CloudError,
    CloudErrorBody,
    ConsoleProfile,
    Display,
    IngressProfile,
    OpenShiftClusterCredentials,
    Operation,
    OperationList,
    ServicePrincipalProfile,
    Visibility,
)
from ..v2022_04_01.models import (
    ClusterProfile,
    FipsValidatedModules,
    MasterProfile,
    WorkerProfile,
)
from ..v2021_09_01_preview.models import (
    CreatedByType,
    EncryptionAtHost,
    OpenShiftClusterAdminKubeconfig,
    Resource,
    SystemData,
    TrackedResource,
)
from ..v2022_09_04.models import (
    OpenShiftVersion,
    OpenShiftVersionList,
    OpenShiftVersionProperties,
    ProxyResource,
)
from ..v2023_04_01.models import (
    OutboundType,
)

__all__ = [
    "APIServerProfile",
    "CloudError",
    "CloudErrorBody",
    "ClusterProfile",
    "ConsoleProfile",
    "CreatedByType",
    "Display",
    "EffectiveOutboundIP",
    "EncryptionAtHost",
    "FipsValidatedModules",
    "IngressProfile",
    "LoadBalancerProfile",
    "ManagedOutboundIPs",
    "MasterProfile",
    "NetworkProfile",
    "OpenShiftCluster",
    "OpenShiftClusterAdminKubeconfig",
    "OpenShiftClusterCredentials",
    "OpenShiftClusterList",
    "OpenShiftClusterProperties",
    "OpenShiftClusterUpdate",
    "OpenShiftVersion",
    "OpenShiftVersionList",
    "OpenShiftVersionProperties",
    "Operation",
    "OperationList",
    "OutboundIP",
    "OutboundIPPrefix",
    "OutboundType",
    "ProvisioningState",
    "ProxyResource",
    "Resource",
    "ServicePrincipalProfile",
    "SystemData",
    "TrackedResource",
    "Visibility",
    "WorkerProfile",
]


class EffectiveOutboundIP(Model):
    """An outbound address."""

    id: Optional[str] = rest_field("id")
    """Resource ID of the address."""

    @overload
    def __init__(
        self,
        *,
        id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class LoadBalancerProfile(Model):
    """The public load balancer of a cluster. A preview version published additional properties that were never implemented."""

    managed_outbound_ips: Optional[ManagedOutboundIPs] = rest_field("managedOutboundIps", of=lambda: ManagedOutboundIPs)
    """The outbound addresses managed by the service."""
    effective_outbound_ips: Optional[list[EffectiveOutboundIP]] = rest_field("effectiveOutboundIps", read_only=True, of=lambda: EffectiveOutboundIP, many="list")
    """The effective outbound addresses."""
    outbound_ips: Optional[list[OutboundIP]] = rest_field("outboundIps", of=lambda: OutboundIP, many="list")
    """Outbound addresses of the customer."""
    outbound_ip_prefixes: Optional[list[OutboundIPPrefix]] = rest_field("outboundIpPrefixes", of=lambda: OutboundIPPrefix, many="list")
    """Prefixes of outbound addresses of the customer."""
    allocated_outbound_ports: Optional[int] = rest_field("allocatedOutboundPorts")
    """Number of SNAT ports per machine: 0 to 64000."""

    @overload
    def __init__(
        self,
        *,
        managed_outbound_ips: Optional[ManagedOutboundIPs] = None,
        outbound_ips: Optional[list[OutboundIP]] = None,
        outbound_ip_prefixes: Optional[list[OutboundIPPrefix]] = None,
        allocated_outbound_ports: Optional[int] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ManagedOutboundIPs(Model):
    """The outbound addresses managed by the service."""

    count: Optional[int] = rest_field("count")
    """Number of addresses: 1 to 20. Default: 1."""

    @overload
    def __init__(
        self,
        *,
        count: Optional[int] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class NetworkProfile(Model):
    """The network of a cluster."""

    pod_cidr: Optional[str] = rest_field("podCidr")
    """The address range of pods (CIDR)."""
    service_cidr: Optional[str] = rest_field("serviceCidr")
    """The address range of services (CIDR)."""
    outbound_type: Optional[Union[str, OutboundType]] = rest_field("outboundType")
    """The cluster's outbound connectivity."""
    load_balancer_profile: Optional[LoadBalancerProfile] = rest_field("loadBalancerProfile", of=lambda: LoadBalancerProfile)
    """The public load balancer."""

    @overload
    def __init__(
        self,
        *,
        pod_cidr: Optional[str] = None,
        service_cidr: Optional[str] = None,
        outbound_type: Optional[Union[str, OutboundType]] = None,
        load_balancer_profile: Optional[LoadBalancerProfile] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OpenShiftClusterList(Model):
    """One page of clusters."""

    value: Optional[list[OpenShiftCluster]] = rest_field("value", of=lambda: OpenShiftCluster, many="list")
    """The elements of this page."""
    next_link: Optional[str] = rest_field("nextLink")
    """URL of the next page. Absent from the last page."""

    @overload
    def __init__(
        self,
        *,
        value: Optional[list[OpenShiftCluster]] = None,
        next_link: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OpenShiftClusterProperties(Model):
    """The properties of a cluster."""

    provisioning_state: Optional[Union[str, ProvisioningState]] = rest_field("provisioningState")
    """The provisioning state."""
    cluster_profile: Optional[ClusterProfile] = rest_field("clusterProfile", of=lambda: ClusterProfile)
    """The cluster's own settings."""
    console_profile: Optional[ConsoleProfile] = rest_field("consoleProfile", of=lambda: ConsoleProfile)
    """The web console."""
    service_principal_profile: Optional[ServicePrincipalProfile] = rest_field("servicePrincipalProfile", of=lambda: ServicePrincipalProfile)
    """The service principal with which the cluster calls Azure."""
    network_profile: Optional[NetworkProfile] = rest_field("networkProfile", of=lambda: NetworkProfile)
    """The network."""
    master_profile: Optional[MasterProfile] = rest_field("masterProfile", of=lambda: MasterProfile)
    """The machines of the control plane."""
    worker_profiles: Optional[list[WorkerProfile]] = rest_field("workerProfiles", of=lambda: WorkerProfile, many="list")
    """The requested workers."""
    apiserver_profile: Optional[APIServerProfile] = rest_field("apiserverProfile", of=lambda: APIServerProfile)
    """The API server."""
    ingress_profiles: Optional[list[IngressProfile]] = rest_field("ingressProfiles", of=lambda: IngressProfile, many="list")
    """The ingress endpoints of applications."""

    @overload
    def __init__(
        self,
        *,
        provisioning_state: Optional[Union[str, ProvisioningState]] = None,
        cluster_profile: Optional[ClusterProfile] = None,
        console_profile: Optional[ConsoleProfile] = None,
        service_principal_profile: Optional[ServicePrincipalProfile] = None,
        network_profile: Optional[NetworkProfile] = None,
        master_profile: Optional[MasterProfile] = None,
        worker_profiles: Optional[list[WorkerProfile]] = None,
        apiserver_profile: Optional[APIServerProfile] = None,
        ingress_profiles: Optional[list[IngressProfile]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OpenShiftClusterUpdate(Model):
    """Update of a cluster."""

    tags: Optional[dict[str, str]] = rest_field("tags")
    """Resource tags. They replace all existing tags."""
    properties: Optional[OpenShiftClusterProperties] = rest_field("properties", of=lambda: OpenShiftClusterProperties)
    """The cluster's properties."""
    provisioning_state: Optional[Union[str, ProvisioningState]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    cluster_profile: Optional[ClusterProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    console_profile: Optional[ConsoleProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    service_principal_profile: Optional[ServicePrincipalProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    network_profile: Optional[NetworkProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    master_profile: Optional[MasterProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    worker_profiles: Optional[list[WorkerProfile]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    apiserver_profile: Optional[APIServerProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    ingress_profiles: Optional[list[IngressProfile]] = flattened_field("properties", lambda: OpenShiftClusterProperties)

    @overload
    def __init__(
        self,
        *,
        tags: Optional[dict[str, str]] = None,
        properties: Optional[OpenShiftClusterProperties] = None,
        provisioning_state: Optional[Union[str, ProvisioningState]] = None,
        cluster_profile: Optional[ClusterProfile] = None,
        console_profile: Optional[ConsoleProfile] = None,
        service_principal_profile: Optional[ServicePrincipalProfile] = None,
        network_profile: Optional[NetworkProfile] = None,
        master_profile: Optional[MasterProfile] = None,
        worker_profiles: Optional[list[WorkerProfile]] = None,
        apiserver_profile: Optional[APIServerProfile] = None,
        ingress_profiles: Optional[list[IngressProfile]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OutboundIP(Model):
    """An outbound address of the customer."""

    id: Optional[str] = rest_field("id")
    """Resource ID of the address."""

    @overload
    def __init__(
        self,
        *,
        id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OutboundIPPrefix(Model):
    """A prefix of outbound addresses of the customer."""

    id: Optional[str] = rest_field("id")
    """Resource ID of the prefix."""

    @overload
    def __init__(
        self,
        *,
        id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ProvisioningState(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """Provisioning state of a cluster: the in-flight operation, or the result of the last one."""

    ADMIN_UPDATING = "AdminUpdating"
    CANCELLED = "Cancelled"
    CREATING = "Creating"
    DELETING = "Deleting"
    FAILED = "Failed"
    SUCCEEDED = "Succeeded"
    UPDATING = "Updating"


class OpenShiftCluster(TrackedResource):
    """An OpenShift cluster."""

    properties: Optional[OpenShiftClusterProperties] = rest_field("properties", of=lambda: OpenShiftClusterProperties)
    """The cluster's own properties."""
    provisioning_state: Optional[Union[str, ProvisioningState]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    cluster_profile: Optional[ClusterProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    console_profile: Optional[ConsoleProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    service_principal_profile: Optional[ServicePrincipalProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    network_profile: Optional[NetworkProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    master_profile: Optional[MasterProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    worker_profiles: Optional[list[WorkerProfile]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    apiserver_profile: Optional[APIServerProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    ingress_profiles: Optional[list[IngressProfile]] = flattened_field("properties", lambda: OpenShiftClusterProperties)

    @overload
    def __init__(
        self,
        *,
        location: str,
        tags: Optional[dict[str, str]] = None,
        properties: Optional[OpenShiftClusterProperties] = None,
        provisioning_state: Optional[Union[str, ProvisioningState]] = None,
        cluster_profile: Optional[ClusterProfile] = None,
        console_profile: Optional[ConsoleProfile] = None,
        service_principal_profile: Optional[ServicePrincipalProfile] = None,
        network_profile: Optional[NetworkProfile] = None,
        master_profile: Optional[MasterProfile] = None,
        worker_profiles: Optional[list[WorkerProfile]] = None,
        apiserver_profile: Optional[APIServerProfile] = None,
        ingress_profiles: Optional[list[IngressProfile]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

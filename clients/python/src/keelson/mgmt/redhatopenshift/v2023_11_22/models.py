# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Optional, Union, overload

from azure.core import CaseInsensitiveEnumMeta

from .._model import Model, flattened_field, rest_field
from ..v2019_12_31_preview.models import (
    CloudError,
    CloudErrorBody,
    Display,
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
from ..v2023_07_01_preview.models import (
    EffectiveOutboundIP,
    ManagedOutboundIPs,
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
from ..v2023_09_04.models import (
    PreconfiguredNSG,
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
    "OutboundType",
    "PreconfiguredNSG",
    "ProvisioningState",
    "ProxyResource",
    "Resource",
    "ServicePrincipalProfile",
    "SystemData",
    "TrackedResource",
    "Visibility",
    "WorkerProfile",
]


class APIServerProfile(Model):
    """The API server of a cluster."""

    visibility: Optional[Union[str, Visibility]] = rest_field("visibility")
    """Visibility of the API server."""
    url: Optional[str] = rest_field("url", read_only=True)
    """URL of the API server."""
    ip: Optional[str] = rest_field("ip", read_only=True)
    """Address of the API server."""

    @overload
    def __init__(
        self,
        *,
        visibility: Optional[Union[str, Visibility]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ConsoleProfile(Model):
    """The web console."""

    url: Optional[str] = rest_field("url", read_only=True)
    """URL of the console."""


class IngressProfile(Model):
    """Ingress endpoint of a cluster's applications."""

    name: Optional[str] = rest_field("name")
    """Name of the ingress endpoint."""
    visibility: Optional[Union[str, Visibility]] = rest_field("visibility")
    """Visibility of the ingress endpoint."""
    ip: Optional[str] = rest_field("ip", read_only=True)
    """Address of the ingress endpoint."""

    @overload
    def __init__(
        self,
        *,
        name: Optional[str] = None,
        visibility: Optional[Union[str, Visibility]] = None,
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

    @overload
    def __init__(
        self,
        *,
        managed_outbound_ips: Optional[ManagedOutboundIPs] = None,
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
    preconfigured_nsg: Optional[Union[str, PreconfiguredNSG]] = rest_field("preconfiguredNSG")
    """State of preconfigured network security groups, which the customer attaches to the subnets."""

    @overload
    def __init__(
        self,
        *,
        pod_cidr: Optional[str] = None,
        service_cidr: Optional[str] = None,
        outbound_type: Optional[Union[str, OutboundType]] = None,
        load_balancer_profile: Optional[LoadBalancerProfile] = None,
        preconfigured_nsg: Optional[Union[str, PreconfiguredNSG]] = None,
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
    worker_profiles_status: Optional[list[WorkerProfile]] = rest_field("workerProfilesStatus", read_only=True, of=lambda: WorkerProfile, many="list")
    """The existing workers."""
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
    worker_profiles_status: Optional[list[WorkerProfile]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
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
        worker_profiles_status: Optional[list[WorkerProfile]] = None,
        apiserver_profile: Optional[APIServerProfile] = None,
        ingress_profiles: Optional[list[IngressProfile]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ProvisioningState(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """Provisioning state of a cluster: the in-flight operation, or the result of the last one."""

    ADMIN_UPDATING = "AdminUpdating"
    CANCELED = "Canceled"
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
    worker_profiles_status: Optional[list[WorkerProfile]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
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
        worker_profiles_status: Optional[list[WorkerProfile]] = None,
        apiserver_profile: Optional[APIServerProfile] = None,
        ingress_profiles: Optional[list[IngressProfile]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Optional, Union, overload

from azure.core import CaseInsensitiveEnumMeta

from .._model import Model, flattened_field, rest_field

__all__ = [
    "APIServerProfile",
    "CloudError",
    "CloudErrorBody",
    "ClusterProfile",
    "ConsoleProfile",
    "Display",
    "IngressProfile",
    "MasterProfile",
    "NetworkProfile",
    "OpenShiftCluster",
    "OpenShiftClusterCredentials",
    "OpenShiftClusterList",
    "OpenShiftClusterProperties",
    "OpenShiftClusterUpdate",
    "Operation",
    "OperationList",
    "ProvisioningState",
    "Resource",
    "ServicePrincipalProfile",
    "TrackedResource",
    "VMSize",
    "Visibility",
    "WorkerProfile",
]


class APIServerProfile(Model):
    """The API server of a cluster."""

    visibility: Optional[Union[str, Visibility]] = rest_field("visibility")
    """Visibility of the API server."""
    url: Optional[str] = rest_field("url")
    """URL of the API server."""
    ip: Optional[str] = rest_field("ip")
    """Address of the API server."""

    @overload
    def __init__(
        self,
        *,
        visibility: Optional[Union[str, Visibility]] = None,
        url: Optional[str] = None,
        ip: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class CloudError(Model):
    """Error response."""

    error: Optional[CloudErrorBody] = rest_field("error", of=lambda: CloudErrorBody)
    """The error."""

    @overload
    def __init__(
        self,
        *,
        error: Optional[CloudErrorBody] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class CloudErrorBody(Model):
    """An error or one of its details."""

    code: Optional[str] = rest_field("code")
    """Machine-readable error code, which does not change."""
    message: Optional[str] = rest_field("message")
    """Human-readable error message."""
    target: Optional[str] = rest_field("target")
    """The invalid property of the request."""
    details: Optional[list[CloudErrorBody]] = rest_field("details", of=lambda: CloudErrorBody, many="list")
    """The individual errors."""

    @overload
    def __init__(
        self,
        *,
        code: Optional[str] = None,
        message: Optional[str] = None,
        target: Optional[str] = None,
        details: Optional[list[CloudErrorBody]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ClusterProfile(Model):
    """Profile of a cluster."""

    pull_secret: Optional[str] = rest_field("pullSecret")
    """Pull secret for Red Hat's registries, as JSON. Never returned."""
    domain: Optional[str] = rest_field("domain")
    """DNS domain of the cluster, or a label below the service's domain."""
    version: Optional[str] = rest_field("version")
    """The version of OpenShift."""
    resource_group_id: Optional[str] = rest_field("resourceGroupId")
    """Resource ID of the managed resource group, which contains the cluster's Azure resources."""

    @overload
    def __init__(
        self,
        *,
        pull_secret: Optional[str] = None,
        domain: Optional[str] = None,
        version: Optional[str] = None,
        resource_group_id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ConsoleProfile(Model):
    """The web console."""

    url: Optional[str] = rest_field("url")
    """URL of the console."""

    @overload
    def __init__(
        self,
        *,
        url: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class Display(Model):
    """Display names of an operation."""

    provider: Optional[str] = rest_field("provider")
    """The resource provider."""
    resource: Optional[str] = rest_field("resource")
    """The type of resource."""
    operation: Optional[str] = rest_field("operation")
    """The operation on the resource type."""
    description: Optional[str] = rest_field("description")
    """Description of the operation."""

    @overload
    def __init__(
        self,
        *,
        provider: Optional[str] = None,
        resource: Optional[str] = None,
        operation: Optional[str] = None,
        description: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class IngressProfile(Model):
    """Ingress endpoint of a cluster's applications."""

    name: Optional[str] = rest_field("name")
    """Name of the ingress endpoint."""
    visibility: Optional[Union[str, Visibility]] = rest_field("visibility")
    """Visibility of the ingress endpoint."""
    ip: Optional[str] = rest_field("ip")
    """Address of the ingress endpoint."""

    @overload
    def __init__(
        self,
        *,
        name: Optional[str] = None,
        visibility: Optional[Union[str, Visibility]] = None,
        ip: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class MasterProfile(Model):
    """The machines of the control plane."""

    vm_size: Optional[Union[str, VMSize]] = rest_field("vmSize")
    """VM size of the masters."""
    subnet_id: Optional[str] = rest_field("subnetId")
    """Resource ID of the masters' subnet."""

    @overload
    def __init__(
        self,
        *,
        vm_size: Optional[Union[str, VMSize]] = None,
        subnet_id: Optional[str] = None,
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

    @overload
    def __init__(
        self,
        *,
        pod_cidr: Optional[str] = None,
        service_cidr: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OpenShiftClusterCredentials(Model):
    """Credentials of kubeadmin."""

    kubeadmin_username: Optional[str] = rest_field("kubeadminUsername")
    """The name of the user."""
    kubeadmin_password: Optional[str] = rest_field("kubeadminPassword")
    """The password of the user."""

    @overload
    def __init__(
        self,
        *,
        kubeadmin_username: Optional[str] = None,
        kubeadmin_password: Optional[str] = None,
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


class Operation(Model):
    """Operation of the resource provider, which Azure roles can permit."""

    name: Optional[str] = rest_field("name")
    """Name of the operation: {provider}/{resource}/{operation}."""
    display: Optional[Display] = rest_field("display", of=lambda: Display)
    """Display names of the operation."""
    origin: Optional[str] = rest_field("origin")
    """Permitted kinds of callers, separated by commas: "user,system"."""

    @overload
    def __init__(
        self,
        *,
        name: Optional[str] = None,
        display: Optional[Display] = None,
        origin: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OperationList(Model):
    """One page of the provider's operations."""

    value: Optional[list[Operation]] = rest_field("value", of=lambda: Operation, many="list")
    """The elements of this page."""
    next_link: Optional[str] = rest_field("nextLink")
    """URL of the next page. Absent from the last page."""

    @overload
    def __init__(
        self,
        *,
        value: Optional[list[Operation]] = None,
        next_link: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ProvisioningState(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """Provisioning state of a cluster: the in-flight operation, or the result of the last one."""

    ADMIN_UPDATING = "AdminUpdating"
    CREATING = "Creating"
    DELETING = "Deleting"
    FAILED = "Failed"
    SUCCEEDED = "Succeeded"
    UPDATING = "Updating"


class Resource(Model):
    """Common fields that are returned in the response for all Azure Resource Manager resources"""

    id: Optional[str] = rest_field("id", read_only=True)
    """Fully qualified resource ID for the resource. Ex - /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/{resourceProviderNamespace}/{resourceType}/{resourceName}"""
    name: Optional[str] = rest_field("name", read_only=True)
    """The name of the resource"""
    type: Optional[str] = rest_field("type", read_only=True)
    """The type of the resource. E.g. "Microsoft.Compute/virtualMachines" or "Microsoft.Storage/storageAccounts"
    """


class ServicePrincipalProfile(Model):
    """A service principal of the customer."""

    client_id: Optional[str] = rest_field("clientId")
    """Client ID of the service principal."""
    client_secret: Optional[str] = rest_field("clientSecret")
    """Client secret of the service principal. Never returned."""

    @overload
    def __init__(
        self,
        *,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class VMSize(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """Machine sizes, in versions that list them."""

    STANDARD_D16_AS_V4 = "Standard_D16as_v4"
    STANDARD_D16_S_V3 = "Standard_D16s_v3"
    STANDARD_D2_S_V3 = "Standard_D2s_v3"
    STANDARD_D32_AS_V4 = "Standard_D32as_v4"
    STANDARD_D32_S_V3 = "Standard_D32s_v3"
    STANDARD_D4_AS_V4 = "Standard_D4as_v4"
    STANDARD_D4_S_V3 = "Standard_D4s_v3"
    STANDARD_D8_AS_V4 = "Standard_D8as_v4"
    STANDARD_D8_S_V3 = "Standard_D8s_v3"
    STANDARD_E16_S_V3 = "Standard_E16s_v3"
    STANDARD_E32_S_V3 = "Standard_E32s_v3"
    STANDARD_E4_S_V3 = "Standard_E4s_v3"
    STANDARD_E8_S_V3 = "Standard_E8s_v3"
    STANDARD_F16_S_V2 = "Standard_F16s_v2"
    STANDARD_F32_S_V2 = "Standard_F32s_v2"
    STANDARD_F4_S_V2 = "Standard_F4s_v2"
    STANDARD_F8_S_V2 = "Standard_F8s_v2"


class Visibility(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """Visibility of an endpoint."""

    PRIVATE = "Private"
    PUBLIC = "Public"


class WorkerProfile(Model):
    """A group of workers."""

    name: Optional[str] = rest_field("name")
    """Name of the group of workers."""
    vm_size: Optional[Union[str, VMSize]] = rest_field("vmSize")
    """VM size of the workers."""
    disk_size_gb: Optional[int] = rest_field("diskSizeGB")
    """Size of the workers' disks in GB."""
    subnet_id: Optional[str] = rest_field("subnetId")
    """Resource ID of the workers' subnet."""
    count: Optional[int] = rest_field("count")
    """The number of workers."""

    @overload
    def __init__(
        self,
        *,
        name: Optional[str] = None,
        vm_size: Optional[Union[str, VMSize]] = None,
        disk_size_gb: Optional[int] = None,
        subnet_id: Optional[str] = None,
        count: Optional[int] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class TrackedResource(Resource):
    """The resource model definition for an Azure Resource Manager tracked top level resource which has 'tags' and a 'location'"""

    tags: Optional[dict[str, str]] = rest_field("tags")
    """Resource tags."""
    location: Optional[str] = rest_field("location")
    """The geo-location where the resource lives"""

    @overload
    def __init__(
        self,
        *,
        location: str,
        tags: Optional[dict[str, str]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


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

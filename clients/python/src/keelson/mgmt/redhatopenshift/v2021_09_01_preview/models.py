# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Optional, Union, overload

from azure.core import CaseInsensitiveEnumMeta

from .._model import Model, flattened_field, rest_field
from ..v2019_12_31_preview.models import (
    APIServerProfile,
    CloudError,
    CloudErrorBody,
    ClusterProfile,
    ConsoleProfile,
    Display,
    IngressProfile,
    OpenShiftClusterCredentials,
    Operation,
    OperationList,
    ProvisioningState,
    ServicePrincipalProfile,
    Visibility,
)

__all__ = [
    "APIServerProfile",
    "CloudError",
    "CloudErrorBody",
    "ClusterProfile",
    "ConsoleProfile",
    "CreatedByType",
    "Display",
    "EncryptionAtHost",
    "IngressProfile",
    "MasterProfile",
    "NetworkProfile",
    "OpenShiftCluster",
    "OpenShiftClusterAdminKubeconfig",
    "OpenShiftClusterCredentials",
    "OpenShiftClusterList",
    "OpenShiftClusterProperties",
    "OpenShiftClusterUpdate",
    "Operation",
    "OperationList",
    "ProvisioningState",
    "Resource",
    "ServicePrincipalProfile",
    "SoftwareDefinedNetwork",
    "SystemData",
    "TrackedResource",
    "VMSize",
    "Visibility",
    "WorkerProfile",
]


class EncryptionAtHost(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """State of encryption at host."""

    DISABLED = "Disabled"
    ENABLED = "Enabled"


class MasterProfile(Model):
    """The machines of the control plane."""

    vm_size: Optional[Union[str, VMSize]] = rest_field("vmSize")
    """VM size of the masters."""
    subnet_id: Optional[str] = rest_field("subnetId")
    """Resource ID of the masters' subnet."""
    encryption_at_host: Optional[Union[str, EncryptionAtHost]] = rest_field("encryptionAtHost")
    """State of encryption at host."""
    disk_encryption_set_id: Optional[str] = rest_field("diskEncryptionSetId")
    """The resource ID of the disk encryption set with the customer's key."""

    @overload
    def __init__(
        self,
        *,
        vm_size: Optional[Union[str, VMSize]] = None,
        subnet_id: Optional[str] = None,
        encryption_at_host: Optional[Union[str, EncryptionAtHost]] = None,
        disk_encryption_set_id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class NetworkProfile(Model):
    """The network of a cluster."""

    software_defined_network: Optional[Union[str, SoftwareDefinedNetwork]] = rest_field("softwareDefinedNetwork")
    """The network plug-in."""
    pod_cidr: Optional[str] = rest_field("podCidr")
    """The address range of pods (CIDR)."""
    service_cidr: Optional[str] = rest_field("serviceCidr")
    """The address range of services (CIDR)."""

    @overload
    def __init__(
        self,
        *,
        software_defined_network: Optional[Union[str, SoftwareDefinedNetwork]] = None,
        pod_cidr: Optional[str] = None,
        service_cidr: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OpenShiftClusterAdminKubeconfig(Model):
    """Administrator's access to the cluster's API."""

    kubeconfig: Optional[str] = rest_field("kubeconfig")
    """The kubeconfig, in base64."""

    @overload
    def __init__(
        self,
        *,
        kubeconfig: Optional[str] = None,
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


class Resource(Model):
    """Common fields that are returned in the response for all Azure Resource Manager resources"""

    id: Optional[str] = rest_field("id", read_only=True)
    """Fully qualified resource ID for the resource. Ex - /subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/{resourceProviderNamespace}/{resourceType}/{resourceName}"""
    name: Optional[str] = rest_field("name", read_only=True)
    """The name of the resource"""
    type: Optional[str] = rest_field("type", read_only=True)
    """The type of the resource. E.g. "Microsoft.Compute/virtualMachines" or "Microsoft.Storage/storageAccounts"
    """
    system_data: Optional[SystemData] = rest_field("systemData", read_only=True, of=lambda: SystemData)
    """Azure Resource Manager metadata containing createdBy and modifiedBy information."""


class SoftwareDefinedNetwork(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """A network plug-in."""

    OVN_KUBERNETES = "OVNKubernetes"
    OPEN_SHIFT_SDN = "OpenShiftSDN"


class SystemData(Model):
    """Metadata pertaining to creation and last modification of the resource."""

    created_by: Optional[str] = rest_field("createdBy")
    """The identity that created the resource."""
    created_by_type: Optional[Union[str, CreatedByType]] = rest_field("createdByType")
    """The type of identity that created the resource."""
    created_at: Optional[datetime] = rest_field("createdAt", time=True)
    """The timestamp of resource creation (UTC)."""
    last_modified_by: Optional[str] = rest_field("lastModifiedBy")
    """The identity that last modified the resource."""
    last_modified_by_type: Optional[Union[str, CreatedByType]] = rest_field("lastModifiedByType")
    """The type of identity that last modified the resource."""
    last_modified_at: Optional[datetime] = rest_field("lastModifiedAt", time=True)
    """The timestamp of resource last modification (UTC)"""

    @overload
    def __init__(
        self,
        *,
        created_by: Optional[str] = None,
        created_by_type: Optional[Union[str, CreatedByType]] = None,
        created_at: Optional[datetime] = None,
        last_modified_by: Optional[str] = None,
        last_modified_by_type: Optional[Union[str, CreatedByType]] = None,
        last_modified_at: Optional[datetime] = None,
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
    STANDARD_E64_I_V3 = "Standard_E64i_v3"
    STANDARD_E64_IS_V3 = "Standard_E64is_v3"
    STANDARD_F72_S_V2 = "Standard_F72s_v2"
    STANDARD_G5 = "Standard_G5"
    STANDARD_GS5 = "Standard_GS5"
    STANDARD_M128_MS = "Standard_M128ms"


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
    encryption_at_host: Optional[Union[str, EncryptionAtHost]] = rest_field("encryptionAtHost")
    """State of encryption at host."""
    disk_encryption_set_id: Optional[str] = rest_field("diskEncryptionSetId")
    """The resource ID of the disk encryption set with the customer's key."""

    @overload
    def __init__(
        self,
        *,
        name: Optional[str] = None,
        vm_size: Optional[Union[str, VMSize]] = None,
        disk_size_gb: Optional[int] = None,
        subnet_id: Optional[str] = None,
        count: Optional[int] = None,
        encryption_at_host: Optional[Union[str, EncryptionAtHost]] = None,
        disk_encryption_set_id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class CreatedByType(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """The kind of entity that created the resource."""

    USER = "User"
    APPLICATION = "Application"
    MANAGED_IDENTITY = "ManagedIdentity"
    KEY = "Key"


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

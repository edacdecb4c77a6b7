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
    NetworkProfile,
    OpenShiftClusterCredentials,
    Operation,
    OperationList,
    ProvisioningState,
    ServicePrincipalProfile,
    Visibility,
)
from ..v2021_09_01_preview.models import (
    CreatedByType,
    EncryptionAtHost,
    OpenShiftClusterAdminKubeconfig,
    Resource,
    SystemData,
    TrackedResource,
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
    "FipsValidatedModules",
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
    "SystemData",
    "TrackedResource",
    "Visibility",
    "WorkerProfile",
]


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
    fips_validated_modules: Optional[Union[str, FipsValidatedModules]] = rest_field("fipsValidatedModules")
    """State of FIPS-validated cryptography modules."""

    @overload
    def __init__(
        self,
        *,
        pull_secret: Optional[str] = None,
        domain: Optional[str] = None,
        version: Optional[str] = None,
        resource_group_id: Optional[str] = None,
        fips_validated_modules: Optional[Union[str, FipsValidatedModules]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class FipsValidatedModules(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """State of FIPS-validated cryptography modules."""

    DISABLED = "Disabled"
    ENABLED = "Enabled"


class MasterProfile(Model):
    """The machines of the control plane."""

    vm_size: Optional[str] = rest_field("vmSize")
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
        vm_size: Optional[str] = None,
        subnet_id: Optional[str] = None,
        encryption_at_host: Optional[Union[str, EncryptionAtHost]] = None,
        disk_encryption_set_id: Optional[str] = None,
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


class WorkerProfile(Model):
    """A group of workers."""

    name: Optional[str] = rest_field("name")
    """Name of the group of workers."""
    vm_size: Optional[str] = rest_field("vmSize")
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
        vm_size: Optional[str] = None,
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

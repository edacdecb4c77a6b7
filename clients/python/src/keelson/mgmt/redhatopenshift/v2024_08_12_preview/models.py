# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Optional, Union, overload

from azure.core import CaseInsensitiveEnumMeta

from .._model import Model, flattened_field, rest_field
from ..v2023_11_22.models import (
    APIServerProfile,
    ConsoleProfile,
    IngressProfile,
    LoadBalancerProfile,
    NetworkProfile,
    ProvisioningState,
)
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
from ..v2022_04_01.models import (
    FipsValidatedModules,
    MasterProfile,
    WorkerProfile,
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
    "ManagedServiceIdentity",
    "ManagedServiceIdentityType",
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
    "PlatformWorkloadIdentity",
    "PlatformWorkloadIdentityProfile",
    "PlatformWorkloadIdentityRole",
    "PlatformWorkloadIdentityRoleSet",
    "PlatformWorkloadIdentityRoleSetList",
    "PlatformWorkloadIdentityRoleSetProperties",
    "PreconfiguredNSG",
    "ProvisioningState",
    "ProxyResource",
    "Resource",
    "ServicePrincipalProfile",
    "SystemData",
    "TrackedResource",
    "UserAssignedIdentity",
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
    oidc_issuer: Optional[str] = rest_field("oidcIssuer", read_only=True)
    """OIDC issuer of the tokens for the cluster's identities."""

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


class ManagedServiceIdentity(Model):
    """Managed service identity (system assigned and/or user assigned identities)"""

    principal_id: Optional[str] = rest_field("principalId", read_only=True)
    """The service principal ID of the system assigned identity. This property will only be provided for a system assigned identity."""
    tenant_id: Optional[str] = rest_field("tenantId", read_only=True)
    """The tenant ID of the system assigned identity. This property will only be provided for a system assigned identity."""
    type: Optional[Union[str, ManagedServiceIdentityType]] = rest_field("type")
    """The type of managed identity assigned to this resource."""
    user_assigned_identities: Optional[dict[str, UserAssignedIdentity]] = rest_field("userAssignedIdentities", of=lambda: UserAssignedIdentity, many="dict")
    """The identities assigned to this resource by the user."""

    @overload
    def __init__(
        self,
        *,
        type: Union[str, ManagedServiceIdentityType],
        user_assigned_identities: Optional[dict[str, UserAssignedIdentity]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ManagedServiceIdentityType(str, Enum, metaclass=CaseInsensitiveEnumMeta):
    """Type of managed service identity (where both SystemAssigned and UserAssigned types are allowed)."""

    NONE = "None"
    SYSTEM_ASSIGNED = "SystemAssigned"
    USER_ASSIGNED = "UserAssigned"
    SYSTEM_ASSIGNED_USER_ASSIGNED = "SystemAssigned,UserAssigned"


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
    platform_workload_identity_profile: Optional[PlatformWorkloadIdentityProfile] = rest_field("platformWorkloadIdentityProfile", of=lambda: PlatformWorkloadIdentityProfile)
    """The managed identities with which the cluster's operators call Azure."""
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
        platform_workload_identity_profile: Optional[PlatformWorkloadIdentityProfile] = None,
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
    identity: Optional[ManagedServiceIdentity] = rest_field("identity", of=lambda: ManagedServiceIdentity)
    """Managed identities of the cluster."""
    provisioning_state: Optional[Union[str, ProvisioningState]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    cluster_profile: Optional[ClusterProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    console_profile: Optional[ConsoleProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    service_principal_profile: Optional[ServicePrincipalProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    platform_workload_identity_profile: Optional[PlatformWorkloadIdentityProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
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
        identity: Optional[ManagedServiceIdentity] = None,
        provisioning_state: Optional[Union[str, ProvisioningState]] = None,
        cluster_profile: Optional[ClusterProfile] = None,
        console_profile: Optional[ConsoleProfile] = None,
        service_principal_profile: Optional[ServicePrincipalProfile] = None,
        platform_workload_identity_profile: Optional[PlatformWorkloadIdentityProfile] = None,
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


class PlatformWorkloadIdentity(Model):
    """The managed identity of an operator."""

    resource_id: Optional[str] = rest_field("resourceId")
    """Resource ID of the managed identity."""
    client_id: Optional[str] = rest_field("clientId", read_only=True)
    """Client ID of the managed identity."""
    object_id: Optional[str] = rest_field("objectId", read_only=True)
    """Object ID of the managed identity."""

    @overload
    def __init__(
        self,
        *,
        resource_id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class PlatformWorkloadIdentityProfile(Model):
    """The managed identities of a cluster's operators."""

    upgradeable_to: Optional[str] = rest_field("upgradeableTo")
    """The version of OpenShift to which the identities allow an upgrade."""
    platform_workload_identities: Optional[dict[str, PlatformWorkloadIdentity]] = rest_field("platformWorkloadIdentities", of=lambda: PlatformWorkloadIdentity, many="dict")
    """The identities by operator name."""

    @overload
    def __init__(
        self,
        *,
        upgradeable_to: Optional[str] = None,
        platform_workload_identities: Optional[dict[str, PlatformWorkloadIdentity]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class PlatformWorkloadIdentityRole(Model):
    """The role that the identity of an operator needs."""

    operator_name: Optional[str] = rest_field("operatorName")
    """The name of the operator."""
    role_definition_name: Optional[str] = rest_field("roleDefinitionName")
    """The name of the role."""
    role_definition_id: Optional[str] = rest_field("roleDefinitionId")
    """The resource ID of the role."""

    @overload
    def __init__(
        self,
        *,
        operator_name: Optional[str] = None,
        role_definition_name: Optional[str] = None,
        role_definition_id: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class PlatformWorkloadIdentityRoleSetList(Model):
    """One page of role sets."""

    value: Optional[list[PlatformWorkloadIdentityRoleSet]] = rest_field("value", of=lambda: PlatformWorkloadIdentityRoleSet, many="list")
    """The elements of this page."""
    next_link: Optional[str] = rest_field("nextLink")
    """URL of the next page. Absent from the last page."""

    @overload
    def __init__(
        self,
        *,
        value: Optional[list[PlatformWorkloadIdentityRoleSet]] = None,
        next_link: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class PlatformWorkloadIdentityRoleSetProperties(Model):
    """The roles for a minor version."""

    open_shift_version: Optional[str] = rest_field("openShiftVersion")
    """The minor version, as in 4.16."""
    platform_workload_identity_roles: Optional[list[PlatformWorkloadIdentityRole]] = rest_field("platformWorkloadIdentityRoles", of=lambda: PlatformWorkloadIdentityRole, many="list")
    """The role of each operator."""

    @overload
    def __init__(
        self,
        *,
        open_shift_version: Optional[str] = None,
        platform_workload_identity_roles: Optional[list[PlatformWorkloadIdentityRole]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class UserAssignedIdentity(Model):
    """User assigned identity properties"""

    principal_id: Optional[str] = rest_field("principalId", read_only=True)
    """The principal ID of the assigned identity."""
    client_id: Optional[str] = rest_field("clientId", read_only=True)
    """The client ID of the assigned identity."""


class OpenShiftCluster(TrackedResource):
    """An OpenShift cluster."""

    properties: Optional[OpenShiftClusterProperties] = rest_field("properties", of=lambda: OpenShiftClusterProperties)
    """The cluster's own properties."""
    identity: Optional[ManagedServiceIdentity] = rest_field("identity", of=lambda: ManagedServiceIdentity)
    """The managed service identities assigned to this resource."""
    provisioning_state: Optional[Union[str, ProvisioningState]] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    cluster_profile: Optional[ClusterProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    console_profile: Optional[ConsoleProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    service_principal_profile: Optional[ServicePrincipalProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
    platform_workload_identity_profile: Optional[PlatformWorkloadIdentityProfile] = flattened_field("properties", lambda: OpenShiftClusterProperties)
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
        identity: Optional[ManagedServiceIdentity] = None,
        provisioning_state: Optional[Union[str, ProvisioningState]] = None,
        cluster_profile: Optional[ClusterProfile] = None,
        console_profile: Optional[ConsoleProfile] = None,
        service_principal_profile: Optional[ServicePrincipalProfile] = None,
        platform_workload_identity_profile: Optional[PlatformWorkloadIdentityProfile] = None,
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


class PlatformWorkloadIdentityRoleSet(ProxyResource):
    """The roles that the identities of a version's operators need."""

    properties: Optional[PlatformWorkloadIdentityRoleSetProperties] = rest_field("properties", of=lambda: PlatformWorkloadIdentityRoleSetProperties)
    """The resource-specific properties for this resource."""
    open_shift_version: Optional[str] = flattened_field("properties", lambda: PlatformWorkloadIdentityRoleSetProperties)
    platform_workload_identity_roles: Optional[list[PlatformWorkloadIdentityRole]] = flattened_field("properties", lambda: PlatformWorkloadIdentityRoleSetProperties)

    @overload
    def __init__(
        self,
        *,
        properties: Optional[PlatformWorkloadIdentityRoleSetProperties] = None,
        open_shift_version: Optional[str] = None,
        platform_workload_identity_roles: Optional[list[PlatformWorkloadIdentityRole]] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

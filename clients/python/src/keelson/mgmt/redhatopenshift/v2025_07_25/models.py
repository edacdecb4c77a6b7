# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional, overload

from .._model import Model, rest_field
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
    Operation,
    ServicePrincipalProfile,
    Visibility,
)
from ..v2024_08_12_preview.models import (
    ClusterProfile,
    ManagedServiceIdentity,
    ManagedServiceIdentityType,
    OpenShiftCluster,
    OpenShiftClusterProperties,
    OpenShiftClusterUpdate,
    PlatformWorkloadIdentity,
    PlatformWorkloadIdentityProfile,
    PlatformWorkloadIdentityRole,
    PlatformWorkloadIdentityRoleSet,
    PlatformWorkloadIdentityRoleSetProperties,
    UserAssignedIdentity,
)
from ..v2023_07_01_preview.models import (
    EffectiveOutboundIP,
    ManagedOutboundIPs,
)
from ..v2021_09_01_preview.models import (
    CreatedByType,
    EncryptionAtHost,
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
        value: list[OpenShiftCluster],
        next_link: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OpenShiftVersionList(Model):
    """One page of versions."""

    value: Optional[list[OpenShiftVersion]] = rest_field("value", of=lambda: OpenShiftVersion, many="list")
    """The elements of this page."""
    next_link: Optional[str] = rest_field("nextLink")
    """URL of the next page. Absent from the last page."""

    @overload
    def __init__(
        self,
        *,
        value: list[OpenShiftVersion],
        next_link: Optional[str] = None,
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
        value: list[Operation],
        next_link: Optional[str] = None,
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
        value: list[PlatformWorkloadIdentityRoleSet],
        next_link: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional, overload

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
from ..v2022_04_01.models import (
    ClusterProfile,
    FipsValidatedModules,
    MasterProfile,
    OpenShiftCluster,
    OpenShiftClusterList,
    OpenShiftClusterProperties,
    OpenShiftClusterUpdate,
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
    "OpenShiftVersion",
    "OpenShiftVersionList",
    "OpenShiftVersionProperties",
    "Operation",
    "OperationList",
    "ProvisioningState",
    "ProxyResource",
    "Resource",
    "ServicePrincipalProfile",
    "SystemData",
    "TrackedResource",
    "Visibility",
    "WorkerProfile",
]


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
        value: Optional[list[OpenShiftVersion]] = None,
        next_link: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class OpenShiftVersionProperties(Model):
    """The properties of a version."""

    version: Optional[str] = rest_field("version")
    """The version, as in 4.16.30."""

    @overload
    def __init__(
        self,
        *,
        version: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


class ProxyResource(Resource):
    """The resource model definition for a Azure Resource Manager proxy resource. It will not have tags and a location"""


class OpenShiftVersion(ProxyResource):
    """An installable version of OpenShift."""

    properties: Optional[OpenShiftVersionProperties] = rest_field("properties", of=lambda: OpenShiftVersionProperties)
    """The resource-specific properties for this resource."""
    version: Optional[str] = flattened_field("properties", lambda: OpenShiftVersionProperties)

    @overload
    def __init__(
        self,
        *,
        properties: Optional[OpenShiftVersionProperties] = None,
        version: Optional[str] = None,
    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

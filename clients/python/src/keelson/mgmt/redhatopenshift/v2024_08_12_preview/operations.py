# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from .. import _operations
from . import models
from ..v2019_12_31_preview.operations import (
    Operations,
)

__all__ = [
    "OpenShiftClustersOperations",
    "OpenShiftVersionsOperations",
    "Operations",
    "PlatformWorkloadIdentityRoleSetOperations",
    "PlatformWorkloadIdentityRoleSetsOperations",
]


class OpenShiftVersionsOperations(
    _operations.OpenShiftVersions_v2024_08_12_preview[
        models.OpenShiftVersion,
    ]
):
    """Use it as the attribute `open_shift_versions` of a client."""

    _models = models


class PlatformWorkloadIdentityRoleSetsOperations(
    _operations.PlatformWorkloadIdentityRoleSets_v2024_08_12_preview[
        models.PlatformWorkloadIdentityRoleSet,
    ]
):
    """Use it as the attribute `platform_workload_identity_role_sets` of a client."""

    _models = models


class PlatformWorkloadIdentityRoleSetOperations(
    _operations.PlatformWorkloadIdentityRoleSet_v2024_08_12_preview[
        models.PlatformWorkloadIdentityRoleSet,
    ]
):
    """Use it as the attribute `platform_workload_identity_role_set` of a client."""

    _models = models


class OpenShiftClustersOperations(
    _operations.OpenShiftClusters_v2021_09_01_preview[
        models.OpenShiftCluster,
        models.OpenShiftClusterUpdate,
        models.OpenShiftClusterAdminKubeconfig,
        models.OpenShiftClusterCredentials,
    ]
):
    """Use it as the attribute `open_shift_clusters` of a client."""

    _models = models

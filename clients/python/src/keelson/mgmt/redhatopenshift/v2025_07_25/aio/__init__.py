# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from ...aio._client import AsyncClient
from . import operations as _operations

__all__ = ["AzureRedHatOpenShiftClient"]


class AzureRedHatOpenShiftClient(AsyncClient):
    """Azure Red Hat OpenShift, API version 2025-07-25."""

    _api_version = "2025-07-25"
    operations: _operations.Operations
    open_shift_versions: _operations.OpenShiftVersionsOperations
    platform_workload_identity_role_sets: _operations.PlatformWorkloadIdentityRoleSetsOperations
    platform_workload_identity_role_set: _operations.PlatformWorkloadIdentityRoleSetOperations
    open_shift_clusters: _operations.OpenShiftClustersOperations

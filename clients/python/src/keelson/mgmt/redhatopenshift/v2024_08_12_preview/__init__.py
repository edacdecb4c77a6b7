# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from .._client import Client
from . import operations as _operations

__all__ = ["AzureRedHatOpenShiftClient"]


class AzureRedHatOpenShiftClient(Client):
    """Azure Red Hat OpenShift, API version 2024-08-12-preview."""

    _api_version = "2024-08-12-preview"
    operations: _operations.Operations
    open_shift_versions: _operations.OpenShiftVersionsOperations
    platform_workload_identity_role_sets: _operations.PlatformWorkloadIdentityRoleSetsOperations
    platform_workload_identity_role_set: _operations.PlatformWorkloadIdentityRoleSetOperations
    open_shift_clusters: _operations.OpenShiftClustersOperations

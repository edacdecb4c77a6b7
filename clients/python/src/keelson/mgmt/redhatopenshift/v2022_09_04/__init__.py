# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from .._client import Client
from . import operations as _operations

__all__ = ["AzureRedHatOpenShiftClient"]


class AzureRedHatOpenShiftClient(Client):
    """Azure Red Hat OpenShift, API version 2022-09-04."""

    _api_version = "2022-09-04"
    operations: _operations.Operations
    open_shift_versions: _operations.OpenShiftVersionsOperations
    open_shift_clusters: _operations.OpenShiftClustersOperations

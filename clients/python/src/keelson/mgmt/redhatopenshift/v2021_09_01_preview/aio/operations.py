# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from ...aio import _operations
from .. import models
from ...v2019_12_31_preview.aio.operations import (
    Operations,
)

__all__ = [
    "OpenShiftClustersOperations",
    "Operations",
]


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

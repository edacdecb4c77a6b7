# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from ...aio import _operations
from .. import models

__all__ = [
    "OpenShiftClustersOperations",
    "Operations",
]


class Operations(
    _operations.Operations_v2019_12_31_preview[
        models.Operation,
    ]
):
    """Use it as the attribute `operations` of a client."""

    _models = models


class OpenShiftClustersOperations(
    _operations.OpenShiftClusters_v2019_12_31_preview[
        models.OpenShiftCluster,
        models.OpenShiftClusterUpdate,
        models.OpenShiftClusterCredentials,
    ]
):
    """Use it as the attribute `open_shift_clusters` of a client."""

    _models = models

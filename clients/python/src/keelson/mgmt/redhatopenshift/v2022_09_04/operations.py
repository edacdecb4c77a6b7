# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from .. import _operations
from . import models
from ..v2019_12_31_preview.operations import (
    Operations,
)
from ..v2022_04_01.operations import (
    OpenShiftClustersOperations,
)

__all__ = [
    "OpenShiftClustersOperations",
    "OpenShiftVersionsOperations",
    "Operations",
]


class OpenShiftVersionsOperations(
    _operations.OpenShiftVersions_v2022_09_04[
        models.OpenShiftVersion,
    ]
):
    """Use it as the attribute `open_shift_versions` of a client."""

    _models = models

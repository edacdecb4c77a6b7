# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from typing import Any

from azure.core.async_paging import AsyncItemPaged

from ..._requests import Call
from ...aio._connection import Connection
from .. import models
from ...v2019_12_31_preview.aio.operations import (
    Operations,
)
from ...v2022_04_01.aio.operations import (
    OpenShiftClustersOperations,
)

__all__ = [
    "OpenShiftClustersOperations",
    "OpenShiftVersionsOperations",
    "Operations",
]


class OpenShiftVersionsOperations:
    """Use it as the attribute `open_shift_versions` of a client."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(
        self,
        location: str,
        **kwargs: Any,
    ) -> AsyncItemPaged[models.OpenShiftVersion]:
        """Lists the installable versions."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/openShiftVersions",
            {"location": location},
        )
        answer: AsyncItemPaged[models.OpenShiftVersion] = self._connection.pages(call, models.OpenShiftVersion, kwargs)
        return answer

# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Union

from azure.core.async_paging import AsyncItemPaged
from azure.core.polling import AsyncLROPoller

from ..._requests import Call
from ...aio._connection import Connection
from .. import models
from ...v2019_12_31_preview.aio.operations import (
    Operations,
)
from ...v2024_08_12_preview.aio.operations import (
    OpenShiftVersionsOperations,
    PlatformWorkloadIdentityRoleSetOperations,
    PlatformWorkloadIdentityRoleSetsOperations,
)

__all__ = [
    "OpenShiftClustersOperations",
    "OpenShiftVersionsOperations",
    "Operations",
    "PlatformWorkloadIdentityRoleSetOperations",
    "PlatformWorkloadIdentityRoleSetsOperations",
]


class OpenShiftClustersOperations:
    """Use it as the attribute `open_shift_clusters` of a client."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(
        self,
        **kwargs: Any,
    ) -> AsyncItemPaged[models.OpenShiftCluster]:
        """Lists the clusters of a subscription."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
            {},
        )
        answer: AsyncItemPaged[models.OpenShiftCluster] = self._connection.pages(call, models.OpenShiftCluster, kwargs)
        return answer

    def list_by_resource_group(
        self,
        resource_group_name: str,
        **kwargs: Any,
    ) -> AsyncItemPaged[models.OpenShiftCluster]:
        """Lists the clusters of a resource group."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
            {"resourceGroupName": resource_group_name},
        )
        answer: AsyncItemPaged[models.OpenShiftCluster] = self._connection.pages(call, models.OpenShiftCluster, kwargs)
        return answer

    async def get(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> models.OpenShiftCluster:
        """Gets a cluster."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
        )
        answer: models.OpenShiftCluster = await self._connection.call(call, models.OpenShiftCluster, kwargs)
        return answer

    async def begin_create_or_update(
        self,
        resource_group_name: str,
        resource_name: str,
        parameters: Union[models.OpenShiftCluster, Mapping[str, Any], IO[bytes]],
        **kwargs: Any,
    ) -> AsyncLROPoller[models.OpenShiftCluster]:
        """Creates or updates a cluster."""
        call = Call(
            "PUT",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
            expects=(200, 201),
        )
        answer: AsyncLROPoller[models.OpenShiftCluster] = await self._connection.begin(call, models.OpenShiftCluster, kwargs, parameters)
        return answer

    async def begin_update(
        self,
        resource_group_name: str,
        resource_name: str,
        parameters: Union[models.OpenShiftClusterUpdate, Mapping[str, Any], IO[bytes]],
        **kwargs: Any,
    ) -> AsyncLROPoller[models.OpenShiftCluster]:
        """Updates a cluster."""
        call = Call(
            "PATCH",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
            expects=(200, 201),
        )
        answer: AsyncLROPoller[models.OpenShiftCluster] = await self._connection.begin(call, models.OpenShiftCluster, kwargs, parameters)
        return answer

    async def begin_delete(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> AsyncLROPoller[None]:
        """Deletes a cluster with its Azure resources."""
        call = Call(
            "DELETE",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
            expects=(202, 204),
            accepts=False,
        )
        answer: AsyncLROPoller[None] = await self._connection.begin(call, None, kwargs)
        return answer

    async def list_admin_credentials(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> models.OpenShiftClusterAdminKubeconfig:
        """Returns an administrator's kubeconfig with a client certificate."""
        call = Call(
            "POST",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listAdminCredentials",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
        )
        answer: models.OpenShiftClusterAdminKubeconfig = await self._connection.call(call, models.OpenShiftClusterAdminKubeconfig, kwargs)
        return answer

    async def list_credentials(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> models.OpenShiftClusterCredentials:
        """Returns the password of kubeadmin."""
        call = Call(
            "POST",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listCredentials",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
        )
        answer: models.OpenShiftClusterCredentials = await self._connection.call(call, models.OpenShiftClusterCredentials, kwargs)
        return answer

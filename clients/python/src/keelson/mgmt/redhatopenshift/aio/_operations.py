# Made by `make generate` from api/, where changes belong.
from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any, Generic, TypeVar, Union

from azure.core.async_paging import AsyncItemPaged
from azure.core.polling import AsyncLROPoller

from ._connection import Connection
from .._model import Model
from .._requests import Call

Operation = TypeVar("Operation", bound=Model)
OpenShiftVersion = TypeVar("OpenShiftVersion", bound=Model)
PlatformWorkloadIdentityRoleSet = TypeVar("PlatformWorkloadIdentityRoleSet", bound=Model)
OpenShiftCluster = TypeVar("OpenShiftCluster", bound=Model)
OpenShiftClusterUpdate = TypeVar("OpenShiftClusterUpdate", bound=Model)
OpenShiftClusterCredentials = TypeVar("OpenShiftClusterCredentials", bound=Model)
OpenShiftClusterAdminKubeconfig = TypeVar("OpenShiftClusterAdminKubeconfig", bound=Model)


class _Operations:
    _models: Any

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


class Operations_v2019_12_31_preview(_Operations, Generic[Operation]):
    def list(
        self,
        **kwargs: Any,
    ) -> AsyncItemPaged[Operation]:
        """Lists the operations of the resource provider."""
        call = Call(
            "GET",
            "/providers/Microsoft.RedHatOpenShift/operations",
            {},
        )
        answer: AsyncItemPaged[Operation] = self._connection.pages(call, self._models.Operation, kwargs)
        return answer


class OpenShiftVersions_v2022_09_04(_Operations, Generic[OpenShiftVersion]):
    def list(
        self,
        location: str,
        **kwargs: Any,
    ) -> AsyncItemPaged[OpenShiftVersion]:
        """Lists the installable versions."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/openShiftVersions",
            {"location": location},
        )
        answer: AsyncItemPaged[OpenShiftVersion] = self._connection.pages(call, self._models.OpenShiftVersion, kwargs)
        return answer


class PlatformWorkloadIdentityRoleSets_v2024_08_12_preview(_Operations, Generic[PlatformWorkloadIdentityRoleSet]):
    def list(
        self,
        location: str,
        **kwargs: Any,
    ) -> AsyncItemPaged[PlatformWorkloadIdentityRoleSet]:
        """Lists the roles for all minor versions."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/platformWorkloadIdentityRoleSets",
            {"location": location},
        )
        answer: AsyncItemPaged[PlatformWorkloadIdentityRoleSet] = self._connection.pages(call, self._models.PlatformWorkloadIdentityRoleSet, kwargs)
        return answer


class PlatformWorkloadIdentityRoleSet_v2024_08_12_preview(_Operations, Generic[PlatformWorkloadIdentityRoleSet]):
    async def get(
        self,
        location: str,
        open_shift_minor_version: str,
        **kwargs: Any,
    ) -> PlatformWorkloadIdentityRoleSet:
        """Gets the roles for a minor version."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/platformWorkloadIdentityRoleSets/{openShiftMinorVersion}",
            {"location": location, "openShiftMinorVersion": open_shift_minor_version},
        )
        answer: PlatformWorkloadIdentityRoleSet = await self._connection.call(call, self._models.PlatformWorkloadIdentityRoleSet, kwargs)
        return answer


class OpenShiftVersions_v2024_08_12_preview(OpenShiftVersions_v2022_09_04[OpenShiftVersion], Generic[OpenShiftVersion]):
    async def get(
        self,
        location: str,
        open_shift_version: str,
        **kwargs: Any,
    ) -> OpenShiftVersion:
        """Gets an installable version."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/openShiftVersions/{openShiftVersion}",
            {"location": location, "openShiftVersion": open_shift_version},
        )
        answer: OpenShiftVersion = await self._connection.call(call, self._models.OpenShiftVersion, kwargs)
        return answer


class OpenShiftClusters_v2020_04_30(_Operations, Generic[OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials]):
    def list(
        self,
        **kwargs: Any,
    ) -> AsyncItemPaged[OpenShiftCluster]:
        """Lists the clusters of a subscription."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
            {},
        )
        answer: AsyncItemPaged[OpenShiftCluster] = self._connection.pages(call, self._models.OpenShiftCluster, kwargs)
        return answer

    def list_by_resource_group(
        self,
        resource_group_name: str,
        **kwargs: Any,
    ) -> AsyncItemPaged[OpenShiftCluster]:
        """Lists the clusters of a resource group."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
            {"resourceGroupName": resource_group_name},
        )
        answer: AsyncItemPaged[OpenShiftCluster] = self._connection.pages(call, self._models.OpenShiftCluster, kwargs)
        return answer

    async def get(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> OpenShiftCluster:
        """Gets a cluster."""
        call = Call(
            "GET",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
        )
        answer: OpenShiftCluster = await self._connection.call(call, self._models.OpenShiftCluster, kwargs)
        return answer

    async def begin_create_or_update(
        self,
        resource_group_name: str,
        resource_name: str,
        parameters: Union[OpenShiftCluster, Mapping[str, Any], IO[bytes]],
        **kwargs: Any,
    ) -> AsyncLROPoller[OpenShiftCluster]:
        """Creates or updates a cluster."""
        call = Call(
            "PUT",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
            expects=(200, 201),
        )
        answer: AsyncLROPoller[OpenShiftCluster] = await self._connection.begin(call, self._models.OpenShiftCluster, kwargs, parameters)
        return answer

    async def begin_update(
        self,
        resource_group_name: str,
        resource_name: str,
        parameters: Union[OpenShiftClusterUpdate, Mapping[str, Any], IO[bytes]],
        **kwargs: Any,
    ) -> AsyncLROPoller[OpenShiftCluster]:
        """Updates a cluster."""
        call = Call(
            "PATCH",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
            expects=(200, 201),
        )
        answer: AsyncLROPoller[OpenShiftCluster] = await self._connection.begin(call, self._models.OpenShiftCluster, kwargs, parameters)
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

    async def list_credentials(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> OpenShiftClusterCredentials:
        """Returns the password of kubeadmin."""
        call = Call(
            "POST",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listCredentials",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
        )
        answer: OpenShiftClusterCredentials = await self._connection.call(call, self._models.OpenShiftClusterCredentials, kwargs)
        return answer


class OpenShiftClusters_v2019_12_31_preview(OpenShiftClusters_v2020_04_30[OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials], Generic[OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials]):
    async def credentials(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> OpenShiftClusterCredentials:
        """Returns the password of kubeadmin. Former name of listCredentials."""
        call = Call(
            "POST",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/credentials",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
        )
        answer: OpenShiftClusterCredentials = await self._connection.call(call, self._models.OpenShiftClusterCredentials, kwargs)
        return answer


class OpenShiftClusters_v2021_09_01_preview(OpenShiftClusters_v2020_04_30[OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials], Generic[OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterAdminKubeconfig, OpenShiftClusterCredentials]):
    async def list_admin_credentials(
        self,
        resource_group_name: str,
        resource_name: str,
        **kwargs: Any,
    ) -> OpenShiftClusterAdminKubeconfig:
        """Returns an administrator's kubeconfig with a client certificate."""
        call = Call(
            "POST",
            "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listAdminCredentials",
            {"resourceGroupName": resource_group_name, "resourceName": resource_name},
        )
        answer: OpenShiftClusterAdminKubeconfig = await self._connection.call(call, self._models.OpenShiftClusterAdminKubeconfig, kwargs)
        return answer

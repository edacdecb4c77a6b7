// Made by `make generate` from api/, where changes belong.
import type {
  ArmConnection,
  OperationOptions,
  OperationState,
  PagedAsyncIterableIterator,
  PollerLike,
} from "../../connection/arm-connection.ts";
import type { BodyMembers } from "../../connection/body-members.ts";

abstract class Operations {
  protected readonly connection: ArmConnection;

  constructor(connection: ArmConnection) {
    this.connection = connection;
  }
}

export abstract class Operations_2019_12_31_preview<Operation> extends Operations {
  /** Lists the operations of the resource provider. */
  list(options: OperationOptions = {}): PagedAsyncIterableIterator<Operation> {
    return this.connection.list({
      method: "GET",
      path: "/providers/Microsoft.RedHatOpenShift/operations",
      parameters: {},
      options,
    });
  }
}

export abstract class OpenShiftVersions_2022_09_04<OpenShiftVersion> extends Operations {
  /** Lists the installable versions. */
  list(location: string, options: OperationOptions = {}): PagedAsyncIterableIterator<OpenShiftVersion> {
    return this.connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/openShiftVersions",
      parameters: { location },
      options,
    });
  }
}

export abstract class PlatformWorkloadIdentityRoleSets_2024_08_12_preview<PlatformWorkloadIdentityRoleSet> extends Operations {
  /** Lists the roles for all minor versions. */
  list(location: string, options: OperationOptions = {}): PagedAsyncIterableIterator<PlatformWorkloadIdentityRoleSet> {
    return this.connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/platformWorkloadIdentityRoleSets",
      parameters: { location },
      options,
    });
  }
}

export abstract class PlatformWorkloadIdentityRoleSet_2024_08_12_preview<PlatformWorkloadIdentityRoleSet> extends Operations {
  /** Gets the roles for a minor version. */
  get(location: string, openShiftMinorVersion: string, options: OperationOptions = {}): Promise<PlatformWorkloadIdentityRoleSet> {
    return this.connection.call({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/platformWorkloadIdentityRoleSets/{openShiftMinorVersion}",
      parameters: { location, openShiftMinorVersion },
      options,
    });
  }
}

export abstract class OpenShiftVersions_2024_08_12_preview<OpenShiftVersion> extends OpenShiftVersions_2022_09_04<OpenShiftVersion> {
  /** Gets an installable version. */
  get(location: string, openShiftVersion: string, options: OperationOptions = {}): Promise<OpenShiftVersion> {
    return this.connection.call({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/{location}/openShiftVersions/{openShiftVersion}",
      parameters: { location, openShiftVersion },
      options,
    });
  }
}

export abstract class OpenShiftClusters_2020_04_30<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials> extends Operations {
  protected abstract readonly sends: Readonly<Record<"createOrUpdate" | "update", BodyMembers>>;

  /** Lists the clusters of a subscription. */
  list(options: OperationOptions = {}): PagedAsyncIterableIterator<OpenShiftCluster> {
    return this.connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
      parameters: {},
      options,
    });
  }

  /** Lists the clusters of a resource group. */
  listByResourceGroup(resourceGroupName: string, options: OperationOptions = {}): PagedAsyncIterableIterator<OpenShiftCluster> {
    return this.connection.list({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters",
      parameters: { resourceGroupName },
      options,
    });
  }

  /** Gets a cluster. */
  get(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftCluster> {
    return this.connection.call({
      method: "GET",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Creates or updates a cluster. */
  createOrUpdate(resourceGroupName: string, resourceName: string, body: OpenShiftCluster, options: OperationOptions = {}): PollerLike<OperationState<OpenShiftCluster>, OpenShiftCluster> {
    return this.connection.begin({
      method: "PUT",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      body,
      sends: this.sends.createOrUpdate,
      options,
    });
  }

  /** Updates a cluster. */
  update(resourceGroupName: string, resourceName: string, body: OpenShiftClusterUpdate, options: OperationOptions = {}): PollerLike<OperationState<OpenShiftCluster>, OpenShiftCluster> {
    return this.connection.begin({
      method: "PATCH",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      body,
      sends: this.sends.update,
      options,
    });
  }

  /** Deletes a cluster with its Azure resources. */
  delete(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): PollerLike<OperationState<void>, void> {
    return this.connection.begin({
      method: "DELETE",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }

  /** Returns the password of kubeadmin. */
  listCredentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterCredentials> {
    return this.connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listCredentials",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }
}

export abstract class OpenShiftClusters_2019_12_31_preview<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials> extends OpenShiftClusters_2020_04_30<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials> {
  /** Returns the password of kubeadmin. Former name of listCredentials. */
  credentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterCredentials> {
    return this.connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/credentials",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }
}

export abstract class OpenShiftClusters_2021_09_01_preview<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterAdminKubeconfig, OpenShiftClusterCredentials> extends OpenShiftClusters_2020_04_30<OpenShiftCluster, OpenShiftClusterUpdate, OpenShiftClusterCredentials> {
  /** Returns an administrator's kubeconfig with a client certificate. */
  listAdminCredentials(resourceGroupName: string, resourceName: string, options: OperationOptions = {}): Promise<OpenShiftClusterAdminKubeconfig> {
    return this.connection.call({
      method: "POST",
      path: "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.RedHatOpenShift/openShiftClusters/{resourceName}/listAdminCredentials",
      parameters: { resourceGroupName, resourceName },
      options,
    });
  }
}

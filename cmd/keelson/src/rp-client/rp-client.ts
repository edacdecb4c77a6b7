import {
  type AsyncOperation,
  clusterId,
  isTerminal,
  providerNamespace,
  resourceGroupNameOf,
} from "@keelson/arm";
import { type JsonObject, systemClock } from "@keelson/base";
import type { ClusterRef } from "../options/cluster-ref.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { embedded } from "../state/embedded-defaults.ts";
import type { Endpoints } from "../state/endpoints.ts";
import type { Principal } from "../state/identity.ts";
import { azureApis } from "./azure-calls.ts";
import { registerClusterApplication } from "./cluster-application.ts";
import { createIdentities, type OperatorRole } from "./cluster-identities.ts";
import {
  type ClusterIdentities,
  clusterApiVersion,
  clusterPath,
  embeddedNetworkId,
} from "./cluster-request.ts";
import { pathOf, RpConnection, type RpResponse, succeeded } from "./rp-connection.ts";
import { untilConnected } from "./until-connected.ts";

const pollMs = 200;
/** Time limit, in ms, for a restart of the service. The limit is long enough for a busy machine. */
export const restartMs = 120_000;

export interface ListedCluster {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly state: string;
  readonly version: string;
}

/** Health of a cluster. */
export interface Availability {
  readonly state: string;
  readonly reason: string;
  readonly summary: string;
  /** Time of the last change of the state, RFC 3339. */
  readonly since: string;
}

interface ListedRoleSet {
  readonly properties: {
    readonly openShiftVersion: string;
    readonly platformWorkloadIdentityRoles: readonly OperatorRole[];
  };
}

/** Client of the ARM API of a running instance. */
export class RpClient implements AsyncDisposable {
  readonly #endpoints: Endpoints;
  readonly connection: RpConnection;

  /**
   * `reconnectMs`: time for which a request is retried while the service does not listen, for example during a restart. Default:
   * 0 ms.
   */
  constructor(endpoints: Endpoints, { reconnectMs = 0 }: { readonly reconnectMs?: number } = {}) {
    this.#endpoints = endpoints;
    this.connection = new RpConnection(endpoints, reconnectMs);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.connection[Symbol.asyncDispose]();
  }

  get subscriptionId(): string {
    return this.#endpoints.subscriptionId;
  }

  /** True if the service is ready to serve requests. Rejects if the connection is refused. */
  async isReady(signal: AbortSignal): Promise<boolean> {
    return (await this.connection.call("GET", "/healthz/ready", undefined, signal)).status === 200;
  }

  async registerSubscription(signal: AbortSignal): Promise<void> {
    const { subscriptionId, tenantId } = this.#endpoints;
    const body = { state: "Registered", properties: { tenantId } };
    await this.connection.expect("PUT", `/subscriptions/${subscriptionId}?api-version=2.0`, body, signal);
  }

  /** Returns the cluster's provisioning state, or `undefined` if the cluster does not exist. */
  async findState(cluster: ClusterRef, signal: AbortSignal): Promise<string | undefined> {
    const response = await this.connection.call("GET", this.#path(cluster), undefined, signal);
    if (response.status === 404) return undefined;
    const found: { properties: { provisioningState: string } } = JSON.parse(
      succeeded(response, "GET", cluster.name).body,
    );
    return found.properties.provisioningState;
  }

  /** Returns all clusters of the service in the administrator API version, by document key. */
  async allClusters(signal: AbortSignal): Promise<ReadonlyMap<string, JsonObject>> {
    const keys = new Map<string, string>();
    let summaries: string | undefined = "/admin/clusters";
    while (summaries !== undefined) {
      const response: RpResponse = await this.connection.expect("GET", summaries, undefined, signal);
      const page: readonly { readonly key: string; readonly resourceId: string }[] = JSON.parse(
        response.body,
      );
      for (const { key, resourceId } of page) keys.set(resourceId.toLowerCase(), key);
      summaries = pathOf(response.next);
    }
    const clusters = new Map<string, JsonObject>();
    let list: string | undefined =
      "/admin/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=admin";
    while (list !== undefined) {
      const response: RpResponse = await this.connection.expect("GET", list, undefined, signal);
      const page: {
        readonly value: readonly (JsonObject & { readonly id: string })[];
        readonly nextLink?: string;
      } = JSON.parse(response.body);
      for (const each of page.value) clusters.set(keys.get(each.id.toLowerCase()) ?? each.id, each);
      list = pathOf(page.nextLink);
    }
    return clusters;
  }

  /** Registers a cluster's application and permits it to use the embedded network. */
  registerApplication(cluster: string, signal: AbortSignal): Promise<Principal> {
    const { subscriptionId } = this;
    const register = () =>
      registerClusterApplication({
        apis: this.#apis(signal),
        subscriptionId,
        displayName: `cluster ${cluster}`,
        virtualNetworkId: embeddedNetworkId(subscriptionId),
      });
    return untilConnected(register, { reconnectMs: this.connection.reconnectMs, signal });
  }

  /**
   * Returns the Azure roles of the operators in an OpenShift version. Without `version`, returns the roles of the service's
   * default version.
   * @throws RequestFailed
   */
  async operatorRoles(version: string | undefined, signal: AbortSignal): Promise<readonly OperatorRole[]> {
    const minor = minorOf(version ?? embedded.versions.find((each) => each.default)?.version ?? "");
    const { subscriptionId } = this;
    const path = `/subscriptions/${subscriptionId}/providers/${providerNamespace}/locations/${embedded.location}/platformworkloadidentityrolesets`;
    const query = `${path}?api-version=${clusterApiVersion}`;
    const { value }: { readonly value: readonly ListedRoleSet[] } = JSON.parse(
      (await this.connection.expect("GET", query, undefined, signal)).body,
    );
    const found = value.find(({ properties }) => properties.openShiftVersion === minor);
    if (found) return found.properties.platformWorkloadIdentityRoles;
    const minors = value.map(({ properties }) => properties.openShiftVersion);
    throw cliErrors.RequestFailed(
      `OpenShift ${minor} does not support managed identities. Use one of ${minors.join(", ")}.`,
    );
  }

  /** Creates a cluster's managed identities and assigns their roles. */
  async createIdentities(
    cluster: ClusterRef,
    version: string | undefined,
    signal: AbortSignal,
  ): Promise<ClusterIdentities> {
    const roles = await this.operatorRoles(version, signal);
    const { subscriptionId } = this;
    const create = () => createIdentities(cluster, { apis: this.#apis(signal), subscriptionId, roles });
    return untilConnected(create, { reconnectMs: this.connection.reconnectMs, signal });
  }

  /** Starts the creation of a cluster. Returns the URL of the operation. */
  async createCluster(cluster: ClusterRef, body: object, signal: AbortSignal): Promise<string> {
    const response = await this.connection.expect("PUT", this.#path(cluster), body, signal);
    if (!response.operationUrl)
      throw cliErrors.RequestFailed(`PUT ${cluster.name}: no Azure-AsyncOperation in the answer`);
    return response.operationUrl;
  }

  /** Starts the deletion of a cluster. Returns the URL of the operation, or `undefined` if the cluster does not exist. */
  async deleteCluster(cluster: ClusterRef, signal: AbortSignal): Promise<string | undefined> {
    const response = succeeded(
      await this.connection.call("DELETE", this.#path(cluster), undefined, signal),
      "DELETE",
      cluster.name,
    );
    if (response.status === 204) return undefined;
    if (response.operationUrl) return response.operationUrl;
    throw cliErrors.RequestFailed(`DELETE ${cluster.name}: no Azure-AsyncOperation in the answer`);
  }

  /** Returns the resource of a cluster in the ARM API. @throws UnknownCluster */
  async cluster(cluster: ClusterRef, signal: AbortSignal): Promise<JsonObject> {
    const response = await this.connection.call("GET", this.#path(cluster), undefined, signal);
    if (response.status === 404) throw unknownCluster(cluster);
    return JSON.parse(succeeded(response, "GET", cluster.name).body);
  }

  /** Returns the health of a cluster in the form of Azure Resource Health. Undefined if the cluster does not exist. */
  async availability(cluster: ClusterRef, signal: AbortSignal): Promise<Availability | undefined> {
    const path = this.#path(cluster, "/availabilityStatuses/current");
    const response = await this.connection.call("GET", path, undefined, signal);
    if (response.status === 404) return undefined;
    const { properties } = JSON.parse(succeeded(response, "GET", cluster.name).body);
    const { availabilityState: state, detailedStatus: reason, summary, occuredTime: since } = properties;
    return { state, reason, summary, since };
  }

  /** Returns the clusters of the subscription. */
  async listClusters(signal: AbortSignal): Promise<readonly ListedCluster[]> {
    const clusters: ListedCluster[] = [];
    let path: string | undefined =
      `/subscriptions/${this.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=${clusterApiVersion}`;
    while (path !== undefined) {
      const response: RpResponse = await this.connection.expect("GET", path, undefined, signal);
      const page: {
        readonly value: readonly {
          readonly id: string;
          readonly name: string;
          readonly properties: {
            readonly provisioningState: string;
            readonly clusterProfile: { readonly version?: string };
          };
        }[];
        readonly nextLink?: string;
      } = JSON.parse(response.body);
      for (const { id, name, properties } of page.value) {
        const { provisioningState: state, clusterProfile } = properties;
        const resourceGroup = resourceGroupNameOf(id) ?? "";
        clusters.push({ id, name, resourceGroup, state, version: clusterProfile.version ?? "" });
      }
      path = pathOf(page.nextLink);
    }
    return clusters;
  }

  /**
   * Returns the newest operation of a cluster in the last seven days. Returns `undefined` if there is no such operation, or if
   * the cluster does not exist.
   */
  async newestOperation(cluster: ClusterRef, signal: AbortSignal): Promise<AsyncOperation | undefined> {
    const path = `/admin${clusterId(this.subscriptionId, cluster.resourceGroup, cluster.name)}/operations`;
    const response = await this.connection.call("GET", path, undefined, signal);
    if (response.status === 404) return undefined;
    const { value }: { readonly value: readonly AsyncOperation[] } = JSON.parse(
      succeeded(response, "GET", cluster.name).body,
    );
    return value[0];
  }

  /** Polls an operation until it completes. Reports each status. */
  async follow(
    url: string,
    report: (operation: AsyncOperation) => void,
    signal: AbortSignal,
  ): Promise<AsyncOperation> {
    for (;;) {
      const response = await this.connection.expect(
        "GET",
        url.slice(new URL(url).origin.length),
        undefined,
        signal,
      );
      const operation: AsyncOperation = JSON.parse(response.body);
      report(operation);
      if (isTerminal(operation.status)) return operation;
      await systemClock.sleep(pollMs, signal);
    }
  }

  /** Returns the content of the admin kubeconfig. @throws UnknownCluster */
  async adminKubeconfig(cluster: ClusterRef, signal: AbortSignal): Promise<string> {
    const path = this.#path(cluster, "/listAdminCredentials");
    const response = await this.connection.call("POST", path, {}, signal);
    if (response.status === 404) throw unknownCluster(cluster);
    const { kubeconfig }: { kubeconfig: string } = JSON.parse(succeeded(response, "POST", cluster.name).body);
    return Buffer.from(kubeconfig, "base64").toString("utf8");
  }

  #apis(signal: AbortSignal) {
    return azureApis({ endpoints: this.#endpoints, dispatcher: this.connection.dispatcher, signal });
  }

  #path(cluster: ClusterRef, suffix = ""): string {
    return clusterPath(this.subscriptionId, cluster, suffix);
  }
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/** Error of a command for a cluster that does not exist. */
export function unknownCluster({ name, resourceGroup }: ClusterRef) {
  return cliErrors.UnknownCluster(
    `there is no cluster "${name}" in resource group "${resourceGroup}". Run "keelson cluster list" to see all clusters.`,
  );
}

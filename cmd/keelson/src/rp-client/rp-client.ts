import { readFileSync } from "node:fs";
import { type AsyncOperation, clusterId, resourceGroupNameOf } from "@keelson/arm";
import { http1Only, type JsonObject, messageOf, type StopReason, systemClock } from "@keelson/base";
import { Agent, request } from "undici";
import { cliErrors } from "../output/cli-errors.ts";
import type { Endpoints } from "../state/endpoints.ts";
import type { Principal } from "../state/identity.ts";
import { registerClusterApplication } from "./cluster-application.ts";
import { embeddedNetworkId } from "./first-cluster.ts";
import { isRefused, untilConnected } from "./until-connected.ts";

const apiVersion = "2025-07-25";
const pollMs = 200;
/** Maximum restart time of the service on a busy machine, in ms. */
export const restartMs = 120_000;

export interface ListedCluster {
  readonly id: string;
  readonly name: string;
  readonly resourceGroup: string;
  readonly state: string;
  readonly version: string;
}

interface Response {
  readonly status: number;
  readonly body: string;
  readonly operationUrl: string | undefined;
  /** URL of the next page, from the response headers. */
  readonly next: string | undefined;
}

/** Client of the ARM API of a running instance. */
export class RpClient implements AsyncDisposable {
  readonly #endpoints: Endpoints;
  readonly #agent: Agent;
  readonly #reconnectMs: number;

  /**
   * `reconnectMs`: time for which a request is retried while the service does not listen, for example during a restart. Default:
   * 0 ms.
   */
  constructor(endpoints: Endpoints, { reconnectMs = 0 }: { readonly reconnectMs?: number } = {}) {
    this.#endpoints = endpoints;
    this.#reconnectMs = reconnectMs;
    this.#agent = new Agent({ ...http1Only, connect: { ca: readFileSync(endpoints.caFile, "utf8") } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  get subscriptionId(): string {
    return this.#endpoints.subscriptionId;
  }

  /** True if the service serves requests. Rejects if the connection is refused. */
  async isReady(signal: AbortSignal): Promise<boolean> {
    return (await this.#call("GET", "/healthz/ready", undefined, signal)).status === 200;
  }

  async registerSubscription(signal: AbortSignal): Promise<void> {
    const { subscriptionId, tenantId } = this.#endpoints;
    const body = { state: "Registered", properties: { tenantId } };
    await this.#expect("PUT", `/subscriptions/${subscriptionId}?api-version=2.0`, body, signal);
  }

  /** Returns the cluster's provisioning state, or `undefined` if the cluster does not exist. */
  async findState(name: string, signal: AbortSignal): Promise<string | undefined> {
    const response = await this.#call("GET", this.#cluster(name), undefined, signal);
    if (response.status === 404) return undefined;
    const cluster: { properties: { provisioningState: string } } = JSON.parse(
      this.#ok(response, "GET", name).body,
    );
    return cluster.properties.provisioningState;
  }

  /** Returns all clusters of the service in the administrator API version, by document key. */
  async allClusters(signal: AbortSignal): Promise<ReadonlyMap<string, JsonObject>> {
    const keys = new Map<string, string>();
    let summaries: string | undefined = "/admin/clusters";
    while (summaries !== undefined) {
      const response: Response = await this.#expect("GET", summaries, undefined, signal);
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
      const response: Response = await this.#expect("GET", list, undefined, signal);
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
    const register = () =>
      registerClusterApplication({
        endpoints: this.#endpoints,
        displayName: `cluster ${cluster}`,
        virtualNetworkId: embeddedNetworkId(this.subscriptionId),
        dispatcher: this.#agent,
        signal,
      });
    return untilConnected(register, { reconnectMs: this.#reconnectMs, signal });
  }

  /** Starts the creation of a cluster. Returns the URL of the operation. */
  async createCluster(name: string, body: object, signal: AbortSignal): Promise<string> {
    const response = await this.#expect("PUT", this.#cluster(name), body, signal);
    if (!response.operationUrl)
      throw cliErrors.RequestFailed(`PUT ${name}: no Azure-AsyncOperation in the answer`);
    return response.operationUrl;
  }

  /** Starts the deletion of a cluster. Returns the URL of the operation, or `undefined` if the cluster does not exist. */
  async deleteCluster(name: string, signal: AbortSignal): Promise<string | undefined> {
    const response = this.#ok(
      await this.#call("DELETE", this.#cluster(name), undefined, signal),
      "DELETE",
      name,
    );
    if (response.status === 204) return undefined;
    if (response.operationUrl) return response.operationUrl;
    throw cliErrors.RequestFailed(`DELETE ${name}: no Azure-AsyncOperation in the answer`);
  }

  /** Returns the clusters of the subscription. */
  async listClusters(signal: AbortSignal): Promise<readonly ListedCluster[]> {
    const clusters: ListedCluster[] = [];
    let path: string | undefined =
      `/subscriptions/${this.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=${apiVersion}`;
    while (path !== undefined) {
      const response: Response = await this.#expect("GET", path, undefined, signal);
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

  /** Returns the newest operation of a cluster in the last seven days. Returns `undefined` if the cluster does not exist. */
  async newestOperation(name: string, signal: AbortSignal): Promise<AsyncOperation | undefined> {
    const path = `/admin${clusterId(this.subscriptionId, name, name)}/operations`;
    const response = await this.#call("GET", path, undefined, signal);
    if (response.status === 404) return undefined;
    const { value }: { readonly value: readonly AsyncOperation[] } = JSON.parse(
      this.#ok(response, "GET", name).body,
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
      const response = await this.#expect("GET", url.slice(new URL(url).origin.length), undefined, signal);
      const operation: AsyncOperation = JSON.parse(response.body);
      report(operation);
      if (operation.status === "Succeeded" || operation.status === "Failed") return operation;
      await systemClock.sleep(pollMs, signal);
    }
  }

  /** Returns the content of the admin kubeconfig. @throws UnknownCluster */
  async adminKubeconfig(name: string, resourceGroup: string, signal: AbortSignal): Promise<string> {
    const path = this.#cluster(name, resourceGroup, "/listAdminCredentials");
    const response = await this.#call("POST", path, {}, signal);
    if (response.status === 404) {
      throw cliErrors.UnknownCluster(`there is no cluster "${name}" in resource group "${resourceGroup}"`);
    }
    const { kubeconfig }: { kubeconfig: string } = JSON.parse(this.#ok(response, "POST", name).body);
    return Buffer.from(kubeconfig, "base64").toString("utf8");
  }

  #cluster(name: string, resourceGroup = name, suffix = ""): string {
    return `${clusterId(this.#endpoints.subscriptionId, resourceGroup, name)}${suffix}?api-version=${apiVersion}`;
  }

  async #expect(
    method: "GET" | "PUT",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    return this.#ok(await this.#call(method, path, body, signal), method, path);
  }

  #ok(response: Response, method: string, what: string): Response {
    if (response.status < 300) return response;
    throw cliErrors.RequestFailed(`${method} ${what} answered ${response.status}: ${response.body.trim()}`);
  }

  async #call(
    method: "GET" | "PUT" | "POST" | "DELETE",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ) {
    const { statusCode, headers, text } = await this.#sendUntilConnected(method, path, body, signal);
    const operationUrl = headers["azure-asyncoperation"];
    return {
      status: statusCode,
      body: text,
      operationUrl: typeof operationUrl === "string" ? operationUrl : undefined,
      next: /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ""))?.[1],
    };
  }

  /** Sends a request. Retries it if the connection was refused. Retries a read also if the service exited before its response. */
  #sendUntilConnected(
    method: "GET" | "PUT" | "POST" | "DELETE",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ) {
    const send = () => this.#send(method, path, body, signal);
    const isRepeated = (error: unknown) => method === "GET" || isRefused(error);
    return untilConnected(send, { reconnectMs: this.#reconnectMs, isRepeated, signal });
  }

  async #send(
    method: "GET" | "PUT" | "POST" | "DELETE",
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ) {
    const { rp } = this.#endpoints;
    try {
      const response = await request(`${rp}${path}`, {
        method,
        dispatcher: this.#agent,
        signal,
        // Requests the progress of operations, which Azure's service does not return.
        headers: { prefer: "keelson-progress", ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { statusCode: response.statusCode, headers: response.headers, text: await response.body.text() };
    } catch (cause) {
      if (cause === ("draining" satisfies StopReason)) throw cause;
      throw cliErrors.NotRunning(
        `the resource provider does not answer at ${rp} (${messageOf(cause)}): is "keelson up" or "keelson rp" running?`,
        { cause },
      );
    }
  }
}

/** Returns the path of a link. Links contain the public host name, but requests use the endpoint in `endpoints.json`. */
function pathOf(link: string | undefined): string | undefined {
  const url = URL.parse(link ?? "");
  return url ? `${url.pathname}${url.search}` : undefined;
}

import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { connectKube, resources } from "@keelson/kube";
import { Browser, type BrowserRequest } from "@keelson/portal/testing";
import { request } from "undici";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { exampleRequest } from "../e2e/support/cluster-request.ts";
import { WorldClient } from "../e2e/support/world-client.ts";

const apiVersion = "?api-version=2025-07-25";
const networkVersion = "2024-05-01";
const lastingCluster = "demo";
const clusterPrefix = "soak";
const watchedMs = 2_000;
const network = "/resourceGroups/keelson-network/providers/Microsoft.Network/virtualNetworks/vnet";
/** Unused address ranges in the default network. Each round deletes its subnets at the end. */
const subnetPrefixes = { master: "10.100.0.0/24", worker: "10.100.1.0/24" };

/** Customer and administrator. One round contains all their actions for one cluster. */
export class Customer implements AsyncDisposable {
  readonly #world: WorldClient;
  readonly #arm: ArmClient;
  readonly #ca: string;
  /** Template variables of the create request, except the cluster name. All clusters of a run use the same application. */
  readonly #variables: Readonly<Record<string, string>>;

  private constructor(world: WorldClient, arm: ArmClient, variables: Readonly<Record<string, string>>) {
    this.#world = world;
    this.#arm = arm;
    this.#ca = readFileSync(world.endpoints.caFile, "utf8");
    this.#variables = variables;
  }

  /** Registers the application for the clusters. */
  static async connect(state: string): Promise<Customer> {
    await using stack = new AsyncDisposableStack();
    const world = stack.use(new WorldClient(state));
    const arm = stack.use(new ArmClient(`${state}/endpoints.json`));
    const customer = new Customer(world, arm, await arm.clusterVariables(""));
    stack.move();
    return customer;
  }

  /** Deletes the cluster and the subnets that an interrupted round left behind. */
  async deleteLeftovers(signal: AbortSignal): Promise<void> {
    const { subscriptionId } = this.#arm;
    const all = `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters`;
    const { body } = await this.#arm.call("GET", `${all}${apiVersion}`);
    for (const { id, name } of body.value)
      if (name !== lastingCluster) await this.#operation("DELETE", id, signal);
    const subnets = `/subscriptions/${subscriptionId}${network}/subnets`;
    const { value } = await this.#world.azure("GET", subnets, networkVersion);
    for (const { name } of value)
      if (name.startsWith(clusterPrefix))
        await this.#world.azure("DELETE", `${subnets}/${name}`, networkVersion);
  }

  /**
   * Creates, updates, watches and deletes a cluster. Also reads the portal and the metrics.
   * @throws Error for an unexpected response
   */
  async round(number: number, signal: AbortSignal): Promise<void> {
    const name = `${clusterPrefix}${number}`;
    const url = this.#arm.cluster(name);
    const group = `/subscriptions/${this.#arm.subscriptionId}/resourceGroups/${name}`;
    await this.#world.azure("PUT", group, undefined, { location: "eastus" });
    const variables = { ...this.#variables, CLUSTER: name };
    try {
      await this.#forSubnets(name, (path, addressPrefix) =>
        this.#world.azure("PUT", path, networkVersion, { properties: { addressPrefix } }),
      );
      await this.#operation("PUT", url, signal, exampleRequest("20250725", variables));
      await this.#operation("PATCH", url, signal, { tags: { round: name } });
      await this.#watch(name, signal);
      await this.#portal(name, signal);
      await this.#scrape(signal);
    } finally {
      await this.#operation("DELETE", url, signal);
      await this.#forSubnets(name, (path) => this.#world.azure("DELETE", path, networkVersion));
      await this.#world.azure("DELETE", group);
    }
  }

  async advanceClock(hours: number): Promise<void> {
    await this.#world.advanceClock(hours * 3_600_000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#arm[Symbol.asyncDispose]();
    await this.#world[Symbol.asyncDispose]();
  }

  async #forSubnets(
    name: string,
    each: (path: string, addressPrefix: string) => Promise<unknown>,
  ): Promise<void> {
    for (const [role, addressPrefix] of Object.entries(subnetPrefixes))
      await each(
        `/subscriptions/${this.#arm.subscriptionId}${network}/subnets/${name}-${role}`,
        addressPrefix,
      );
  }

  async #operation(
    method: "PUT" | "PATCH" | "DELETE",
    url: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<void> {
    const accepted = await this.#arm.call(method, `${url}${apiVersion}`, body);
    if (accepted.status === 204) return;
    const operation = accepted.headers["azure-asyncoperation"];
    if (accepted.status >= 300 || operation === undefined)
      throw new Error(`${method} ${url}: ${accepted.status} ${JSON.stringify(accepted.body)}`);
    for (;;) {
      signal.throwIfAborted();
      const { body: status } = await this.#arm.call("GET", String(operation));
      if (status.status === "Succeeded") return;
      if (status.status === "Failed") throw new Error(`${method} ${url}: ${JSON.stringify(status)}`);
      await delay(500);
    }
  }

  /** Lists and watches pods with the cluster administrator's kubeconfig and changes an object in the meantime. */
  async #watch(name: string, signal: AbortSignal): Promise<void> {
    const { body } = await this.#arm.call(
      "POST",
      `${this.#arm.cluster(name, "/listAdminCredentials")}${apiVersion}`,
    );
    const kubeconfig = Buffer.from(body.kubeconfig, "base64").toString();
    await using kube = connectKube({ kubeconfig, userAgent: "soak", fieldManager: "soak" });
    const { resourceVersion } = await kube.list(resources.pods, {}, signal);
    const end = AbortSignal.any([signal, AbortSignal.timeout(watchedMs)]);
    const watch = async () => {
      for await (const _ of kube.watch(resources.configMaps, { namespace: "default", resourceVersion }, end));
    };
    const watching = watch().catch((error: unknown) => {
      if (!end.aborted) throw error;
    });
    const key = { namespace: "default", name: "soak" };
    await kube.create(
      resources.configMaps,
      { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: { round: name } },
      signal,
    );
    await kube.delete(resources.configMaps, key, signal);
    await watching;
  }

  /** Signs in to the portal, reads pages and reads nodes with a portal kubeconfig. Then signs out. */
  async #portal(name: string, signal: AbortSignal): Promise<void> {
    const { portal } = this.#world.endpoints;
    const { subscriptionId } = this.#arm;
    const browser = new Browser(this.#ca);
    const cluster = `/subscriptions/${subscriptionId}/resourcegroups/${name}/providers/microsoft.redhatopenshift/openshiftclusters/${name}`;
    const ask = async (path: string, options: BrowserRequest = {}) => {
      signal.throwIfAborted();
      const { status, text } = await browser.send(portal, path, options);
      if (status >= 400) throw new Error(`portal ${path}: ${status} ${text.slice(0, 500)}`);
      return text;
    };
    await browser.signIn(portal, "administrator@keelson.local", cluster);
    await ask(cluster);
    const { csrf } = JSON.parse(await ask("/api/info"));
    await ask("/api/clusters");
    for (const page of ["operations", "nodes", "machines", "machine-sets", "clusteroperators"])
      await ask(`/api/${subscriptionId}/${name}/${name}/${page}`);
    const post = (path: string) => {
      const headers = { "x-csrf-token": csrf, "content-type": "application/json" };
      return ask(path, { method: "POST", headers, body: "{}" });
    };
    const config = JSON.parse(await post(`${cluster}/kubeconfig/new`));
    const { pathname } = new URL(config.clusters[0].cluster.server);
    const headers = { authorization: `Bearer ${config.users[0].user.token}` };
    for (const path of ["/version", "/api/v1/nodes", "/api/v1/pods?limit=50", "/apis"])
      await ask(`${pathname}${path}`, { headers });
    await post("/api/sign-outs");
  }

  async #scrape(signal: AbortSignal): Promise<void> {
    const { metrics } = this.#world.endpoints;
    const { statusCode, body } = await request(metrics, { signal });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`GET ${metrics}: ${statusCode} ${text.slice(0, 500)}`);
  }
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, request } from "undici";
import { type ExampleVersion, exampleRequest, registerApplication, variablesFor } from "./cluster-request.ts";
import { armToken, type Endpoints, readEndpoints } from "./endpoints.ts";
import { pollDelayMs } from "./poll-delay.ts";

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
  readonly body: any;
  /** Body before it is parsed. */
  readonly text?: string;
}

/** Minimal client of the ARM API, like curl. It uses no SDK and no code of the service. */
export class ArmClient implements AsyncDisposable {
  readonly rp: string;
  readonly subscriptionId: string;
  readonly #endpoints: Endpoints;
  readonly #agent: Agent;
  readonly #disposed = new AbortController();

  constructor(endpointsFile: string, rp?: string) {
    const endpoints = readEndpoints(endpointsFile);
    this.#endpoints = endpoints;
    this.rp = rp ?? endpoints.rp;
    this.subscriptionId = endpoints.subscriptionId;
    this.#agent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(endpoints.caFile, "utf8") },
    });
  }

  get tenantId(): string {
    return this.#endpoints.tenantId;
  }

  /** Registers an application and returns the variables for a create request with this application. */
  async clusterVariables(name: string, networkGroup?: string): Promise<Record<string, string>> {
    const application = await registerApplication(this.#endpoints, this.#agent, networkGroup);
    return variablesFor(name, this.subscriptionId, application);
  }

  /** Registers the subscription like Azure Resource Manager. @throws AssertionError if the request is rejected */
  async registerSubscription(): Promise<void> {
    const path = `/subscriptions/${this.subscriptionId}?api-version=2.0`;
    const response = await this.call("PUT", path, { state: "Registered" });
    assert.ok(response.status < 300, JSON.stringify(response.body));
  }

  /** Registers an application and returns the body of a create request with this application. */
  async clusterRequest(name: string, example: ExampleVersion = "20250725"): Promise<object> {
    return exampleRequest(example, await this.clusterVariables(name));
  }

  /** Creates a cluster with its own application. @throws AssertionError if the response status is not 201 */
  async createCluster(name: string, example: ExampleVersion = "20250725"): Promise<Response> {
    const apiVersion = example === "20191231" ? "2019-12-31-preview" : "2025-07-25";
    const path = `${this.cluster(name)}?api-version=${apiVersion}`;
    const response = await this.call("PUT", path, await this.clusterRequest(name, example));
    assert.equal(response.status, 201, JSON.stringify(response.body));
    return response;
  }

  cluster(name: string, suffix = ""): string {
    return `/subscriptions/${this.subscriptionId}/resourceGroups/${name}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}${suffix}`;
  }

  async call(
    method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE",
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const response = await request(path.startsWith("https:") ? path : `${this.rp}${path}`, {
      method,
      dispatcher: this.#agent,
      headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      body: text === "" ? undefined : JSON.parse(text),
      text,
    };
  }

  /** Returns the status of an operation with its percentage and its steps. */
  async progress(operationUrl: string): Promise<Response["body"]> {
    return (await this.call("GET", operationUrl, undefined, { prefer: "keelson-progress" })).body;
  }

  /** Polls an operation until it has completed. */
  async settle(
    operationUrl: unknown,
    timeoutMs = 900_000,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response["body"]> {
    const startedMs = performance.now();
    for (;;) {
      const { body } = await this.call("GET", String(operationUrl), undefined, headers);
      if (body.status === "Succeeded" || body.status === "Failed") return body;
      if (performance.now() > startedMs + timeoutMs) throw new Error(`still ${JSON.stringify(body)}`);
      await delay(pollDelayMs(startedMs));
    }
  }

  /**
   * Waits until the cluster is in a terminal state, even if the service restarts. Returns `disposed` if the client is disposed
   * first.
   */
  async terminal(name: string, timeoutMs = 900_000): Promise<string> {
    const startedMs = performance.now();
    for (;;) {
      if (this.#disposed.signal.aborted) return "disposed";
      const response = await this.call("GET", `${this.cluster(name)}?api-version=2025-07-25`).catch(
        () => undefined,
      );
      const state: string | undefined = response?.body?.properties?.provisioningState;
      if (state === "Succeeded" || state === "Failed") return state;
      if (performance.now() > startedMs + timeoutMs)
        throw new Error(`${name} is ${state} after ${timeoutMs} ms`);
      await delay(pollDelayMs(startedMs));
    }
  }

  /** Returns a token for the simulated ARM. */
  token(): Promise<string> {
    return armToken(this.#endpoints, this.#agent);
  }

  /** Returns the Azure resources in a resource group, sorted. Each entry contains the ID and the ETag or state. */
  async resources(group: string): Promise<readonly object[]> {
    const token = await this.token();
    const path = `/subscriptions/${this.subscriptionId}/resourceGroups/${group}/resources?api-version=2021-04-01`;
    const response = await request(`${this.#endpoints.arm}${path}`, {
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.statusCode === 404) return [];
    const { value }: { value: { id: string }[] } = JSON.parse(await response.body.text());
    return value.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort();
    await this.#agent.destroy();
  }
}

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ArmClient, Response } from "../e2e/support/arm-client.ts";

export interface CustomersOptions {
  /** Returns a client of a running service process. */
  readonly client: () => ArmClient;
  /** Returns the errors of a cluster's failed operations for test messages. */
  readonly failures: (name: string) => Promise<readonly object[]>;
  readonly apiVersion: string;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

const operationLimitMs = 900_000;

/**
 * Customers that create, update and delete clusters. If the service process dies before it responds, a customer repeats the
 * request.
 */
export class Customers {
  readonly #options: CustomersOptions;

  constructor(options: CustomersOptions) {
    this.#options = options;
  }

  async create(name: string, request: object): Promise<void> {
    await this.#ask(name, "PUT", request, (state) => state !== undefined);
    await this.#ended(name, "Succeeded");
    this.#options.report(`${name} is created`);
  }

  async update(name: string, tags: Readonly<Record<string, string>>): Promise<void> {
    const [[key, value] = ["", ""]] = Object.entries(tags);
    await this.#ask(name, "PATCH", { tags }, (_, cluster) => cluster?.tags?.[key] === value);
    const updated = await this.#ended(name, "Succeeded");
    assert.deepEqual(updated?.tags, tags);
    this.#options.report(`${name} is updated`);
  }

  async delete(name: string): Promise<void> {
    await this.#ask(name, "DELETE", undefined, (state) => state === undefined || state === "Deleting");
    await this.#ended(name, undefined);
    this.#options.report(`${name} is deleted`);
  }

  /** Repeats a request until the service accepts it. If the response was lost, `isAccepted` detects an accepted request. */
  async #ask(
    name: string,
    method: "PUT" | "PATCH" | "DELETE",
    body: object | undefined,
    isAccepted: (state: string | undefined, cluster: Response["body"]) => boolean,
  ): Promise<void> {
    for (;;) {
      this.#options.signal.throwIfAborted();
      const client = this.#options.client();
      const response = await client.call(method, this.#path(client, name), body).catch(() => undefined);
      if (response && response.status < 300) return;
      // Injected faults can also fail the Azure requests with which the service validates a customer's request. The customer then
      // repeats the request.
      const isRefused = response && response.status < 500 && response.status !== 429;
      const { state, cluster } = await this.#find(name);
      if (isAccepted(state, cluster)) return;
      assert.ok(!isRefused, `${method} ${name}: ${response?.status} ${JSON.stringify(response?.body)}`);
      await delay(500);
    }
  }

  /**
   * Waits for the end of the current operation. `wanted` is the expected state; `undefined` means that the cluster must be
   * deleted.
   */
  async #ended(name: string, wanted: string | undefined): Promise<Response["body"]> {
    const deadline = performance.now() + operationLimitMs;
    for (;;) {
      this.#options.signal.throwIfAborted();
      const { state, cluster } = await this.#find(name);
      if (state === undefined || state === "Succeeded" || state === "Failed") {
        assert.equal(state, wanted, `${name}: ${JSON.stringify(await this.#options.failures(name))}`);
        return cluster;
      }
      assert.ok(performance.now() < deadline, `${name} is still ${state}`);
      await delay(300);
    }
  }

  /** Reads the cluster from a running process. */
  async #find(
    name: string,
  ): Promise<{ readonly state: string | undefined; readonly cluster: Response["body"] }> {
    for (;;) {
      this.#options.signal.throwIfAborted();
      const client = this.#options.client();
      const response = await client.call("GET", this.#path(client, name)).catch(() => undefined);
      if (response?.status === 404) return { state: undefined, cluster: undefined };
      if (response?.status === 200)
        return { state: response.body.properties.provisioningState, cluster: response.body };
      await delay(200);
    }
  }

  #path(client: ArmClient, name: string): string {
    return `${client.cluster(name)}?api-version=${this.#options.apiVersion}`;
  }
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { httpConnectTimeoutMs } from "@keelson/base";
import type { Inventory } from "@keelson/sim-azure";
import { Agent, request } from "undici";
import { armToken, type Endpoints, readEndpoints } from "./endpoints.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Client for the simulation in a state directory. It accesses Azure with the service's application and changes test settings. */
export class WorldClient implements AsyncDisposable {
  readonly #directory: string;
  readonly endpoints: Endpoints;
  readonly agent: Agent;

  constructor(directory: string) {
    this.#directory = directory;
    this.endpoints = readEndpoints(join(directory, "endpoints.json"));
    this.agent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(this.endpoints.caFile, "utf8") },
    });
  }

  /** Sends a request to ARM. @throws Error for an error response */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
  async azure(method: Method, path: string, version = "2021-04-01", body?: object): Promise<any> {
    const token = await armToken(this.endpoints, this.agent);
    return this.#call(`${this.endpoints.arm}${path}?api-version=${version}`, method, token, body);
  }

  /** Changes permissions and faults of the simulated Azure. */
  async change(settings: object): Promise<void> {
    await this.#call(`${this.endpoints.arm}/sim/settings`, "PATCH", this.#adminToken(), settings);
  }

  /** Returns the active faults with their injection counts. */
  async faults(): Promise<readonly { readonly name: string; readonly injected: number }[]> {
    const url = `${this.endpoints.arm}/sim/faults`;
    return (await this.#call(url, "GET", this.#adminToken())).items;
  }

  /** Moves the clock of the simulated Azure forward, like `keelson sim clock --advance`. */
  async advanceClock(advanceMs: number): Promise<void> {
    await this.#call(`${this.endpoints.arm}/sim/clock`, "POST", this.#adminToken(), { advanceMs });
  }

  /** Returns the list of all Azure resources for an audit. */
  inventory(): Promise<Inventory> {
    return this.#call(`${this.endpoints.arm}/sim/inventory`, "GET", this.#adminToken());
  }

  /** Sends a request to the simulation's administration API, for example to inject cluster faults. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
  clusters(method: Method, path: string, body?: object): Promise<any> {
    return this.#call(`${this.endpoints.admin}${path}`, method, this.#adminToken(), body);
  }

  #adminToken(): string {
    const { adminToken }: { adminToken: string } = JSON.parse(
      readFileSync(join(this.#directory, "secrets.json"), "utf8"),
    );
    return adminToken;
  }

  async #call(url: string, method: Method, token: string, body?: object) {
    const response = await request(url, {
      method,
      dispatcher: this.agent,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300)
      throw new Error(`${method} ${url} returned status ${response.statusCode} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.destroy();
  }
}

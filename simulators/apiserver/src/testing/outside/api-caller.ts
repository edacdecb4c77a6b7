import { scalarStringAt } from "@keelson/apimachinery";
import { type Dispatcher, request } from "undici";
import { agentFor } from "../agent.ts";
import type { ControlPlane } from "../control-plane.ts";

/** Error of a rejected request. The message is from the Status. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** JSON client of a control plane with administrator permissions. */
export class ApiCaller implements AsyncDisposable {
  readonly #agent: Dispatcher;
  readonly #base: string;

  constructor(plane: Pick<ControlPlane, "url" | "authority" | "admin">) {
    this.#agent = agentFor(plane.authority, plane.admin);
    this.#base = plane.url.replace(/\/$/, "");
  }

  /**
   * Sends a request and returns the parsed response.
   * @throws Refusal for any status outside 2xx
   */
  async call(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<unknown> {
    const response = await request(this.#base + path, {
      method,
      dispatcher: this.#agent,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const value: unknown = await response.body.json();
    if (response.statusCode >= 300) throw new Refusal(response.statusCode, scalarStringAt(value, "message"));
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

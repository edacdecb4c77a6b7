import { readFileSync } from "node:fs";
import { messageOf } from "@keelson/base";
import type { Fault, FaultKind, FaultRequest } from "@keelson/sim-openshift";
import { Agent, request } from "undici";
import { cliErrors } from "./cli-errors.ts";
import type { Endpoints } from "./state/endpoints.ts";

export type { Fault };

export type FaultKinds = Readonly<
  Record<
    string,
    {
      readonly description: string;
      readonly parameters: Readonly<
        Record<string, { readonly required: boolean; readonly description: string }>
      >;
    }
  >
>;

/** A fault as it was typed: the world says whether it knows it. */
type TypedFault = Omit<FaultRequest, "kind"> & { readonly kind: FaultKind | string };

const timeoutMs = 10_000;

/** The program as a client of the simulated world's own administration. */
export class SimClient implements AsyncDisposable {
  readonly #url: string;
  readonly #adminToken: string;
  readonly #agent: Agent;

  constructor(endpoints: Endpoints, adminToken: string) {
    this.#url = endpoints.admin;
    this.#adminToken = adminToken;
    this.#agent = new Agent({ connect: { ca: readFileSync(endpoints.caFile, "utf8") } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  async listFaults(): Promise<readonly Fault[]> {
    const { items }: { items: readonly Fault[] } = JSON.parse(await this.#call("GET", "/faults"));
    return items;
  }

  async faultKinds(): Promise<FaultKinds> {
    return JSON.parse(await this.#call("GET", "/faults/kinds"));
  }

  async setFault(fault: TypedFault): Promise<Fault> {
    return JSON.parse(await this.#call("POST", "/faults", fault));
  }

  /** Ends one fault, or all of them, and gives those it ended. */
  async clearFaults(id?: string): Promise<readonly Fault[]> {
    const path = id === undefined ? "/faults" : `/faults/${encodeURIComponent(id)}`;
    const { items }: { items: readonly Fault[] } = JSON.parse(await this.#call("DELETE", path));
    return items;
  }

  async #call(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<string> {
    const { statusCode, text } = await this.#send(method, path, body);
    if (statusCode < 300) return text;
    const { error = `${method} ${path} was answered with status ${statusCode}` }: { error?: string } =
      parseAnswer(text);
    throw cliErrors.RequestFailed(error);
  }

  async #send(method: "GET" | "POST" | "DELETE", path: string, body: object | undefined) {
    try {
      const answer = await request(`${this.#url}${path}`, {
        method,
        dispatcher: this.#agent,
        headers: { authorization: `Bearer ${this.#adminToken}` },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { statusCode: answer.statusCode, text: await answer.body.text() };
    } catch (cause) {
      throw cliErrors.NotRunning(
        `the simulated world does not answer at ${this.#url} (${messageOf(cause)}): is "keelson up" or "keelson sim" running?`,
        { cause },
      );
    }
  }
}

function parseAnswer(text: string): { error?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

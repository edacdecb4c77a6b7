import type { KeyPair } from "@keelson/base";
import type { Agent, Dispatcher } from "undici";
import { agentFor, type ControlPlane } from "../index.ts";

export interface Request {
  readonly method: Dispatcher.HttpMethod;
  /** Path of the request. The case's namespace replaces `{ns}` in the path and the body. */
  readonly path: string;
  /** Request body. Strings are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** Parsed JSON of the response body. Undefined if the body is not JSON. */
  readonly body: unknown;
}

/** HTTPS client of one conformance case. Each case has a separate namespace in the control plane. */
export class Api implements AsyncDisposable {
  readonly namespace: string;
  readonly #plane: ControlPlane;
  readonly #prefix: string;
  readonly #origin: string;
  readonly #administrator: Agent;
  readonly #agents = new Map<string, Agent>();

  /** @param administrator Agent of the administrator, shared by several cases. */
  constructor(plane: ControlPlane, namespace: string, administrator: Agent) {
    const { origin, pathname } = new URL(plane.url);
    this.namespace = namespace;
    this.#plane = plane;
    this.#administrator = administrator;
    this.#origin = origin;
    this.#prefix = pathname.replace(/\/$/, "");
  }

  /** Sends a request as the administrator. */
  async call(request: Request): Promise<Response> {
    return this.#send(this.#administrator, request);
  }

  /** Sends a request as a different user, or without credentials. */
  async callAs(
    user: { readonly name: string; readonly groups?: readonly string[] } | undefined,
    request: Request,
  ) {
    const key = JSON.stringify(user ?? null);
    const known = this.#agents.get(key);
    if (known) return this.#send(known, request);
    const certificate =
      user && (await this.#plane.user({ commonName: user.name, organizations: user.groups ?? [] }));
    return this.#send(this.#agent(key, certificate), request);
  }

  /** Reads watch frames until `count` frames are received or the watch ends. */
  async watch(path: string, count: number, meanwhile: () => Promise<unknown> = async () => undefined) {
    const response = await this.#open(this.#administrator, { method: "GET", path });
    const frames: unknown[] = [];
    let rest = "";
    const acting = meanwhile();
    for await (const chunk of response.body) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (frames.length < count) frames.push(parsed(line));
      if (frames.length >= count) break;
    }
    await acting;
    return frames;
  }

  /** Returns the media type and the first `count` bytes of a streaming response. */
  async firstBytes(
    request: Request,
    count: number,
  ): Promise<{ readonly type: string; readonly bytes: Buffer }> {
    const { headers, body } = await this.#open(this.#administrator, request);
    const chunks: Buffer[] = [];
    for await (const chunk of body) {
      chunks.push(Buffer.from(chunk));
      if (chunks.reduce((sum, { length }) => sum + length, 0) >= count) break;
    }
    return { type: String(headers["content-type"]), bytes: Buffer.concat(chunks) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents.values()) await agent.destroy();
  }

  #agent(key: string, user: KeyPair | undefined): Agent {
    const known = this.#agents.get(key);
    if (known) return known;
    const agent = agentFor(this.#plane.authority, user);
    this.#agents.set(key, agent);
    return agent;
  }

  #open(agent: Agent, { method, path, body, headers = {} }: Request): Promise<Dispatcher.ResponseData> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const here = (value: string) => value.replaceAll("{ns}", this.namespace);
    return agent.request({
      origin: this.#origin,
      method,
      path: this.#prefix + here(path),
      headers: { ...(text === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(text === undefined ? {} : { body: here(text) }),
    });
  }

  async #send(agent: Agent, request: Request): Promise<Response> {
    const { statusCode, headers, body } = await this.#open(agent, request);
    const bytes = Buffer.from(await body.bytes());
    const text = bytes.toString();
    return { status: statusCode, headers, text, bytes, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

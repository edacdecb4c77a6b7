import { httpConnectTimeoutMs, type KeyPair } from "@keelson/base";
import { Agent, request } from "undici";

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed JSON body. Undefined if the body is empty or not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: checks look into JSON of every shape
  readonly body: any;
}

export interface Sent {
  /** Request body. Objects are sent as JSON, strings unchanged. */
  readonly body?: object | string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = "GET" | "PUT" | "PATCH" | "POST" | "DELETE";

export interface Served {
  readonly method: Method;
  readonly path: string;
  readonly sent: Sent;
  readonly response: Response;
}

/** HTTPS client with an optional client certificate. Calls `onServed` for every response. */
export class ArmCaller implements AsyncDisposable {
  readonly #origin: string;
  readonly #agent: Agent;
  readonly #onServed: (served: Served) => void;

  constructor(options: {
    readonly origin: string;
    readonly caPem: string;
    readonly certificate?: KeyPair | undefined;
    readonly onServed: (served: Served) => void;
  }) {
    const { certificate } = options;
    this.#origin = options.origin;
    this.#onServed = options.onServed;
    this.#agent = new Agent({
      connect: {
        timeout: httpConnectTimeoutMs,
        ca: options.caPem,
        ...(certificate ? { cert: certificate.certificatePem, key: certificate.privateKeyPem } : {}),
      },
    });
  }

  get(path: string, headers: Sent["headers"] = {}): Promise<Response> {
    return this.call("GET", path, { headers });
  }

  put(path: string, body: object | string, headers: Sent["headers"] = {}): Promise<Response> {
    return this.call("PUT", path, { body, headers });
  }

  patch(path: string, body: object | string, headers: Sent["headers"] = {}): Promise<Response> {
    return this.call("PATCH", path, { body, headers });
  }

  post(path: string, body?: object | string, headers: Sent["headers"] = {}): Promise<Response> {
    return this.call("POST", path, { body, headers });
  }

  delete(path: string): Promise<Response> {
    return this.call("DELETE", path);
  }

  /** Sends a request. `path` may also be a URL. The service's host replaces the URL's host. */
  async call(method: Method, path: string, sent: Sent = {}): Promise<Response> {
    const target = path.startsWith("https:") ? path.slice(new URL(path).origin.length) : path;
    const { body } = sent;
    const text = typeof body === "object" ? JSON.stringify(body) : body;
    const response = await request(`${this.#origin}${target}`, {
      method,
      dispatcher: this.#agent,
      headers: { ...(text === undefined ? {} : { "content-type": "application/json" }), ...sent.headers },
      ...(text === undefined ? {} : { body: text }),
    });
    const sendText = await response.body.text();
    const answer = {
      status: response.statusCode,
      headers: response.headers,
      text: sendText,
      body: parsed(sendText),
    };
    this.#onServed({ method, path: target, sent, response: answer });
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { http1Only } from "@keelson/base";
import { Agent, request } from "undici";
import { parse } from "yaml";

export interface PlainResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every shape
  readonly body: any;
}

/** Client of one HTTPS server. It reports every connection error and never retries a request. */
export class HttpsClient implements AsyncDisposable {
  readonly #origin: string;
  readonly #agent: Agent;

  readonly #reuses: boolean;
  readonly #headers: Readonly<Record<string, string>>;

  /** `reuses` is false for a new connection per request, like load balancer probes. `headers` are sent with each request. */
  constructor(
    origin: string,
    tls: { readonly ca?: string; readonly cert?: string; readonly key?: string },
    reuses = true,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#headers = headers;
    this.#reuses = reuses;
    this.#origin = origin.replace(/\/$/, "");
    this.#agent = new Agent({ ...http1Only, connect: tls });
  }

  /** Returns a client of a cluster's API server with the credentials of a kubeconfig. */
  static ofKubeconfig(kubeconfig: string): HttpsClient {
    const { clusters, users } = parse(kubeconfig);
    const [{ cluster }, { user }] = [clusters[0], users[0]];
    const pem = (base64: string) => Buffer.from(base64, "base64").toString("utf8");
    return new HttpsClient(cluster.server, {
      ca: pem(cluster["certificate-authority-data"]),
      cert: pem(user["client-certificate-data"]),
      key: pem(user["client-key-data"]),
    });
  }

  async send(
    method: "GET" | "POST" | "PATCH",
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<PlainResponse> {
    const response = await request(`${this.#origin}${path}`, {
      method,
      dispatcher: this.#agent,
      reset: !this.#reuses,
      signal,
      headers: { ...this.#headers, ...(body ? { "content-type": "application/json" } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: parsed(text) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import { type KeyPair, objectAt } from "@keelson/base";

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Request body. Objects are sent as JSON. Strings are sent unchanged. */
  readonly body?: object | string;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed JSON body of the response. An empty object if the body is empty or not JSON. */
  readonly json: Record<string, unknown>;
  /** Content of the property `error` in the response body. */
  readonly error: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly target?: unknown;
    readonly details?: unknown;
  };
}

/** HTTPS client for tests. It uses the `https` module of Node.js directly, so that paths reach the server unchanged. */
export class TestClient implements Disposable {
  readonly #agent: Agent;
  readonly #port: number;

  constructor(port: number, authorityPem: string, certificate?: KeyPair) {
    this.#port = port;
    this.#agent = new Agent({
      keepAlive: true,
      ca: authorityPem,
      servername: "localhost",
      ...(certificate ? { cert: certificate.certificatePem, key: certificate.privateKeyPem } : {}),
    });
  }

  get = (path: string, options: TestRequest = {}) => this.send("GET", path, options);
  put = (path: string, body: object | string, options: TestRequest = {}) =>
    this.send("PUT", path, { body, ...options });
  patch = (path: string, body: object | string, options: TestRequest = {}) =>
    this.send("PATCH", path, { body, ...options });
  post = (path: string, options: TestRequest = {}) => this.send("POST", path, options);
  delete = (path: string, options: TestRequest = {}) => this.send("DELETE", path, options);

  send(method: string, path: string, { headers = {}, body }: TestRequest = {}): Promise<TestResponse> {
    // The body is sent as bytes. For a string body, Node.js would write the headers in the string's encoding.
    const bytes =
      body === undefined ? undefined : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const { promise, resolve, reject } = Promise.withResolvers<TestResponse>();
    const outgoing = request(
      {
        host: "127.0.0.1",
        port: this.#port,
        agent: this.#agent,
        method,
        path,
        headers: {
          ...(bytes ? { "content-type": "application/json", "content-length": bytes.length } : {}),
          ...headers,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const received = Buffer.concat(chunks).toString("utf8");
          resolve(response(incoming.statusCode ?? 0, incoming.headers, received));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(bytes);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function response(status: number, headers: IncomingHttpHeaders, text: string): TestResponse {
  const isJson = text !== "" && headers["content-type"] === "application/json";
  const parsed: unknown = isJson ? JSON.parse(text) : {};
  const json = objectAt(parsed);
  return { status, headers, text, json, error: objectAt(json.error) };
}

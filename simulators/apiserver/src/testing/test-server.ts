import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import {
  type CertificateRequest,
  type Clock,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  silentLogger,
  systemClock,
} from "@keelson/base";
import type { ApiServer, ApiServerOptions } from "../api-server.ts";
import type { LogicalCluster } from "../cluster/logical-cluster.ts";
import { startApiServer } from "../start-api-server.ts";

/** HTTP response. A JSON body is parsed. */
export interface Response {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly body: unknown;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Request body. Strings are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly user?: KeyPair | undefined;
}

/** Test server with one cluster `demo`. It sends requests as the cluster's administrator. */
export class TestServer implements AsyncDisposable {
  readonly server: ApiServer;
  readonly cluster: LogicalCluster;
  readonly authority: KeyPair;
  readonly admin: KeyPair;
  /** HTTPS agents by client certificate. Connections are reused, because a TLS handshake costs more than most requests. */
  readonly #agents = new Map<string | undefined, Agent>();

  constructor(server: ApiServer, cluster: LogicalCluster, authority: KeyPair, admin: KeyPair) {
    this.server = server;
    this.cluster = cluster;
    this.authority = authority;
    this.admin = admin;
  }

  static async start(
    file?: string,
    authority?: KeyPair,
    clock: Clock = systemClock,
    more: Partial<Pick<ApiServerOptions, "logger" | "watchList">> = {},
  ): Promise<TestServer> {
    const ca = authority ?? (await createCertificateAuthority("test", 2));
    const tls = await issueCertificate(ca, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      usage: "server",
      validDays: 1,
    });
    const server = await startApiServer({
      host: "127.0.0.1",
      port: 0,
      tls,
      storage: file ? { kind: "file", path: file } : { kind: "memory" },
      logger: silentLogger,
      clock,
      ...more,
    });
    const cluster =
      server.findCluster("demo") ??
      (await server.createCluster({
        name: "demo",
        clientCertificateAuthorities: [ca.certificatePem],
        tokens: [{ token: "secret-token", user: "robot", groups: ["system:masters"] }],
      }));
    const admin = await issueCertificate(ca, { commonName: "system:admin", usage: "client", validDays: 1 });
    return new TestServer(server, cluster, ca, admin);
  }

  user(request: Partial<CertificateRequest> & { readonly commonName: string }): Promise<KeyPair> {
    return issueCertificate(this.authority, { usage: "client", validDays: 1, ...request });
  }

  /** Sends a request. With `user: undefined`, the request has no client certificate. */
  async call(method: string, path: string, call: Call = {}): Promise<Response> {
    const response = await this.#send(method, path, call, this.#agentOf(call));
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const json = (response.headers["content-type"] ?? "").startsWith("application/json");
    const body: unknown = json && text.trim().indexOf("\n") < 0 ? JSON.parse(text) : text;
    return { status: response.statusCode ?? 0, headers: response.headers, text, body };
  }

  /** Sends a request on a new connection and returns the streaming response. */
  open(method: string, path: string, call: Call = {}): Promise<IncomingMessage> {
    return this.#send(method, path, call, false);
  }

  #userOf(call: Call): KeyPair | undefined {
    return "user" in call ? call.user : this.admin;
  }

  #agentOf(call: Call): Agent {
    const key = this.#userOf(call)?.certificatePem;
    const agent = this.#agents.get(key) ?? new Agent({ keepAlive: true });
    this.#agents.set(key, agent);
    return agent;
  }

  #send(method: string, path: string, call: Call, agent: Agent | false): Promise<IncomingMessage> {
    const user = this.#userOf(call);
    const body =
      call.body === undefined
        ? undefined
        : typeof call.body === "string"
          ? call.body
          : JSON.stringify(call.body);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const outgoing = httpsRequest(`${this.cluster.url}${path}`, {
      method,
      headers: {
        ...call.headers,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
      ca: this.authority.certificatePem,
      ...(user ? { cert: user.certificatePem, key: user.privateKeyPem } : {}),
      agent,
    });
    outgoing.on("response", resolve).on("error", reject).end(body);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents.values()) agent.destroy();
    await this.server[Symbol.asyncDispose]();
  }
}

/** Yields the frames of a watch, one JSON value per line. */
export async function* framesOf(response: IncomingMessage): AsyncGenerator<unknown> {
  let rest = "";
  for await (const chunk of response) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const frame: unknown = JSON.parse(line);
      yield frame;
    }
  }
}

/** Definition of `widgets.example.com`. It is namespaced and has status, scale and fields of all types. */
export const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                required: ["size"],
                properties: {
                  size: { type: "integer", minimum: 1, maximum: 10 },
                  colour: { type: "string", default: "red", enum: ["red", "green"] },
                  replicas: { type: "integer" },
                  free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
                },
              },
              status: { type: "object", properties: { replicas: { type: "integer" } } },
            },
          },
        },
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
} as const;

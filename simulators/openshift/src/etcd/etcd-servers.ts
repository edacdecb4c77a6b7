import { createSecureServer, type SecureServerOptions } from "node:http2";
import type { Duplex } from "node:stream";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { type Logger, messageOf, stringAt } from "@keelson/base";
import { keyPairIn } from "../base/data-objects.ts";
import { resources } from "../base/resources.ts";
import { etcdPort } from "./etcd-port.ts";
import { readKeyRange } from "./key-range.ts";
import { decodeRangeRequest, type RangeRequest } from "./range-messages.ts";
import { respondToCall, rpcError, type UnaryMethod } from "./unary-server.ts";

const namespace = "openshift-etcd";
const idleMs = 60_000;

export interface EtcdDeps {
  readonly client: ClusterClient;
  readonly logger: Logger;
}

/**
 * Serves etcd's API on the client port of a cluster's etcd pods: range requests over gRPC and TLS. Clients need a certificate of
 * etcd's CA, for example the Secret `openshift-config/etcd-client`. Other methods fail with UNIMPLEMENTED.
 */
export class EtcdServers implements Disposable {
  readonly #deps: EtcdDeps;
  readonly #methods: Readonly<Record<string, UnaryMethod>>;
  readonly #connections = new Set<Duplex>();

  constructor(deps: EtcdDeps) {
    this.#deps = deps;
    this.#methods = {
      "/etcdserverpb.KV/Range": (message) => readKeyRange(deps.client, requestIn(message)),
    };
  }

  refuses(): boolean {
    return false;
  }

  serverOf(pod: KubeObject, port: number): ((connection: Duplex) => void) | undefined {
    const { metadata } = pod;
    if (metadata.namespace !== namespace || metadata.labels?.etcd !== "true" || port !== etcdPort)
      return undefined;
    const node = stringAt(pod, "spec", "nodeName") ?? "";
    return (connection) => void this.#serve(connection, node);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.destroy();
  }

  async #serve(connection: Duplex, node: string): Promise<void> {
    this.#connections.add(connection);
    connection.once("close", () => this.#connections.delete(connection));
    try {
      const server = createSecureServer(await this.#identityOf(node));
      server.on("stream", (stream, headers) => void respondToCall(stream, headers, this.#methods));
      server.on("session", (session) => {
        session.setTimeout(idleMs, () => session.close());
        session.once("close", () => connection.destroy());
      });
      server.on("sessionError", () => connection.destroy());
      server.on("unknownProtocol", () => connection.destroy());
      // Node.js also emits this event for clients without a valid certificate.
      server.on("tlsClientError", () => connection.destroy());
      server.emit("connection", connection);
    } catch (error) {
      this.#deps.logger.warn({ node, error: messageOf(error) }, "a simulated etcd member cannot serve");
      connection.destroy();
    }
  }

  /** Returns the current server certificate of an etcd member, and the CAs that sign its clients' certificates. */
  async #identityOf(node: string): Promise<SecureServerOptions> {
    const { client } = this.#deps;
    const secret = await client.get(resources.secrets, { namespace, name: `etcd-serving-${node}` });
    const bundle = await client.get(resources.configMaps, { namespace, name: "etcd-ca-bundle" });
    const pair = keyPairIn(secret);
    if (!pair) throw new Error(`Secret ${namespace}/etcd-serving-${node} has no key pair`);
    return {
      cert: pair.certificatePem,
      key: pair.privateKeyPem,
      ca: stringAt(bundle, "data", "ca-bundle.crt") ?? "",
      requestCert: true,
      rejectUnauthorized: true,
    };
  }
}

/** @throws RpcError */
function requestIn(message: Buffer): RangeRequest {
  try {
    return decodeRangeRequest(message);
  } catch (error) {
    throw rpcError("invalidArgument", messageOf(error));
  }
}

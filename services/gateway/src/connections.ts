import type { Socket } from "node:net";
import { type Logger, messageOf } from "@keelson/base";
import type { PendingConnection, PendingConnections } from "@keelson/http";
import type { GatewayMetrics, Protocol } from "./gateway-metrics.ts";
import { readProxyHeader } from "./identity/proxy-protocol.ts";
import type { AllowedHosts } from "./policy/allowed-hosts.ts";
import type { LinkRecord, LinkRecords } from "./policy/link-records.ts";
import { connected, type Dial, dialTcp } from "./tunnel/dial.ts";
import { firstBytes } from "./tunnel/first-bytes.ts";
import type { Tunnels } from "./tunnel/tunnels.ts";

/** Destination port of all connections. Clusters cannot connect to other ports. */
export const httpsPort = 443;

export interface ConnectionsOptions {
  readonly records: LinkRecords;
  readonly hosts: AllowedHosts;
  readonly tunnels: Tunnels;
  /** Limiter for the number of connections that are not tunnels yet. */
  readonly pending: PendingConnections;
  /** Opens a connection to an allowed host. Default: a TCP connection. */
  readonly dial?: Dial | undefined;
  /** Time limit in ms for a host's response. */
  readonly handshakeMs: number;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
}

/** Request of a cluster for a connection, with the cluster's link and the destination. */
export interface Request {
  readonly protocol: Protocol;
  readonly client: Socket;
  readonly linkId: string | undefined;
  readonly host: string;
  readonly port: number;
}

export type Outcome =
  | { readonly kind: "connected"; readonly host: Socket; readonly release: () => void }
  | { readonly kind: "unknown-link" | "denied" | "busy" | "unreachable"; readonly reason: string };

/**
 * Identifies the cluster of a connection, authorizes the destination and connects to the destination. Both listeners of the
 * gateway share this code.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #open: Record<Protocol, number> = { http: 0, https: 0 };
  readonly #pending = new WeakMap<Socket, PendingConnection>();

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    for (const protocol of ["http", "https"] as const) options.metrics.open.set(0, { protocol });
  }

  /** Counts a new connection as pending until it becomes a tunnel. */
  accept(client: Socket): void {
    client.on("error", () => client.destroy());
    const pending = this.#options.pending.add(undefined, () => client.destroy());
    this.#pending.set(client, pending);
    client.once("close", () => pending.remove());
  }

  /**
   * Returns the link ID of a connection. The bytes after the PROXY header can still be read from the socket.
   * @throws Error if the header cannot be read
   */
  async linkOf(client: Socket): Promise<string | undefined> {
    const { linkId } = await firstBytes(client, (data) => {
      const header = readProxyHeader(data);
      if (header.kind === "incomplete") return undefined;
      if (header.kind === "malformed") throw new Error(`its PROXY header is malformed: ${header.reason}`);
      return header.kind === "absent"
        ? { taken: 0, linkId: undefined }
        : { taken: header.bytes, linkId: header.linkId };
    });
    if (linkId !== undefined) this.#pending.get(client)?.assign(linkId);
    return linkId;
  }

  recordOf(linkId: string | undefined): LinkRecord | undefined {
    return linkId === undefined ? undefined : this.#options.records.get(linkId);
  }

  /**
   * Authorizes the request and connects to the host. A rejection is counted and logged with its reason. The caller of this
   * function sends the response to the client.
   */
  async open(request: Request): Promise<Outcome> {
    const outcome = await this.#decide(request);
    const { protocol, linkId, host, port } = request;
    const { metrics, logger } = this.#options;
    const isAllowed = outcome.kind === "connected" || outcome.kind === "unreachable";
    metrics.connections.inc({ protocol, action: isAllowed ? "allowed" : "denied" });
    const facts = { linkId, resourceId: this.recordOf(linkId)?.id, protocol, host, port };
    if (outcome.kind === "connected") {
      logger.info({ logKind: "access", ...facts, hostname: host }, "access allowed");
    } else {
      const message = isAllowed ? "a host was not reached" : "a connection was refused";
      logger.info({ ...facts, reason: outcome.reason }, message);
    }
    return outcome;
  }

  /** Forwards bytes in both directions until the connection ends. */
  async carry(request: Request, { host, release }: Extract<Outcome, { kind: "connected" }>): Promise<void> {
    const { protocol } = request;
    this.#count(protocol, 1);
    try {
      await this.#options.tunnels.join(request.client, host);
    } finally {
      release();
      this.#count(protocol, -1);
    }
  }

  async #decide({ client, linkId, host, port }: Request): Promise<Outcome> {
    const { hosts, tunnels, dial = dialTcp, handshakeMs } = this.#options;
    const record = this.recordOf(linkId);
    if (linkId === undefined) return { kind: "unknown-link", reason: "the connection has no private link" };
    if (!record) return { kind: "unknown-link", reason: "no cluster is behind the link" };
    const decision = hosts.decide(host, record);
    if (!decision.isAllowed) return { kind: "denied", reason: decision.reason };
    if (port !== httpsPort) return { kind: "denied", reason: `the port is not ${httpsPort}` };
    const place = tunnels.admit(linkId, client);
    if (place.isAdmitted) this.#pending.get(client)?.remove();
    if (!place.isAdmitted) return { kind: "busy", reason: place.reason };
    try {
      return {
        kind: "connected",
        host: await connected(dial(host, port), handshakeMs),
        release: place.release,
      };
    } catch (error) {
      place.release();
      return { kind: "unreachable", reason: messageOf(error) };
    }
  }

  #count(protocol: Protocol, by: number): void {
    this.#open[protocol] += by;
    this.#options.metrics.open.set(this.#open[protocol], { protocol });
  }
}

import type { Socket } from "node:net";

export interface TunnelLimits {
  /** Maximum idle time in ms, without a byte in either direction. */
  readonly idleMs: number;
  /** Maximum number of open connections of one cluster. */
  readonly perCluster: number;
  /** Maximum number of open connections of all clusters. */
  readonly total: number;
}

export type Admission =
  | { readonly isAdmitted: true; readonly release: () => void }
  /** Rejected connection, with a reason that is logged. */
  | { readonly isAdmitted: false; readonly reason: string };

/** Number of idle checks per idle limit. An idle connection is therefore closed at most one check interval too late. */
const partsOfLimit = 20;

/** Open connections between clusters and hosts. */
export class Tunnels {
  readonly #limits: TunnelLimits;
  readonly #byLink = new Map<string, Set<Socket>>();
  #open = 0;

  constructor(limits: TunnelLimits) {
    this.#limits = limits;
  }

  get open(): number {
    return this.#open;
  }

  /** Counts a new connection of the link against the limits. The caller must call `release`. */
  admit(linkId: string, client: Socket): Admission {
    const { perCluster, total } = this.#limits;
    const ofLink = this.#byLink.get(linkId) ?? new Set();
    if (this.#open >= total) return refusal(`the gateway has its limit of ${total} connections`);
    if (ofLink.size >= perCluster) return refusal(`the cluster has its limit of ${perCluster} connections`);
    this.#byLink.set(linkId, ofLink.add(client));
    this.#open++;
    const release = () => {
      if (!ofLink.delete(client)) return;
      this.#open--;
      if (ofLink.size === 0) this.#byLink.delete(linkId);
    };
    return { isAdmitted: true, release };
  }

  /**
   * Forwards bytes in both directions. Returns when both sides have finished sending, when the connection breaks, or when the
   * connection reaches its idle limit. Both sockets must allow half-open connections.
   */
  async join(client: Socket, host: Socket): Promise<void> {
    const both = [client, host];
    const destroyBoth = () => {
      for (const socket of both) socket.destroy();
    };
    const watch = this.#watchIdle(client, host, destroyBoth);
    const closed = both.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on("error", destroyBoth);
          const close = () => {
            if (!(socket.readableEnded && socket.writableFinished)) destroyBoth();
            resolve();
          };
          if (socket.closed) close();
          else socket.once("close", close);
        }),
    );
    client.pipe(host);
    host.pipe(client);
    await Promise.all(closed);
    clearInterval(watch);
  }

  /**
   * Closes a connection that is idle in both directions. One direction may be silent for hours while the other direction
   * transfers data.
   */
  #watchIdle(client: Socket, host: Socket, end: () => void): NodeJS.Timeout {
    let bytes = client.bytesRead + host.bytesRead;
    let idleParts = 0;
    const check = () => {
      const now = client.bytesRead + host.bytesRead;
      idleParts = now === bytes ? idleParts + 1 : 0;
      bytes = now;
      if (idleParts >= partsOfLimit) end();
    };
    return setInterval(check, this.#limits.idleMs / partsOfLimit).unref();
  }

  /** Closes the connections of a link. */
  endLink(linkId: string): void {
    for (const client of this.#byLink.get(linkId) ?? []) client.destroy();
  }
}

function refusal(reason: string): Admission {
  return { isAdmitted: false, reason };
}

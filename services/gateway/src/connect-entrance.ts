import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { type Logger, messageOf } from "@keelson/base";
import { grant, refuse } from "./connect-responses.ts";
import type { Connections, Outcome } from "./connections.ts";
import { hostAndPort } from "./host-and-port.ts";

export interface ConnectEntranceOptions {
  readonly connections: Connections;
  readonly isReady: () => boolean;
  readonly logger: Logger;
}

const responses: Readonly<Record<Exclude<Outcome["kind"], "connected">, string>> = {
  "unknown-link": "500 Internal Server Error",
  denied: "403 Forbidden",
  busy: "503 Service Unavailable",
  unreachable: "502 Bad Gateway",
};

/** Listener for HTTP CONNECT requests from clients that support only a proxy. */
export class ConnectEntrance {
  readonly #options: ConnectEntranceOptions;
  readonly #links = new WeakMap<Socket, string>();
  readonly #http: Server;

  constructor(options: ConnectEntranceOptions) {
    this.#options = options;
    // Node.js enforces the time limits of an HTTP server only on connections of that server's own listener. `Connections`
    // enforces the time limits instead.
    this.#http = createServer((request, response) => response.writeHead(this.#statusOf(request)).end());
    this.#http.on("connect", (request, socket: Socket, head) => void this.#connect(request, socket, head));
    this.#http.on("clientError", (_, socket) => socket.destroy());
  }

  async enter(client: Socket): Promise<void> {
    try {
      const linkId = await this.#options.connections.linkOf(client);
      if (linkId !== undefined) this.#links.set(client, linkId);
      this.#http.emit("connection", client);
      client.resume();
    } catch (error) {
      this.#options.logger.debug({ reason: messageOf(error) }, "a connection was closed");
      client.destroy();
    }
  }

  /**
   * Returns the response status for a request with a method other than CONNECT. Load balancers send such requests as health
   * probes.
   */
  #statusOf({ method, url }: IncomingMessage): number {
    if (url !== "/healthz/ready") return 405;
    if (method !== "GET" && method !== "HEAD") return 405;
    return this.#options.isReady() ? 200 : 500;
  }

  async #connect({ url = "" }: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    const { connections } = this.#options;
    const target = hostAndPort(url);
    if (!target) return refuse(client, "400 Bad Request");
    const request = { protocol: "http", client, linkId: this.#links.get(client), ...target } as const;
    const outcome = await connections.open(request);
    if (outcome.kind !== "connected") return refuse(client, responses[outcome.kind]);
    grant(client, head);
    await connections.carry(request, outcome);
    client.destroy();
  }
}

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Local port that simulates an address of a load balancer. Each connection is forwarded to a ready machine. */
export class BalancedPort implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Listens on a port. 0 chooses a free port. `backends` is called for each connection and returns the local ports of ready
   * machines. Default `host`: the loopback address.
   */
  static async open(
    port: number,
    backends: () => readonly number[],
    host = "127.0.0.1",
  ): Promise<BalancedPort> {
    const server = createServer();
    const balanced = new BalancedPort(server);
    server.on("connection", (client) => balanced.#lead(client, backends()));
    server.listen(port, host);
    await once(server, "listening");
    return balanced;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    return typeof address === "object" && address ? address.port : 0;
  }

  /** Forwards a connection to one machine until either side closes it. Closes it immediately if no machine is ready. */
  #lead(client: Socket, backends: readonly number[]): void {
    const backend = backends[this.#next++ % Math.max(1, backends.length)];
    if (backend === undefined) {
      client.destroy();
      return;
    }
    const machine = connect({ host: "127.0.0.1", port: backend, noDelay: true });
    client.setNoDelay(true);
    for (const [socket, other] of [
      [client, machine],
      [machine, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.end();
      });
      socket.pipe(other);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

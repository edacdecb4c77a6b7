import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";

export interface Request {
  readonly method: "GET" | "PUT";
  readonly url: string;
  readonly body?: string;
}

/** Response status. For errors, includes the body. */
export interface Outcome {
  readonly status: number;
  readonly error?: string | undefined;
}

const headEnd = Buffer.from("\r\n\r\n");

/**
 * Persistent HTTP/1.1 connection with one request at a time. It uses little CPU time, because the measured server runs on the
 * same machine.
 */
export class Http1Connection {
  readonly #socket: TLSSocket;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve: (outcome: Outcome) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", (error) => this.#settle?.reject(error));
    socket.on("close", () => this.#settle?.reject(new Error("the server closed the connection")));
  }

  static async open(origin: URL, caPem: string): Promise<Http1Connection> {
    const socket = connect({
      host: origin.hostname,
      port: Number(origin.port),
      ca: caPem,
      ALPNProtocols: ["http/1.1"],
    });
    await once(socket, "secureConnect");
    return new Http1Connection(socket);
  }

  send({ method, url, body }: Request): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#settle = { resolve, reject };
    const target = url.slice(url.indexOf("/", "https://".length));
    const content =
      body === undefined
        ? ""
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${method} ${target} HTTP/1.1\r\nhost: localhost\r\n${content}\r\n${body ?? ""}`);
    return promise;
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(headEnd);
    if (end < 0) return;
    const head = this.#received.toString("latin1", 0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) {
      this.#settle?.reject(new Error(`an answer without a content length: ${head}`));
      return;
    }
    const total = end + headEnd.length + length;
    if (this.#received.length < total) return;
    const status = Number(head.slice(9, 12));
    const error = status >= 300 ? this.#received.toString("utf8", end + headEnd.length, total) : undefined;
    this.#received = Buffer.alloc(0);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({ status, error });
  }
}

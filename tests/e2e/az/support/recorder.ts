import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { createSecureContext } from "node:tls";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, request as send } from "undici";
import type { StateDirectory } from "../../support/program.ts";

/** Recorded client request with its response. */
export interface Exchange {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Times of the request and the response in milliseconds of one clock. */
  readonly from: number;
  readonly to: number;
}

export interface CannedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

/**
 * Recording proxy between `az` and the simulated Azure. The CA in the state directory signs the proxy's certificate. The proxy
 * rejects requests to hosts outside of the simulated Azure, and records the rejections. It can return prepared responses.
 */
export class Recorder implements AsyncDisposable {
  readonly exchanges: Exchange[] = [];
  /** Hosts outside of the simulated Azure to which requests were rejected, in the form `host:port`. */
  readonly refused: string[] = [];
  readonly #arm: URL;
  readonly #agent: Agent;
  readonly #canned: { readonly matches: RegExp; readonly responses: CannedResponse[] }[] = [];
  readonly #open = new Set<Duplex>();
  readonly #inner;
  readonly #outer;

  private constructor(state: StateDirectory, arm: string) {
    const pem = (name: string) => readFileSync(state.file(`${name}.pem`), "utf8");
    const context = (name: string) => createSecureContext({ cert: pem(name), key: pem(`${name}-key`) });
    const [own, azures] = [context("tls"), context("azure-hosts")];
    this.#arm = new URL(arm);
    // Disables the host name check. Requests contain the host name that the client used, but the server's certificate is only
    // valid for the address on which the simulated Azure listens.
    this.#agent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: pem("ca"), checkServerIdentity: () => undefined },
    });
    this.#inner = createHttpsServer(
      { SNICallback: (name, done) => done(null, name === "localhost" ? own : azures) },
      (request, response) => void this.#pass(request, response).catch(() => response.destroy()),
    );
    this.#inner.on("tlsClientError", () => {});
    this.#outer = createServer((_, response) => response.writeHead(403).end());
    this.#outer.on("connect", (request, socket) => this.#connect(request.url ?? "", socket));
    this.#outer.on("connection", (socket) => {
      this.#open.add(socket);
      socket.once("close", () => this.#open.delete(socket));
    });
  }

  static async start(state: StateDirectory, arm: string): Promise<Recorder> {
    const recorder = new Recorder(state, arm);
    await new Promise<void>((resolve) => recorder.#outer.listen(0, "127.0.0.1", resolve));
    return recorder;
  }

  /** Environment with `HTTPS_PROXY`. Without `NO_PROXY`, local requests use the proxy too. */
  get environment(): Record<string, string | undefined> {
    const address = this.#outer.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    return { HTTPS_PROXY: url, https_proxy: url, NO_PROXY: undefined, no_proxy: undefined };
  }

  /**
   * Prepares `responses`. The recorder returns them, in order, to the next requests that match `METHOD https://host/path?query`.
   */
  response(matches: RegExp, ...responses: CannedResponse[]): void {
    this.#canned.push({ matches, responses });
  }

  /** Returns the recorded exchanges that match `METHOD https://host/path`, in order. */
  all(matches: RegExp): readonly Exchange[] {
    return this.exchanges.filter((each) => matches.test(`${each.method} https://${each.host}${each.path}`));
  }

  /** Sends a GET request to a public URL without recording it. */
  async get(url: string): Promise<unknown> {
    const { body } = await send(url, { dispatcher: this.#agent });
    return body.json();
  }

  #connect(target: string, socket: Duplex): void {
    socket.on("error", () => socket.destroy());
    const isOurs = /^(login\.microsoftonline|management\.azure|graph\.microsoft)\.com:443$/.test(target);
    if (!isOurs && target !== this.#arm.host) {
      this.refused.push(target);
      socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    this.#inner.emit("connection", socket);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const from = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method = "GET", url = "/", headers } = request;
    const { host = "", authorization } = headers;
    const answer = this.#cannedFor(`${method} https://${host}${url}`) ?? (await this.#ask(request, body));
    const [path = "", query = ""] = url.split(/\?(.*)/s);
    this.exchanges.push({
      ...{ method, host, path, authorization, body: body.toString("utf8") },
      ...{ query: new URLSearchParams(query), ...answer, from, to: Date.now() },
    });
    const kept = Object.entries(answer.headers).filter(
      (entry): entry is [string, string | string[]] =>
        entry[1] !== undefined && !/^(transfer-encoding|connection|keep-alive)$/.test(entry[0]),
    );
    response.writeHead(answer.status, Object.fromEntries(kept)).end(answer.text);
  }

  #cannedFor(text: string): Pick<Exchange, "status" | "headers" | "text"> | undefined {
    const found = this.#canned.find(({ matches, responses }) => responses.length > 0 && matches.test(text));
    const canned = found?.responses.shift();
    if (!canned) return undefined;
    const { status, headers, body } = canned;
    return {
      status,
      headers: { "content-type": "application/json", ...headers },
      text: JSON.stringify(body),
    };
  }

  async #ask({ method, url, headers }: IncomingMessage, body: Buffer) {
    const { connection: _, "transfer-encoding": __, "accept-encoding": ___, ...sent } = headers;
    const answer = await send(`${this.#arm.origin}${url}`, {
      method: method === "HEAD" ? "HEAD" : (method as "GET"),
      dispatcher: this.#agent,
      headers: sent,
      ...(body.length > 0 ? { body } : {}),
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#outer.close(() => resolve()));
    for (const socket of this.#open) socket.destroy();
    await closed;
    await this.#agent.destroy();
  }
}

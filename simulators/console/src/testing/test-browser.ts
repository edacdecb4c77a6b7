import { Agent, request } from "node:https";
import type { Info } from "../api/info.ts";

export interface BrowserResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly json: unknown;
  readonly text: string;
}

export interface BrowserCall {
  readonly method?: string;
  /** Additional headers. An undefined value removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** Console client with a cookie jar. It sends the same headers as the console's own pages. */
export class TestBrowser implements Disposable {
  readonly #origin: string;
  readonly #agent: Agent;
  #cookie: string | undefined;
  #csrf: string | undefined;

  constructor(origin: string, caPem: string) {
    this.#origin = origin;
    // Tests change the `Host` header. Without `servername`, TLS would verify the name in the header.
    this.#agent = new Agent({
      ca: caPem,
      keepAlive: true,
      servername: "localhost",
      // Browsers open at most six HTTP/1.1 connections. A listener may drop additional connections before the sign-in.
      maxSockets: 6,
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Signs in with a one-time link and stores the session's CSRF token. */
  async open(link: string): Promise<number> {
    const token = link.slice(link.indexOf("#") + 1);
    const { status } = await this.send("/api/sign-in", { method: "POST", body: { token } });
    if (status === 204) this.#csrf = ((await this.send("/api/info")).json as Info).csrf;
    return status;
  }

  send(path: string, { method = "GET", headers = {}, body }: BrowserCall = {}): Promise<BrowserResponse> {
    const isChange = method !== "GET";
    const all = {
      ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
      ...(isChange ? { origin: this.#origin } : {}),
      ...(isChange && this.#csrf !== undefined ? { "x-csrf-token": this.#csrf } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const { promise, resolve, reject } = Promise.withResolvers<BrowserResponse>();
    const outgoing = request(
      `${this.#origin}${path}`,
      { method, headers: sent, agent: this.#agent },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const [cookie] = response.headers["set-cookie"] ?? [];
        if (cookie !== undefined) this.#cookie = cookie.split(";", 1)[0];
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers["content-type"] === "application/json";
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }
}

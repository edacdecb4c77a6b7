import { once } from "node:events";
import { request } from "node:https";
import { gunzipSync } from "node:zlib";

export interface BrowserResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface BrowserRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Stub of a browser. It stores cookies by host, sends URLs unchanged, and does not follow redirects. */
export class Browser {
  readonly #caPem: string;
  readonly #cookies = new Map<string, string>();

  constructor(caPem: string) {
    this.#caPem = caPem;
  }

  /** Cookies of the host `localhost`. As in browsers, all ports share them. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  async send(origin: string, path: string, options: BrowserRequest = {}): Promise<BrowserResponse> {
    const { method = "GET", headers = {}, body } = options;
    const { port } = new URL(origin);
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = request({
      host: "127.0.0.1",
      servername: "localhost",
      port,
      path,
      method,
      ca: this.#caPem,
      agent: false,
      headers: {
        host: `localhost:${port}`,
        "accept-encoding": "gzip",
        ...(cookie === "" ? {} : { cookie }),
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sent.end(body);
    const [response] = await once(sent, "response");
    for (const line of response.headers["set-cookie"] ?? []) this.#keep(line);
    const received = Buffer.concat(await response.toArray());
    const isGzipped = response.headers["content-encoding"] === "gzip";
    const text = (isGzipped ? gunzipSync(received) : received).toString();
    return { status: response.statusCode, headers: response.headers, text };
  }

  /** Signs in as a user of the simulated Entra ID. Returns the portal's response to the redirect from Entra ID. */
  async signIn(portal: string, userName: string, target = "/"): Promise<BrowserResponse> {
    const begun = await this.send(portal, `/api/login?redirect_uri=${encodeURIComponent(target)}`);
    const page = new URL(`${begun.headers.location}`);
    return this.follow(await this.choose(page, userName));
  }

  /** Selects a user on the sign-in page. Returns the URL to which the page redirects. */
  async choose(page: URL, userName: string): Promise<URL> {
    const shown = await this.send(page.origin, page.pathname + page.search);
    const [, token = ""] = /name="token" value="([^"]+)"/.exec(shown.text) ?? [];
    const label = new RegExp(`value="([^"]+)"[^>]*>[^<]*\\(${userName.replaceAll(".", "\\.")}\\)`);
    const [, user = ""] = label.exec(shown.text) ?? [];
    const body = new URLSearchParams({ token, user, choice: "sign-in" }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await this.send(page.origin, page.pathname + page.search, {
      method: "POST",
      headers,
      body,
    });
    return new URL(`${answer.headers.location}`);
  }

  follow(url: URL): Promise<BrowserResponse> {
    return this.send(url.origin, url.pathname + url.search);
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", ...value] = pair.split("=");
    if (attributes.some((each) => each.trim() === "Max-Age=0")) this.#cookies.delete(name);
    else this.#cookies.set(name, value.join("="));
  }
}

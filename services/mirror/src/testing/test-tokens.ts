import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, refuse, respond } from "./https-server.ts";

/** Authentication method of a test registry. */
export type TestAccess =
  | { readonly kind: "open" }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | {
      readonly kind: "bearer";
      readonly username: string;
      readonly password: string;
      readonly realm?: string;
      readonly expiresIn?: number;
    }
  /** Azure container registry that exchanges this Entra ID token for a registry token. */
  | { readonly kind: "azure"; readonly accessToken: string };

const azureUser = "00000000-0000-0000-0000-000000000000";

/** Token service of a test registry. Also validates the issued tokens. */
export class TestTokens {
  readonly #access: TestAccess;
  /** Scopes by token. */
  readonly #tokens = new Map<string, readonly string[]>();
  readonly #refreshTokens = new Set<string>();
  /** Number of issued tokens. */
  issued = 0;
  exchanged = 0;

  constructor(access: TestAccess) {
    this.#access = access;
  }

  /** Invalidates all tokens. */
  expire(): void {
    this.#tokens.clear();
  }

  /** Checks the request's authorization. If authorization fails, sends an error response and returns false. */
  admits(request: IncomingMessage, response: ServerResponse, repository: string, host: string): boolean {
    const { authorization = "" } = request.headers;
    const access = this.#access;
    if (access.kind === "open") return true;
    if (access.kind === "basic") {
      if (authorization === basic(access.username, access.password)) return true;
      respond(response, 401, { "www-authenticate": 'Basic realm="registry"' });
      return false;
    }
    const push = request.method !== "GET" && request.method !== "HEAD";
    const granted = this.#tokens.get(authorization.replace(/^Bearer /, "")) ?? [];
    const allows = (action: string) =>
      granted.some(
        (scope) =>
          scope.startsWith(`repository:${repository}:`) && scope.split(":")[2]?.split(",").includes(action),
      );
    if (allows(push ? "push" : "pull")) return true;
    const realm = access.kind === "bearer" && access.realm ? access.realm : `https://${host}/oauth2/token`;
    respond(response, 401, { "www-authenticate": `Bearer realm="${realm}",service="${host}"` });
    return false;
  }

  async handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (url.pathname === "/oauth2/exchange") return this.#exchange(request, response);
    const access = this.#access;
    const { authorization = "" } = request.headers;
    const isKnown =
      access.kind === "azure"
        ? [...this.#refreshTokens].some((token) => authorization === basic(azureUser, token))
        : access.kind === "bearer" && authorization === basic(access.username, access.password);
    if (!isKnown) return refuse(response, 401, "UNAUTHORIZED", "wrong user or password");
    const token = randomUUID();
    this.issued++;
    this.#tokens.set(token, url.searchParams.getAll("scope"));
    const expires = access.kind === "bearer" ? (access.expiresIn ?? 300) : 300;
    const member = access.kind === "azure" ? "access_token" : "token";
    respond(
      response,
      200,
      { "content-type": "application/json" },
      JSON.stringify({ [member]: token, expires_in: expires }),
    );
  }

  async #exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams((await bodyOf(request)).toString());
    const access = this.#access;
    if (access.kind !== "azure" || form.get("access_token") !== access.accessToken || !form.get("tenant")) {
      return refuse(response, 401, "UNAUTHORIZED", "the token is not of this directory");
    }
    const token = randomUUID();
    this.exchanged++;
    this.#refreshTokens.add(token);
    respond(response, 200, { "content-type": "application/json" }, JSON.stringify({ refresh_token: token }));
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

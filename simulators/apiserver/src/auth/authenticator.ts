import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { failures } from "@keelson/apimachinery";
import type { Clock } from "@keelson/base";
import type { CertificateUser, ClientAuthorities } from "./client-certificate.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";
import type { StaticTokens } from "./static-tokens.ts";
import type { TokenAuthenticator } from "./token-authenticator.ts";
import type { TokenVerdict } from "./token-verdict.ts";
import { anonymous, authenticated, type User } from "./user.ts";

const socketProtocol = /(?:^|,)\s*base64url\.bearer\.authorization\.k8s\.io\.([\w-]+)\s*(?:,|$)/;

export interface AuthenticatorDeps {
  readonly authorities: ClientAuthorities;
  readonly staticTokens: StaticTokens;
  readonly serviceAccounts: ServiceAccountTokens;
  readonly clock: Clock;
}

/** Authenticates requests by client certificate or bearer token. */
export class Authenticator {
  readonly #deps: AuthenticatorDeps;
  readonly #others: TokenAuthenticator[] = [];
  /** Certificate user of each connection, so that a certificate is verified only once. Null if the certificate was rejected. */
  readonly #certificates = new WeakMap<TLSSocket, CertificateUser | null>();

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
  }

  /** Adds an authenticator for tokens. The new authenticator receives tokens that all earlier authenticators rejected. */
  add(other: TokenAuthenticator): void {
    this.#others.push(other);
  }

  /**
   * Authenticates a request. A request without credentials gets the user `anonymous`.
   * @throws StatusError 401 for invalid credentials
   */
  userOf({ socket, headers }: IncomingMessage): User | Promise<User> {
    const certificate = socket instanceof TLSSocket ? this.#certificateUserOf(socket) : undefined;
    if (certificate) {
      const now = this.#deps.clock.now().getTime();
      if (certificate.notBefore <= now && now <= certificate.notAfter) return certificate.user;
    }
    const token = bearerOf(headers);
    if (token) return this.#userOfToken(token);
    if (certificate !== undefined) throw failures.unauthorized();
    return anonymous;
  }

  /** Authenticates a token for `audiences`. Returns undefined for an unknown token. */
  async judgeToken(token: string, audiences: readonly string[]): Promise<TokenVerdict | undefined> {
    return this.#judgeOwn(token, audiences) ?? (await this.#judgeOthers(token, audiences));
  }

  #userOfToken(token: string): User | Promise<User> {
    const { issuer } = this.#deps.serviceAccounts;
    const verdict = this.#judgeOwn(token, [issuer]);
    return verdict ? acceptedUser(verdict) : this.#judgeOthers(token, [issuer]).then(acceptedUser);
  }

  #judgeOwn(token: string, audiences: readonly string[]): TokenVerdict | undefined {
    const { staticTokens, serviceAccounts } = this.#deps;
    const user = staticTokens.userOf(token);
    return user ? this.#forServer(user, audiences) : serviceAccounts.judge(token, audiences);
  }

  async #judgeOthers(token: string, audiences: readonly string[]): Promise<TokenVerdict | undefined> {
    for (const ask of this.#others) {
      const found = await ask(token);
      if (!found) continue;
      const { user, groups = [], ...rest } = found;
      return this.#forServer(authenticated(user, groups, rest), audiences);
    }
    return undefined;
  }

  /**
   * Returns the verdict for the user of a token without audiences. A token without audiences is valid only for the API server.
   */
  #forServer(user: User, audiences: readonly string[]): TokenVerdict {
    const meant = audiences.filter((each) => each === this.#deps.serviceAccounts.issuer);
    if (meant.length > 0) return { kind: "accepted", user, audiences: meant };
    return { kind: "refused", why: `the token is not for any of the audiences ${JSON.stringify(audiences)}` };
  }

  /**
   * Returns the user of the connection's client certificate. Null if the certificate is rejected, undefined if the connection has
   * no client certificate.
   */
  #certificateUserOf(socket: TLSSocket): CertificateUser | null | undefined {
    const known = this.#certificates.get(socket);
    if (known !== undefined) return known;
    const certificate = socket.getPeerX509Certificate();
    if (!certificate) return undefined;
    const found = this.#deps.authorities.userOf(certificate) ?? null;
    this.#certificates.set(socket, found);
    return found;
  }
}

/** Returns a request's bearer token (RFC 6750), if any. Browsers send the token in the WebSocket protocol header. */
function bearerOf(headers: IncomingMessage["headers"]): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined) return /^bearer +(\S+)$/i.exec(authorization)?.[1];
  const protocols = headers["sec-websocket-protocol"];
  const encoded = protocols === undefined ? undefined : socketProtocol.exec(protocols)?.[1];
  return encoded && Buffer.from(encoded, "base64url").toString();
}

function acceptedUser(verdict: TokenVerdict | undefined): User {
  if (verdict?.kind !== "accepted") throw failures.unauthorized();
  return verdict.user;
}

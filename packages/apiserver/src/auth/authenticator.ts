import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { Clock } from "@keelson/base";
import { failures } from "../status/status-error.ts";
import type { ClientAuthorities } from "./client-certificate.ts";
import type { StaticTokens } from "./static-tokens.ts";
import { anonymous, type User } from "./user.ts";

/** Finds out who makes a request, by its client certificate or its bearer token. */
export class Authenticator {
  readonly #authorities: ClientAuthorities;
  readonly #tokens: StaticTokens;
  readonly #clock: Clock;
  /** One connection shows one certificate: it is read, and its signature checked, once. */
  readonly #certificates = new WeakMap<TLSSocket, X509Certificate>();

  constructor(authorities: ClientAuthorities, tokens: StaticTokens, clock: Clock) {
    this.#authorities = authorities;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /** `anonymous` for a request without credentials. @throws StatusError 401 when none of those shown is accepted. */
  userOf(request: IncomingMessage): User {
    const certificate = this.#certificateOf(request.socket);
    const byCertificate = certificate && this.#authorities.userOf(certificate, this.#clock.now());
    if (byCertificate) return byCertificate;
    const bearer = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const byToken = bearer && this.userOfToken(bearer);
    if (byToken) return byToken;
    if (certificate || request.headers.authorization) throw failures.unauthorized();
    return anonymous;
  }

  #certificateOf(socket: IncomingMessage["socket"]): X509Certificate | undefined {
    if (!(socket instanceof TLSSocket)) return undefined;
    const certificate = this.#certificates.get(socket) ?? socket.getPeerX509Certificate();
    if (certificate) this.#certificates.set(socket, certificate);
    return certificate;
  }

  userOfToken(token: string): User | undefined {
    return this.#tokens.userOf(token);
  }
}

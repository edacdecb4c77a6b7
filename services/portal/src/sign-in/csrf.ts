import { timingSafeEqual } from "node:crypto";
import type { Login } from "./login.ts";
import type { SessionKeys } from "./session-keys.ts";

/** What a page sends as `X-CSRF-Token` with each request that changes something: of this sign-in and no other. */
export function csrfToken(keys: SessionKeys, login: Login): string {
  return keys.macs(`csrf ${login.id}`)[0] ?? "";
}

export interface ChangingRequest {
  /** Of the portal, `https://host:port`. */
  readonly origin: string;
  readonly header: (name: string) => string | undefined;
}

/** Why a request is not from one of the portal's own pages; `undefined` when it is. */
export function foreignRequest(
  keys: SessionKeys,
  login: Login,
  { origin, header }: ChangingRequest,
): string | undefined {
  // Browsers send one of them with each request of a page that changes something; programs need not.
  const from = header("origin") ?? originOf(header("referer"));
  if (from !== undefined && from !== origin) return "The request is from a page of another site.";
  const given = header("x-csrf-token");
  if (given === undefined) return "The header X-CSRF-Token is missing: /api/info has its value.";
  const isOurs = keys.macs(`csrf ${login.id}`).some((expected) => isSame(given, expected));
  return isOurs ? undefined : "The header X-CSRF-Token is of another sign-in.";
}

function originOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  return URL.parse(url)?.origin ?? "null";
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

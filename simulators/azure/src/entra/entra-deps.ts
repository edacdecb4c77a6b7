import type { Clock } from "@keelson/base";
import type { AssertionDeps } from "./client-assertion.ts";
import type { Directory } from "./directory.ts";
import { Pending } from "./pending.ts";
import type { Platform } from "./redirect-addresses.ts";
import type { Tokens } from "./tokens.ts";

export interface EntraDeps extends AssertionDeps {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly signIns: SignIns;
}

/** Sign-in for which an authorization code was issued. The client can redeem the code only once. */
export interface AuthorizationGrant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly platform: Platform;
  readonly userId: string;
  readonly nonce: string | undefined;
  /** PKCE challenge (RFC 7636). */
  readonly challenge: { readonly method: "S256" | "plain"; readonly value: string } | undefined;
  readonly isRedeemed: boolean;
}

/** Pending device sign-in (RFC 8628). The device polls while the user signs in with a browser. */
export interface DeviceGrant {
  readonly clientId: string;
  readonly state: "waiting" | "declined" | { readonly userId: string };
}

/** Pending user sign-ins. */
export interface SignIns {
  readonly codes: Pending<AuthorizationGrant>;
  readonly devices: Pending<DeviceGrant>;
  /** Device codes by user code. */
  readonly userCodes: Pending<string>;
}

const codeLifetimeMs = 600_000;
export const deviceCodeLifetimeMs = 900_000;

export function newSignIns(clock: Clock): SignIns {
  return {
    codes: new Pending(clock, codeLifetimeMs),
    devices: new Pending(clock, deviceCodeLifetimeMs),
    userCodes: new Pending(clock, deviceCodeLifetimeMs),
  };
}

/** Request to the identity provider. */
export interface EntraRequest {
  readonly method: string;
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  /** Base URL to which the client sent the request: `https://host:port` without a trailing slash. */
  readonly baseUrl: string;
}

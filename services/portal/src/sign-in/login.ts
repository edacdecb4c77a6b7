import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import type { Role } from "@keelson/portal-api";
import type { SessionElevation } from "@keelson/portal-sessions";
import { cookieIn, setCookie } from "./cookies.ts";
import type { SessionKeys } from "./session-keys.ts";

/** Sign-in of a person. */
export interface Login {
  /** Unique ID of the sign-in. */
  readonly id: string;
  readonly username: string;
  /** Subject of the person in the form `TENANT/OBJECT`. Undefined in cookies of older releases and of `keelson portalauth`. */
  readonly subject?: string;
  readonly role: Role;
  /** True if the person belongs to a group that may activate the role `elevated`. */
  readonly mayElevate?: boolean;
  /** Current elevation of the person. Sessions of this sign-in need it. Undefined if the role needs no activation. */
  readonly elevation?: LoginElevation;
  readonly began: Date;
  /** Generation of the person at the start of the sign-in. Undefined in cookies of older releases. */
  readonly generation?: SignInGeneration;
  readonly expires: Date;
}

/** Elevation of a signed-in person, with its expiry time. */
export interface LoginElevation extends SessionElevation {
  readonly until: Date;
}

/**
 * Generation of a sign-in. `first-use` means that the cookie was created without a database. The sign-in then has the person's
 * generation at the first use of the cookie.
 */
export type SignInGeneration = number | "first-use";

/** Lifetime of a sign-in in ms. It is never extended. */
export const loginMs = 3_600_000;
/**
 * Name of the sign-in cookie. Because of its prefix, browsers do not accept this cookie from other hosts or over plain HTTP (RFC
 * 6265bis).
 */
export const loginCookie = "__Host-portal-session";
const purpose = "portal-login";
const roles: readonly Role[] = ["reader", "operator", "elevated"];

/** Stores sign-ins in an encrypted cookie of the browser. */
export class Logins {
  readonly #keys: SessionKeys;
  readonly #clock: Clock;

  constructor(keys: SessionKeys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Starts a sign-in and returns its cookie as a `Set-Cookie` value. */
  async begin(
    {
      id,
      ...person
    }: { readonly id: string; readonly username: string; readonly subject?: string | undefined },
    role: Role,
    generation: number,
  ): Promise<string> {
    return setCookie(loginCookie, await this.#seal(id, { ...person, role, generation }));
  }

  /** Starts a sign-in. Returns only the value of its cookie. */
  seal(username: string, role: Role, generation: SignInGeneration): Promise<string> {
    return this.#seal(randomUUID(), { username, role, generation });
  }

  #seal(id: string, claims: Readonly<Record<string, unknown>>): Promise<string> {
    const began = this.#clock.now().getTime();
    return this.#keys.seal(purpose, { ...claims, began }, new Date(began + loginMs), id);
  }

  /**
   * Reads the sign-in from a request's `Cookie` header. Returns `none` if there is no cookie, and `invalid` if the cookie cannot
   * be decrypted or has expired.
   */
  async find(cookies: string | undefined): Promise<Login | "none" | "invalid"> {
    const sealed = cookieIn(cookies, loginCookie);
    if (sealed === undefined) return "none";
    const claims = await this.#keys.open(purpose, sealed, this.#clock.now());
    const role = roles.find((each) => each === claims?.role);
    const { username, subject, jti, exp } = claims ?? {};
    if (typeof username !== "string" || !role || jti === undefined || exp === undefined) return "invalid";
    const expires = new Date(exp * 1_000);
    // Cookies of earlier releases contain no start time.
    const began = new Date(typeof claims?.began === "number" ? claims.began : expires.getTime() - loginMs);
    const generation = generationOf(claims?.generation);
    return {
      id: jti,
      username,
      ...(typeof subject === "string" ? { subject } : {}),
      role,
      began,
      ...(generation === undefined ? {} : { generation }),
      expires,
    };
  }
}

function generationOf(claim: unknown): SignInGeneration | undefined {
  return typeof claim === "number" || claim === "first-use" ? claim : undefined;
}

import { randomUUID } from "node:crypto";
import type { Clock } from "@keelson/base";
import type { Role } from "@keelson/portal-api";
import { cookieIn, setCookie } from "./cookies.ts";
import type { SessionKeys } from "./session-keys.ts";

/** A person who is signed in. */
export interface Login {
  /** ID of this sign-in, unique. */
  readonly id: string;
  readonly username: string;
  /** `TENANT/OBJECT` of the person. Absent from cookies of older releases and of `keelson portalauth`. */
  readonly subject?: string;
  readonly role: Role;
  /** True for people who may activate the role `elevated` because of their groups. */
  readonly mayElevate?: boolean;
  /** End of the activated role. */
  readonly elevatedUntil?: Date;
  readonly began: Date;
  /** The person's generation when it began. Absent from cookies of older releases. */
  readonly generation?: SignInGeneration;
  readonly expires: Date;
}

/** `first-use`: the cookie was made without a database, and its first use counts. */
export type SignInGeneration = number | "first-use";

/** Absolute: nothing prolongs a sign-in. */
export const loginMs = 3_600_000;
/** The prefix keeps other hosts and plain HTTP from setting it (RFC 6265bis). */
export const loginCookie = "__Host-portal-session";
const purpose = "portal-login";
const roles: readonly Role[] = ["reader", "operator", "elevated"];

/** Keeps sign-ins in a cookie of the browser, sealed. */
export class Logins {
  readonly #keys: SessionKeys;
  readonly #clock: Clock;

  constructor(keys: SessionKeys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** The cookie of a new sign-in, as the value of `Set-Cookie`. */
  async begin(
    { id, ...person }: { readonly id: string; readonly username: string; readonly subject?: string },
    role: Role,
    generation: number,
  ): Promise<string> {
    return setCookie(loginCookie, await this.#seal(id, { ...person, role, generation }));
  }

  /** The value of the cookie alone. */
  seal(username: string, role: Role, generation: SignInGeneration): Promise<string> {
    return this.#seal(randomUUID(), { username, role, generation });
  }

  #seal(id: string, claims: Readonly<Record<string, unknown>>): Promise<string> {
    const began = this.#clock.now().getTime();
    return this.#keys.seal(purpose, { ...claims, began }, new Date(began + loginMs), id);
  }

  /** Reads the sign-in from a request's `Cookie` header. Returns `invalid` for an unreadable or expired cookie. */
  async find(cookies: string | undefined): Promise<Login | "none" | "invalid"> {
    const sealed = cookieIn(cookies, loginCookie);
    if (sealed === undefined) return "none";
    const claims = await this.#keys.open(purpose, sealed, this.#clock.now());
    const role = roles.find((each) => each === claims?.role);
    const { username, subject, jti, exp } = claims ?? {};
    if (typeof username !== "string" || !role || jti === undefined || exp === undefined) return "invalid";
    const expires = new Date(exp * 1_000);
    // Cookies of earlier releases have no start time.
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

import { createHash } from "node:crypto";
import { authenticated, type User } from "./user.ts";

/** A bearer token as it is stored: its SHA-256 in hexadecimal digits, never itself. */
export interface TokenRecord {
  readonly sha256: string;
  readonly user: string;
  readonly groups: readonly string[];
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The bearer tokens that a cluster was created with. They are found by hash, so that timing reveals nothing. */
export class StaticTokens {
  readonly #users: ReadonlyMap<string, User>;

  constructor(records: readonly TokenRecord[]) {
    this.#users = new Map(records.map((each) => [each.sha256, authenticated(each.user, each.groups)]));
  }

  userOf(token: string): User | undefined {
    return this.#users.size > 0 ? this.#users.get(hashToken(token)) : undefined;
  }
}

import { createHash } from "node:crypto";
import { authenticated, type User } from "./user.ts";

/** Stored bearer token. Only its SHA-256 is stored, in hexadecimal digits. */
export interface TokenRecord {
  readonly sha256: string;
  readonly user: string;
  readonly groups: readonly string[];
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Bearer tokens that the cluster's owner defined at creation. A lookup by hash prevents timing attacks. */
export class StaticTokens {
  readonly #users: ReadonlyMap<string, User>;

  constructor(records: readonly TokenRecord[]) {
    this.#users = new Map(records.map((each) => [each.sha256, authenticated(each.user, each.groups)]));
  }

  userOf(token: string): User | undefined {
    return this.#users.size > 0 ? this.#users.get(hashToken(token)) : undefined;
  }
}

import { createHash, timingSafeEqual } from "node:crypto";
import type { Secret } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";

/** An application with its service principal in the one tenant. Secrets are kept as digests only. */
export interface Application {
  readonly clientId: string;
  readonly displayName: string;
  /** The service principal's object ID: the `oid` of its tokens, the principal of role assignments. */
  readonly objectId: string;
  readonly passwords: readonly { readonly keyId: string; readonly digest: string }[];
}

/** The applications of the tenant, by client ID in any case. */
export class Directory {
  readonly #applications: Table<Application>;

  constructor(store: Store) {
    this.#applications = store.table("application");
  }

  find(clientId: string): Application | undefined {
    return this.#applications.get(clientId.toLowerCase());
  }

  list(): readonly Application[] {
    return [...this.#applications.values()];
  }

  /** Call inside a transaction, as any write. */
  put(application: Application): void {
    this.#applications.set(application.clientId.toLowerCase(), application);
  }

  remove(clientId: string): void {
    this.#applications.delete(clientId.toLowerCase());
  }
}

/** Secrets are random and long, so that a plain digest tells nothing about them. */
export function digestOf(secret: Secret): string {
  return createHash("sha256").update(secret.reveal()).digest("hex");
}

export function hasPassword(application: Application, secret: Secret): boolean {
  const digest = Buffer.from(digestOf(secret));
  return application.passwords.some((each) => timingSafeEqual(Buffer.from(each.digest), digest));
}

/** A GUID that stays the same for one text, so that a principal keeps its object ID when the world is new. */
export function guidOf(text: string): string {
  const hex = createHash("sha256").update(text.toLowerCase()).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-");
}

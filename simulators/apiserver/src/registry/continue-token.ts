import { failures } from "@keelson/apimachinery";
import type { RevisionStore } from "../storage/revision-store.ts";

/** Position of the next page of a list, and the revision of the list's snapshot. Revision 0 means the newest revision. */
export interface Position {
  readonly revision: number;
  readonly after: string;
}

/** Encodes a position as a signed token. The token is valid only for the same list and cluster. */
export function formatPosition(store: RevisionStore, list: string, { revision, after }: Position): string {
  const content = `${revision} ${after}`;
  return `${Buffer.from(content).toString("base64url")}.${store.sign(`continue ${list} ${content}`)}`;
}

/**
 * Verifies and decodes a continue token.
 * @throws StatusError 400 if the token is invalid or belongs to a different list
 */
export function parsePosition(store: RevisionStore, list: string, token: string): Position {
  const [encoded = "", proof] = token.split(".");
  const content = Buffer.from(encoded, "base64url").toString();
  const [, revision = "", after = ""] = /^(\d{1,16}) (.+)$/s.exec(content) ?? [];
  if (!revision || proof !== store.sign(`continue ${list} ${content}`)) {
    throw failures.badRequest(
      "invalid continue token: continue key is not valid: it was not issued for this list by this server",
    );
  }
  return { revision: Number(revision), after };
}

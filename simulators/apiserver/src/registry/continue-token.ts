import { failures } from "@keelson/apimachinery";
import type { RevisionStore } from "../storage/revision-store.ts";

/** Where the next page of a list starts, and in which snapshot; revision 0 asks for the newest. */
export interface Position {
  readonly revision: number;
  readonly after: string;
}

/** A position as clients carry it about: only this cluster can make one, for this list. */
export function formatPosition(store: RevisionStore, list: string, { revision, after }: Position): string {
  const content = `${revision} ${after}`;
  return `${Buffer.from(content).toString("base64url")}.${store.sign(`continue ${list} ${content}`)}`;
}

/** @throws StatusError 400 for what was not made for this list */
export function parsePosition(store: RevisionStore, list: string, token: string): Position {
  const [encoded = "", proof] = token.split(".");
  const content = Buffer.from(encoded, "base64url").toString();
  const [, revision = "", after = ""] = /^(\d{1,16}) (.+)$/s.exec(content) ?? [];
  if (!revision || proof !== store.sign(`continue ${list} ${content}`)) {
    throw failures.badRequest(
      "invalid continue token: continue key is not valid: it was not made for this list by this server",
    );
  }
  return { revision: Number(revision), after };
}

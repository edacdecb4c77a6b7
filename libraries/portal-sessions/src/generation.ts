import { createHash } from "node:crypto";
import type { PortalSignOutDocument, ServiceDatabase } from "@keelson/model";

/** Returns the ID of the document that ends one sign-in. */
export function signInKey(signInId: string): string {
  return hashOf(`sign-in ${signInId}`);
}

/** Returns the ID of the document that records the first use of a sign-in. */
export function firstUseKey(signInId: string): string {
  return hashOf(`first use ${signInId}`);
}

/** Returns the ID of the document that ends all sign-ins and sessions of a person. */
export function personKey(username: string): string {
  return hashOf(`person ${username.toLowerCase()}`);
}

/** Time and generation at which a sign-in or session started. `isSignedOut` compares both with the person's sign-out document. */
export interface Begun {
  /** Generation of the person at the start. Undefined in documents of older releases. */
  readonly generation: number | undefined;
  /** RFC 3339. */
  readonly at: string | undefined;
}

/**
 * Returns a person's current generation. The generation is 0 until the person's sessions are ended for the first time. A document
 * of an older release contains a time instead of a generation. For such a document, returns the time as a number. This number is
 * much higher than the generation of any sign-in, so no sign-in matches it.
 */
export function generationIn(person: PortalSignOutDocument | undefined): number {
  return person ? (person.generation ?? Date.parse(person.before)) : 0;
}

/** Reads a person's current generation. */
export async function findGeneration(
  database: ServiceDatabase,
  username: string,
  signal: AbortSignal,
): Promise<number> {
  const key = personKey(username);
  return generationIn((await database.collections.portalSignOuts.find(key, key, signal))?.document);
}

/**
 * True if all sign-ins of the person were ended after this sign-in started. The function compares generations. A sign-in without
 * a generation has ended if the person's document has a generation. If both lack a generation, the function compares times.
 */
export function isSignedOut(person: PortalSignOutDocument | undefined, { generation, at }: Begun): boolean {
  if (generation !== undefined) return generation !== generationIn(person);
  if (!person) return false;
  return person.generation !== undefined || !(Date.parse(at ?? "") > Date.parse(person.before));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

import { createHash } from "node:crypto";
import type { PortalSignOutDocument, ServiceDatabase } from "@keelson/model";

/** ID of the document that ends one sign-in. */
export function signInKey(signInId: string): string {
  return hashOf(`sign-in ${signInId}`);
}

/** ID of the document that records the first use of a sign-in. */
export function firstUseKey(signInId: string): string {
  return hashOf(`first use ${signInId}`);
}

/** ID of the document that ends all sign-ins and sessions of a person. */
export function personKey(username: string): string {
  return hashOf(`person ${username.toLowerCase()}`);
}

/** Sign-in or session of a person, as it is compared with the person's document. */
export interface Begun {
  /** Missing in documents of older releases. */
  readonly generation: number | undefined;
  /** RFC 3339. */
  readonly at: string | undefined;
}

/**
 * Returns a person's current generation. 0 before the first "end all". The document of an older release has
 * the time of the last one, which serves as a number that no counter reaches.
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
 * True if all sign-ins of the person were ended after this one started. Generations decide. Times decide only
 * between a sign-in and an "end all" of older releases.
 */
export function isSignedOut(person: PortalSignOutDocument | undefined, { generation, at }: Begun): boolean {
  if (generation !== undefined) return generation !== generationIn(person);
  if (!person) return false;
  return person.generation !== undefined || !(Date.parse(at ?? "") > Date.parse(person.before));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

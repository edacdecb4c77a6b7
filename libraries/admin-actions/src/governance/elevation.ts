import { createHash } from "node:crypto";
import { type Admission, type Authorizer, isAdminRequest } from "@keelson/auth";
import { type Clock, timeLimit } from "@keelson/base";
import { create, remove, replace, type Stored } from "@keelson/database";
import type { ElevationDocument, RequestPerson, ServiceDatabase } from "@keelson/model";

export interface ElevationDeps {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
}

const readMs = 10_000;

/** Current elevation of a person. */
export interface Elevation {
  /**
   * Start time (RFC 3339). It identifies the elevation, because a renewal does not change the start time. Compare two start times
   * only as strings, for equality.
   */
  readonly from: string;
  readonly until: Date;
}

/** Returns a person's elevation. Undefined if the person is not elevated. */
export async function findElevation(
  { database, clock }: ElevationDeps,
  subject: string,
  signal: AbortSignal,
): Promise<Elevation | undefined> {
  const stored = await find(database, subject, signal);
  return stored && currentOf(stored.document, clock);
}

/**
 * Elevates a person immediately. If the person is already elevated, the call renews this elevation. A renewal keeps the start time
 * and replaces the expiry time. After the end of an elevation, the call starts a new elevation.
 */
export async function elevate(
  { database, clock }: ElevationDeps,
  person: RequestPerson & { readonly reason: string; readonly minutes: number },
  signal: AbortSignal,
): Promise<ElevationDocument> {
  const { elevations } = database.collections;
  const { subject, username, reason, minutes } = person;
  const id = idOf(subject);
  for (;;) {
    const stored = await find(database, subject, signal);
    const renewed = stored && currentOf(stored.document, clock);
    const now = clock.now().getTime();
    const document: ElevationDocument = {
      ...{ id, partitionKey: id, subject, username, reason },
      ttlSeconds: minutes * 60,
      from: renewed?.from ?? new Date(now).toISOString(),
      until: new Date(now + minutes * 60_000).toISOString(),
    };
    const write = stored ? replace(elevations, stored, document) : create(elevations, document);
    const { kind } = await database.commit(id, [write], { signal });
    if (kind === "committed") return document;
  }
}

/** Revokes a person's elevation, if any. */
export async function endElevation(
  database: ServiceDatabase,
  subject: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const stored = await find(database, subject, signal);
    if (!stored) return;
    const write = remove(database.collections.elevations, stored);
    const { kind } = await database.commit(stored.document.partitionKey, [write], { signal });
    if (kind === "committed") return;
  }
}

/**
 * Downgrades callers with the role `elevated` to `operator` if their elevation is missing or has expired. Callers with a
 * certificate keep their role. Applications that may send user names also keep the role, because they create the elevations of
 * users.
 */
export function withElevations(authorizer: Authorizer, deps: ElevationDeps): Authorizer {
  const lowered = async (admission: Admission): Promise<Admission> => {
    if (typeof admission !== "object" || admission.vouchesForNames) return admission;
    if (admission.rights !== true && admission.rights !== "elevated") return admission;
    const elevation = await findElevation(deps, admission.subject, timeLimit(readMs));
    if (!elevation) return { ...admission, rights: "operator" };
    return { ...admission, rights: "elevated", elevation };
  };
  return {
    authorize(request) {
      const admission = authorizer.authorize(request);
      if (!isAdminRequest(request)) return admission;
      return admission instanceof Promise ? admission.then(lowered) : lowered(admission);
    },
    ready: () => authorizer.ready(),
    ...(authorizer.authorityPems ? { authorityPems: authorizer.authorityPems } : {}),
  };
}

/** Returns the elevation of a document. Undefined if it has expired. */
function currentOf({ from, until }: ElevationDocument, clock: Clock): Elevation | undefined {
  const expiry = new Date(until);
  return expiry > clock.now() ? { from, until: expiry } : undefined;
}

function find(
  { collections: { elevations } }: ServiceDatabase,
  subject: string,
  signal: AbortSignal,
): Promise<Stored<ElevationDocument> | undefined> {
  return elevations.find(idOf(subject), idOf(subject), signal);
}

function idOf(subject: string): string {
  return createHash("sha256").update(subject).digest("hex");
}

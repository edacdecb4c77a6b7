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

/** Returns the expiry time of a person's elevation. Undefined if the person is not elevated. */
export async function elevatedUntil(
  { database, clock }: ElevationDeps,
  subject: string,
  signal: AbortSignal,
): Promise<Date | undefined> {
  const until = new Date((await find(database, subject, signal))?.document.until ?? Number.NaN);
  return until > clock.now() ? until : undefined;
}

/** Elevates a person immediately. Replaces an earlier elevation. */
export async function elevate(
  { database, clock }: ElevationDeps,
  person: RequestPerson & { readonly reason: string; readonly minutes: number },
  signal: AbortSignal,
): Promise<ElevationDocument> {
  const { elevations } = database.collections;
  const { subject, username, reason, minutes } = person;
  const id = idOf(subject);
  const now = clock.now().getTime();
  const document: ElevationDocument = {
    ...{ id, partitionKey: id, subject, username, reason },
    ttlSeconds: minutes * 60,
    from: new Date(now).toISOString(),
    until: new Date(now + minutes * 60_000).toISOString(),
  };
  for (;;) {
    const stored = await find(database, subject, signal);
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
    const until = await elevatedUntil(deps, admission.subject, timeLimit(readMs));
    return until
      ? { ...admission, rights: "elevated", elevatedUntil: until }
      : { ...admission, rights: "operator" };
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

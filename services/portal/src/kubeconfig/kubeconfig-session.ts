import { createHash } from "node:crypto";
import type { PortalSessionDocument, ServiceDatabase } from "@keelson/model";

/** What a kubeconfig of the portal lets its bearer do. */
export interface KubeconfigSession {
  /** Hash of the token: names the session in logs, and opens nothing. */
  readonly id: string;
  readonly username: string;
  /** The cluster's resource ID, lower case. */
  readonly clusterId: string;
  readonly elevated: boolean;
}

const token = /^Bearer ([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** The session of an `Authorization` header; `undefined` where there is none, for one that ended, and for one of another kind. */
export async function findKubeconfigSession(
  database: ServiceDatabase,
  authorization: string | undefined,
  signal: AbortSignal,
): Promise<KubeconfigSession | undefined> {
  const [, bearer] = token.exec(authorization ?? "") ?? [];
  if (bearer === undefined) return undefined;
  // Found by its hash: how long the look-up takes says nothing of the token.
  const id = createHash("sha256").update(bearer.toLowerCase()).digest("hex");
  const stored = await database.collections.portalSessions.find(id, id, signal);
  return stored && sessionOf(stored.document);
}

function sessionOf({ id, portal }: PortalSessionDocument): KubeconfigSession | undefined {
  const { kubeconfig, username, id: clusterId } = portal;
  return kubeconfig && { id, username, clusterId, elevated: kubeconfig.elevated };
}

import type { PortalSessionDocument, ServiceDatabase } from "@keelson/model";
import { isSessionToken, sessionIdOf } from "@keelson/portal-sessions";

/** What a kubeconfig of the portal lets its bearer do. */
export interface KubeconfigSession {
  /** Hash of the token: names the session in logs, and opens nothing. */
  readonly id: string;
  readonly username: string;
  /** The cluster's resource ID, lower case. */
  readonly clusterId: string;
  readonly elevated: boolean;
}

const bearerToken = /^Bearer (\S{36})$/i;

/** The session of an `Authorization` header; `undefined` where there is none, for one that ended, and for one of another kind. */
export async function findKubeconfigSession(
  database: ServiceDatabase,
  authorization: string | undefined,
  signal: AbortSignal,
): Promise<KubeconfigSession | undefined> {
  const [, token = ""] = bearerToken.exec(authorization ?? "") ?? [];
  if (!isSessionToken(token)) return undefined;
  const id = sessionIdOf(token);
  const stored = await database.collections.portalSessions.find(id, id, signal);
  return stored && sessionOf(stored.document);
}

function sessionOf({ id, portal }: PortalSessionDocument): KubeconfigSession | undefined {
  const { kubeconfig, username, id: clusterId } = portal;
  return kubeconfig && { id, username, clusterId, elevated: kubeconfig.elevated };
}

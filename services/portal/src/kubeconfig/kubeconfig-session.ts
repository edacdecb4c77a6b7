import type { ClusterDocument } from "@keelson/model";
import { isSessionToken, sessionIdOf } from "@keelson/portal-sessions";
import { findUsableSession, type UsableSession, type UsableSessionDeps } from "../sessions/usable-session.ts";

/** Session to which a portal kubeconfig gives access, with its permissions. */
export interface KubeconfigSession {
  /** Hash of the session's token. It identifies the session in logs, but it does not grant access. */
  readonly id: string;
  readonly username: string;
  /** Lower-case resource ID of the cluster. */
  readonly clusterId: string;
  readonly cluster: ClusterDocument;
  readonly elevated: boolean;
  /** Expiry time of the elevation that the session needs. Undefined if the session needs no elevation. */
  readonly elevatedUntil: Date | undefined;
}

const bearerToken = /^Bearer (\S{36})$/i;

/**
 * Returns the open session for an `Authorization` header. Undefined if the session or the elevation that it needs has ended, if it
 * is not a kubeconfig session, or if the header contains no session token.
 */
export async function findKubeconfigSession(
  deps: UsableSessionDeps,
  authorization: string | undefined,
  signal: AbortSignal,
): Promise<KubeconfigSession | undefined> {
  const [, token = ""] = bearerToken.exec(authorization ?? "") ?? [];
  if (!isSessionToken(token)) return undefined;
  const found = await findUsableSession(deps, sessionIdOf(token), signal);
  return found && sessionOf(found);
}

function sessionOf({ session, elevatedUntil }: UsableSession): KubeconfigSession | undefined {
  const { document, cluster } = session;
  const { id, portal } = document;
  const { kubeconfig, username, id: clusterId } = portal;
  return kubeconfig && { id, username, clusterId, cluster, elevated: kubeconfig.elevated, elevatedUntil };
}

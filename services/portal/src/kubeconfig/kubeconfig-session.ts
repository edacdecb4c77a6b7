import type { ClusterDocument, ServiceDatabase } from "@keelson/model";
import { findOpenSession, isSessionToken, type OpenSession, sessionIdOf } from "@keelson/portal-sessions";

/** Session to which a portal kubeconfig gives access, with its permissions. */
export interface KubeconfigSession {
  /** Hash of the session's token. It identifies the session in logs, but it does not grant access. */
  readonly id: string;
  readonly username: string;
  /** Lower-case resource ID of the cluster. */
  readonly clusterId: string;
  readonly cluster: ClusterDocument;
  readonly elevated: boolean;
}

const bearerToken = /^Bearer (\S{36})$/i;

/**
 * Returns the open session for an `Authorization` header. Undefined if the session has ended or is not a kubeconfig session, or
 * if the header contains no session token.
 */
export async function findKubeconfigSession(
  database: ServiceDatabase,
  authorization: string | undefined,
  signal: AbortSignal,
): Promise<KubeconfigSession | undefined> {
  const [, token = ""] = bearerToken.exec(authorization ?? "") ?? [];
  if (!isSessionToken(token)) return undefined;
  const found = await findOpenSession(database, sessionIdOf(token), signal);
  return found && sessionOf(found);
}

function sessionOf({ document, cluster }: OpenSession): KubeconfigSession | undefined {
  const { id, portal } = document;
  const { kubeconfig, username, id: clusterId } = portal;
  return kubeconfig && { id, username, clusterId, cluster, elevated: kubeconfig.elevated };
}

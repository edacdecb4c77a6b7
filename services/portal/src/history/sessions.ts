import type { PortalSessionDocument, ServiceDatabase } from "@keelson/model";
import type { SessionView } from "@keelson/portal-api";
import { listSessions } from "@keelson/portal-sessions";

/** The open sessions of a cluster, the newest first. Their IDs open nothing. */
export async function readSessions(
  database: ServiceDatabase,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly SessionView[]> {
  return (await listSessions(database, cluster, signal)).map(sessionView);
}

function sessionView({ id, portal, ttlSeconds, createdAt }: PortalSessionDocument): SessionView {
  const { username, kubeconfig, ssh } = portal;
  const started = new Date(createdAt ?? 0);
  return {
    id,
    kind: ssh ? "ssh" : "kubeconfig",
    username,
    // An SSH session is always one with all rights.
    elevated: kubeconfig?.elevated ?? true,
    ...(ssh ? { master: ssh.master, used: ssh.authenticated === true } : {}),
    createdAt: started.toISOString(),
    expiresAt: new Date(started.getTime() + ttlSeconds * 1_000).toISOString(),
  };
}

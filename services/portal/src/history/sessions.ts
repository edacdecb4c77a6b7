import type { SessionView } from "@keelson/portal-api";
import type { OpenSession } from "@keelson/portal-sessions";

/** Returns a session in the format of the portal API. The ID of the session does not grant access. */
export function sessionView({ document }: OpenSession): SessionView {
  const { id, portal, ttlSeconds, createdAt } = document;
  const { username, kubeconfig, ssh } = portal;
  const started = new Date(createdAt ?? 0);
  return {
    id,
    kind: ssh ? "ssh" : "kubeconfig",
    username,
    cluster: portal.id,
    // A session without a kubeconfig is an SSH session, which is always elevated.
    elevated: kubeconfig?.elevated ?? true,
    ...(ssh ? { master: ssh.master, used: ssh.authenticated === true } : {}),
    createdAt: started.toISOString(),
    expiresAt: new Date(started.getTime() + ttlSeconds * 1_000).toISOString(),
  };
}

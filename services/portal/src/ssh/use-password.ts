import { replace } from "@keelson/database";
import { isSessionToken, sessionIdOf, sshUserOf } from "@keelson/portal-sessions";
import { findUsableSession, type UsableSessionDeps } from "../sessions/usable-session.ts";

/** Session of one SSH connection. The session's password is valid only for this connection. */
export interface SshSession {
  /** Hash of the password. It identifies the session in logs, but it does not grant access. */
  readonly id: string;
  readonly username: string;
  /** Lower-case resource ID of the cluster. */
  readonly clusterId: string;
  readonly clusterDocumentId: string;
  readonly master: number;
  /** Expiry time of the elevation that the session needs. Undefined if the session needs no elevation. */
  readonly elevatedUntil: Date | undefined;
}

export type PasswordResult =
  | { readonly kind: "accepted"; readonly session: SshSession }
  | { readonly kind: "refused"; readonly reason: "invalid password" | "invalid username" | "used before" };

export interface PasswordUse {
  readonly user: string;
  readonly password: string;
  /**
   * Lifetime in seconds of the session's document after the use of the password. The document then represents the open
   * connection.
   */
  readonly connectionSeconds: number;
}

/** Consumes a password. If several connections use the password concurrently, only one of them is accepted. */
export async function usePassword(
  deps: UsableSessionDeps,
  { user, password, connectionSeconds }: PasswordUse,
  signal: AbortSignal,
): Promise<PasswordResult> {
  if (!isSessionToken(password)) return { kind: "refused", reason: "invalid password" };
  const { database } = deps;
  const { portalSessions } = database.collections;
  const id = sessionIdOf(password);
  const usable = await findUsableSession(deps, id, signal);
  const portal = usable?.session.document.portal;
  if (!usable || !portal?.ssh) return { kind: "refused", reason: "invalid password" };
  if (sshUserOf(portal.username) !== user) return { kind: "refused", reason: "invalid username" };
  if (portal.ssh.authenticated) return { kind: "refused", reason: "used before" };
  const { session: open, elevatedUntil } = usable;
  const used = {
    ...open.document,
    ttlSeconds: connectionSeconds,
    portal: { ...portal, ssh: { ...portal.ssh, authenticated: true } },
  };
  const result = await database.commit(id, [replace(portalSessions, open, used)], { signal });
  if (result.kind !== "committed") return { kind: "refused", reason: "used before" };
  const { username, id: clusterId, ssh } = portal;
  const cluster = { clusterId, clusterDocumentId: open.cluster.id };
  return { kind: "accepted", session: { id, username, ...cluster, master: ssh.master, elevatedUntil } };
}

import { replace } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { findOpenSession, isSessionToken, sessionIdOf } from "@keelson/portal-sessions";

/** A connection that a password was given for. */
export interface SshSession {
  /** The hash of the password: names the session in logs, and opens nothing. */
  readonly id: string;
  readonly username: string;
  /** The cluster's resource ID, lower case. */
  readonly clusterId: string;
  readonly clusterDocumentId: string;
  readonly master: number;
}

export type PasswordResult =
  | { readonly kind: "accepted"; readonly session: SshSession }
  | { readonly kind: "refused"; readonly reason: "invalid password" | "invalid username" | "used before" };

export interface PasswordUse {
  readonly user: string;
  readonly password: string;
  /** Lifetime of the session's document, which represents the connection from now on. */
  readonly connectionSeconds: number;
}

/** Uses a password up: of several that use the same one, one is accepted. */
export async function usePassword(
  database: ServiceDatabase,
  { user, password, connectionSeconds }: PasswordUse,
  signal: AbortSignal,
): Promise<PasswordResult> {
  if (!isSessionToken(password)) return { kind: "refused", reason: "invalid password" };
  const { portalSessions } = database.collections;
  const id = sessionIdOf(password);
  const open = await findOpenSession(database, id, signal);
  const portal = open?.document.portal;
  if (!open || !portal?.ssh) return { kind: "refused", reason: "invalid password" };
  const [name = ""] = portal.username.split("@");
  if (name !== user) return { kind: "refused", reason: "invalid username" };
  if (portal.ssh.authenticated) return { kind: "refused", reason: "used before" };
  const used = {
    ...open.document,
    ttlSeconds: connectionSeconds,
    portal: { ...portal, ssh: { ...portal.ssh, authenticated: true } },
  };
  const result = await database.commit(id, [replace(portalSessions, open, used)], { signal });
  if (result.kind !== "committed") return { kind: "refused", reason: "used before" };
  const { username, id: clusterId, ssh } = portal;
  const clusterDocumentId = open.cluster.id;
  return { kind: "accepted", session: { id, username, clusterId, clusterDocumentId, master: ssh.master } };
}

import { createHash } from "node:crypto";

/** Maximum number of stored sessions. A session has a size of 2 to 4 KB. */
const maxSessions = 4_096;

/** TLS session of the last connection to one server with one client certificate. */
export interface TlsSession {
  load(): Buffer | undefined;
  store(session: Buffer): void;
  /** Removes the session, because the server may be unable to resume it. */
  forget(): void;
}

/** Sessions by digest. The session that was stored most recently is last. */
const sessions = new Map<string, Buffer>();

/**
 * Returns the TLS session for connections with equal settings. A resumed session needs no certificates, signatures or verification,
 * which saves a millisecond of CPU time on both sides. `settings` must contain everything that affects the verification of the server
 * and the identity of the client. The sessions are keyed by digests, so that no private keys remain in memory.
 */
export function tlsSessionOf(settings: readonly (string | undefined)[]): TlsSession {
  const digest = createHash("sha256")
    .update(JSON.stringify(settings.map((each) => each ?? null)))
    .digest("base64");
  return {
    load: () => sessions.get(digest),
    forget: () => void sessions.delete(digest),
    store(session) {
      sessions.delete(digest);
      sessions.set(digest, session);
      const [oldest] = sessions.keys();
      if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
    },
  };
}

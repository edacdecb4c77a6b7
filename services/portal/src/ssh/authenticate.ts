import type { Logger } from "@keelson/base";
import type { AuthContext } from "ssh2";
import type { UsableSessionDeps } from "../sessions/usable-session.ts";
import type { AttemptLimits } from "./attempt-limits.ts";
import { type SshSession, usePassword } from "./use-password.ts";

export interface AuthenticateDeps extends UsableSessionDeps {
  readonly limits: AttemptLimits;
  /** Maximum duration of a connection in ms. */
  readonly longestMs: number;
  readonly logger: Logger;
}

/** Returns the session for a password without consuming the password. Rejects invalid passwords. Never logs passwords. */
export async function authenticate(
  context: AuthContext,
  address: string,
  deps: AuthenticateDeps,
  signal: AbortSignal,
): Promise<SshSession | undefined> {
  const { limits, longestMs, logger } = deps;
  if (context.method !== "password") {
    context.reject(["password"]);
    return undefined;
  }
  const { username: user, password } = context;
  const refuse = (reason: string) => {
    logger.warn(
      { logKind: "access", address, user: user.slice(0, 100), reason },
      "SSH authentication failed",
    );
    context.reject(["password"]);
    return undefined;
  };
  if (!limits.allows(address)) return refuse("too many wrong passwords");
  const connectionSeconds = Math.ceil(longestMs / 1_000) + 60;
  const result = await usePassword(deps, { user, password, connectionSeconds }, signal);
  if (result.kind === "refused") {
    limits.failed(address);
    return refuse(result.reason);
  }
  const { session } = result;
  logger.info(
    { logKind: "access", address, caller: session.username, session: session.id, target: session.clusterId },
    "SSH authentication succeeded",
  );
  return session;
}

import type { PortalSsh } from "@keelson/auth";
import type { Clock } from "@keelson/base";
import { type SshAccess, sshRequestSchema } from "@keelson/portal-api";
import { isSshUser, openSession, portalSshCommand, sshUserOf } from "@keelson/portal-sessions";
import { Value } from "typebox/value";
import { getCluster } from "../clusters/find-cluster.ts";
import { portalErrors } from "../errors/portal-errors.ts";
import { clusterPath, type PortalContext, type PortalRoute, route } from "../http/portal-route.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";
import { checkStillElevated, type StillElevatedDeps } from "./still-elevated.ts";

export interface NewSshDeps extends StillElevatedDeps {
  readonly origin: string;
  /** SSH server of the portal. Undefined if the portal has no SSH server. */
  readonly ssh: PortalSsh | undefined;
  readonly signOuts: SignOuts;
  readonly clock: Clock;
}

const ttlSeconds = 60;
/**
 * Response for people without an elevation. Its body has the same bytes as in the Azure/ARO-RP portal. The status is 403 instead
 * of 200, so that the audit line records a failure.
 */
const refusal: SshAccess = { error: "Elevated access is required." };

/**
 * Route that returns an SSH command with a one-time password for one connection to a master. The password is valid for a minute.
 */
export function newSshRoute(deps: NewSshDeps): PortalRoute {
  return route("POST", `${clusterPath.resource}/ssh/new`, async (context) => {
    const master = await readMaster(context);
    const { username, role, elevation } = context.login();
    if (role !== "elevated") return { status: 403, json: refusal };
    const { database, ssh, origin, signOuts, clock } = deps;
    if (!ssh) throw portalErrors.NotConfigured("The portal has no SSH server.");
    const user = sshUserOf(username);
    if (!isSshUser(user))
      throw portalErrors.BadRequest(
        "Your user name contains characters that are not allowed in SSH commands.",
      );
    const cluster = await getCluster(database, context);
    const signIn = await signOuts.sessionSignIn(context.login());
    const terms = { cluster, portal: { username, ssh: { master } }, ttlSeconds, signIn, elevation };
    const password = await openSession(database, terms, { clock, signal: context.signal });
    await checkStillElevated(deps, context, password);
    const response: SshAccess = {
      command: portalSshCommand(user, new URL(origin).hostname, ssh),
      password,
    };
    return { status: 200, json: response };
  });
}

async function readMaster(context: PortalContext): Promise<number> {
  const body = await context.json();
  if (Value.Check(sshRequestSchema, body)) return body.master;
  throw portalErrors.BadRequest("The body must be an object with the property 'master' of 0, 1 or 2.");
}

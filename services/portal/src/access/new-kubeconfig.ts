import type { Clock } from "@keelson/base";
import { kubeconfigTtl, openSession, portalKubeconfig } from "@keelson/portal-sessions";
import { getCluster } from "../clusters/find-cluster.ts";
import { clusterPath, type PortalRoute, route } from "../http/portal-route.ts";
import type { SignOuts } from "../sign-in/sign-outs.ts";
import { checkStillElevated, type StillElevatedDeps } from "./still-elevated.ts";

export interface NewKubeconfigDeps extends StillElevatedDeps {
  readonly origin: string;
  /** Returns the portal's current server certificate (PEM). The kubeconfig trusts only this certificate. */
  readonly certificatePem: () => string;
  readonly signOuts: SignOuts;
  readonly clock: Clock;
}

/**
 * Route that issues a kubeconfig for the portal's proxy. The kubeconfig has the person's permissions and expires after six hours.
 */
export function newKubeconfigRoute(deps: NewKubeconfigDeps): PortalRoute {
  const { database, origin, certificatePem, signOuts, clock } = deps;
  return route("POST", `${clusterPath.resource}/kubeconfig/new`, async (context) => {
    const cluster = await getCluster(database, context);
    const { username, role, elevation } = context.login();
    const elevated = role === "elevated";
    const portal = { username, kubeconfig: { elevated } };
    const signIn = await signOuts.sessionSignIn(context.login());
    const ttlSeconds = kubeconfigTtl(elevation?.until, clock);
    const terms = { cluster, portal, ttlSeconds, signIn, elevation };
    const token = await openSession(database, terms, { clock, signal: context.signal });
    if (elevated) await checkStillElevated(deps, context, token);
    const file = `${context.parameter("name")}${elevated ? "-elevated" : ""}.kubeconfig`;
    return {
      status: 200,
      text: portalKubeconfig(`${origin}${cluster.key}/kubeconfig/proxy`, certificatePem(), token),
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="${file}"`,
      },
    };
  });
}

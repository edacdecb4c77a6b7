import { CloudError } from "@keelson/arm";
import { kubeconfigTtl, openSession, portalKubeconfig } from "@keelson/portal-sessions";
import { serviceAction } from "../admin-actions/admin-action.ts";
import type { Route } from "../http/route.ts";
import { knownPersonOf, personOf } from "./person.ts";

/** Returns a kubeconfig for the portal's proxy, valid for six hours. */
export const newKubeconfig: Route = kubeconfigRoute("kubeconfig/new", false);

/**
 * Returns a kubeconfig for the portal's proxy with all permissions. The portal authorizes the users of the kubeconfig. If the
 * caller's role `elevated` is activated for a limited time, the kubeconfig ends with the role.
 */
export const newElevatedKubeconfig: Route = kubeconfigRoute("kubeconfig/newelevated", true);

function kubeconfigRoute(suffix: string, elevated: boolean): Route {
  return serviceAction<{ readonly username: string }>(
    { method: "POST", suffix },
    ({ portal, database, clock }, request) => ({
      read() {
        if (!portal) {
          throw new CloudError(
            "InternalServerError",
            "Portal serving certificate is not available; the kubeconfig endpoint is disabled.",
            { status: 503 },
          );
        }
        return { username: elevated ? knownPersonOf(request) : personOf(request) };
      },
      async handle({ document, signal }, { username }) {
        if (!portal) throw new Error("there is no portal");
        const session = { username, kubeconfig: { elevated } };
        const elevation = elevated ? request.elevation : undefined;
        const ttlSeconds = kubeconfigTtl(elevation?.until, clock);
        const terms = { cluster: document, portal: session, ttlSeconds, elevation };
        const token = await openSession(database, terms, { clock, signal });
        const { url, certificatePem } = portal();
        const server = `${url}${document.key}/kubeconfig/proxy`;
        const filename = `${request.parameter("name")}${elevated ? "-elevated" : ""}.kubeconfig`;
        return {
          status: 200,
          // The kubeconfig is sent as text without a final newline, so that the admin API returns the same bytes as the portal.
          text: [portalKubeconfig(server, certificatePem, token)],
          headers: {
            "content-type": "application/json",
            "content-disposition": `attachment; filename="${filename}"`,
          },
        };
      },
    }),
  );
}

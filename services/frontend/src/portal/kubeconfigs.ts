import { CloudError } from "@keelson/arm";
import { serviceAction } from "../admin-actions/running/admin-action.ts";
import type { Route } from "../http/route.ts";
import { openSession, personOf } from "./session.ts";

const sixHours = 21_600;

/** A kubeconfig that goes through the portal for six hours. */
export const newKubeconfig: Route = kubeconfigRoute("kubeconfig/new", false);

/** One with all rights. The portal decides who may have it. */
export const newElevatedKubeconfig: Route = kubeconfigRoute("kubeconfig/newelevated", true);

function kubeconfigRoute(suffix: string, elevated: boolean): Route {
  return serviceAction<{ readonly username: string }>(
    { method: "POST", suffix },
    ({ portal, database }, request) => ({
      read() {
        if (!portal) {
          throw new CloudError(
            "InternalServerError",
            "Portal serving certificate is not available; the kubeconfig endpoint is disabled.",
            { status: 503 },
          );
        }
        return { username: personOf(request) };
      },
      async handle({ document, signal }, { username }) {
        if (!portal) throw new Error("there is no portal");
        const session = { username, id: document.key, kubeconfig: { elevated } };
        const token = await openSession(database, { portal: session, ttlSeconds: sixHours }, signal);
        const server = `${portal.url}${document.key}/kubeconfig/proxy`;
        const filename = `${request.parameter("name")}${elevated ? "-elevated" : ""}.kubeconfig`;
        return {
          status: 200,
          // To the byte what the portal gives, without a line's end.
          text: [portalKubeconfig(server, portal.certificatePem, token)],
          headers: {
            "content-type": "application/json",
            "content-disposition": `attachment; filename="${filename}"`,
          },
        };
      },
    }),
  );
}

/** A kubeconfig in JSON, member by member as the portal itself makes it. */
export function portalKubeconfig(server: string, certificatePem: string, token: string): string {
  return JSON.stringify(
    {
      kind: "Config",
      apiVersion: "v1",
      preferences: {},
      clusters: [
        {
          name: "cluster",
          cluster: { server, "certificate-authority-data": Buffer.from(certificatePem).toString("base64") },
        },
      ],
      users: [{ name: "user", user: { token } }],
      contexts: [{ name: "context", context: { cluster: "cluster", user: "user", namespace: "default" } }],
      "current-context": "context",
    },
    null,
    4,
  );
}

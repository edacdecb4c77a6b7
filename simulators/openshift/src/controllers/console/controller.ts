import type { KubeObject } from "@keelson/apiserver";
import { type Controller, done, named, type Result, timestamp, watchFor } from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { ensureObject, writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const consoleKey: ObjectKey = { name: "console" };

/** Simulates the visible results of the console operator: the console route and the published URL. */
export const consoleOperator: Controller<Cluster> = {
  name: "console",
  watches: [
    watchFor(resources.clusterOperators, consoleKey, { where: named("console") }),
    watchFor(resources.consoleConfigs, consoleKey),
  ],
  reconcile: reconcileConsole,
};

async function reconcileConsole(_key: ObjectKey, { client, settings, clock }: Cluster): Promise<Result> {
  const operator = await client.find(resources.clusterOperators, { name: "console" });
  if (conditionStatus(operator, "Available") !== "True") return done;
  const host = `console-openshift-console.apps.${settings.domain}`;
  const consoleURL = `https://${host}`;
  await ensureObject(client, resources.routes, consoleRoute(host, `apps.${settings.domain}`, clock.now()));
  await ensureObject(client, resources.configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "openshift-config-managed", name: "console-public" },
    data: { consoleURL },
  });
  const config = await client.find(resources.consoleConfigs, { name: "cluster" });
  if (config) await writeStatus(client, resources.consoleConfigs, config, { consoleURL });
  return done;
}

function consoleRoute(host: string, routerDomain: string, now: Date): KubeObject {
  return {
    apiVersion: "route.openshift.io/v1",
    kind: "Route",
    metadata: { namespace: "openshift-console", name: "console", labels: { app: "console" } },
    spec: {
      host,
      port: { targetPort: "https" },
      tls: { insecureEdgeTerminationPolicy: "Redirect", termination: "reencrypt" },
      to: { kind: "Service", name: "console", weight: 100 },
      wildcardPolicy: "None",
    },
    status: {
      ingress: [
        {
          conditions: [{ type: "Admitted", status: "True", lastTransitionTime: timestamp(now) }],
          host,
          routerCanonicalHostname: `router-default.${routerDomain}`,
          routerName: "default",
          wildcardPolicy: "None",
        },
      ],
    },
  };
}

import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { type Controller, done, keyOf, type Result, timestamp, watchMapped } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { writeStatus } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const routerName = "default";

/** Simulates the default router. It admits a route unless an older route has the same host and path. */
export const router: Controller<Cluster> = {
  name: "router",
  watches: [
    // Also reconciles the routes that have the same host as the changed route, because their admission can change.
    watchMapped(resources.routes, (route, { cache }: Cluster) => {
      const host = stringAt(route, "spec", "host");
      const routes = cache.informer(resources.routes).list();
      const rivals = routes.filter((each) => stringAt(each, "spec", "host") === host);
      return [route, ...rivals].map(keyOf);
    }),
  ],
  reconcile: admitRoute,
};

async function admitRoute(key: ObjectKey, { client, settings, clock }: Cluster): Promise<Result> {
  const route = await client.find(resources.routes, key);
  if (!route) return done;
  const { items } = await client.list(resources.routes);
  const owner = items.filter((each) => claims(each) === claims(route)).sort(byAge)[0] ?? route;
  const condition =
    owner.metadata.uid === route.metadata.uid
      ? { type: "Admitted", status: "True" }
      : {
          type: "Admitted",
          status: "False",
          reason: "HostAlreadyClaimed",
          message: `route ${owner.metadata.name} already exposes ${stringAt(route, "spec", "host")} and is older`,
        };
  const before = listAt(route, "status", "ingress").find(
    (each) => stringAt(each, "routerName") === routerName,
  );
  const known = listAt(before, "conditions")[0];
  const since =
    stringAt(known, "status") === condition.status ? stringAt(known, "lastTransitionTime") : undefined;
  const ingress = {
    host: stringAt(route, "spec", "host"),
    routerName,
    routerCanonicalHostname: `router-${routerName}.apps.${settings.domain}`,
    wildcardPolicy: stringAt(route, "spec", "wildcardPolicy") ?? "None",
    conditions: [{ ...condition, lastTransitionTime: since ?? timestamp(clock.now()) }],
  };
  const others = listAt(route, "status", "ingress").filter(
    (each) => stringAt(each, "routerName") !== routerName,
  );
  await writeStatus(client, resources.routes, route, { ingress: [ingress, ...others] });
  return done;
}

function claims(route: KubeObject): string {
  return `${stringAt(route, "spec", "host")}${stringAt(route, "spec", "path") ?? "/"}`;
}

function byAge(a: KubeObject, b: KubeObject): number {
  const ages = [a, b].map(({ metadata }) => `${metadata.creationTimestamp} ${metadata.uid}`);
  return (ages[0] ?? "") < (ages[1] ?? "") ? -1 : 1;
}

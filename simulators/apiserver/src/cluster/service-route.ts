import { type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import type { RevisionStore } from "../storage/revision-store.ts";
import {
  type NetworkAddress,
  type ServiceRoute,
  WebhookFailure,
  type WebhookService,
} from "../webhooks/webhook-client.ts";

/** Returns a route that resolves a Service to a ready address in the stored Endpoints. */
export function endpointRoute(store: RevisionStore): ServiceRoute {
  return ({ namespace, name, port }) => {
    const key = `${namespace}/${name}`;
    const service = store.get("/services", key)?.object;
    if (!service) throw new WebhookFailure(`service "${name}" not found`);
    const portName = portNameOf(service, name, port);
    if (scalarStringAt(service, "spec", "type") === "ExternalName") {
      return { host: scalarStringAt(service, "spec", "externalName"), port };
    }
    const found = addressOf(store.get("/endpoints", key)?.object, portName);
    if (!found) throw new WebhookFailure(`no endpoints available for service "${name}"`);
    return found;
  };
}

/** Replaceable Service route of a cluster. A component that runs the cluster's workloads can install a direct route. */
export class ReplaceableRoute {
  #route: ServiceRoute;

  constructor(route: ServiceRoute) {
    this.#route = route;
  }

  replace(route: ServiceRoute): void {
    this.#route = route;
  }

  readonly find: ServiceRoute = (service: WebhookService) => this.#route(service);
}

function portNameOf(service: KubeObject, name: string, port: number): string {
  const found = listAt(service, "spec", "ports").find(
    (each) => scalarStringAt(each, "port") === String(port),
  );
  if (!found) throw new WebhookFailure(`no service port ${port} found for service "${name}"`);
  return scalarStringAt(found, "name");
}

function addressOf(endpoints: KubeObject | undefined, portName: string): NetworkAddress | undefined {
  for (const subset of listAt(endpoints, "subsets")) {
    const port = listAt(subset, "ports").find((each) => scalarStringAt(each, "name") === portName);
    const [address] = listAt(subset, "addresses");
    if (port && address)
      return { host: scalarStringAt(address, "ip"), port: Number(scalarStringAt(port, "port")) };
  }
  return undefined;
}

import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import type { Evaluator } from "./evaluator.ts";
import { objectCountName, one, wholeQuantity } from "./object-count.ts";

const countName = objectCountName("", "services");
const tracked: ReadonlySet<string> = new Set([
  countName,
  "services",
  "services.nodeports",
  "services.loadbalancers",
]);

/**
 * Quota usage of Services.
 * @see kubernetes/kubernetes pkg/quota/v1/evaluator/core/services.go
 */
export const serviceEvaluator: Evaluator = {
  tracks: (name) => tracked.has(name),
  isChargedAgain: () => true,
  isFreed: (service, current) =>
    nodePorts(service) < nodePorts(current) || balancers(service) < balancers(current),
  usage: (service) =>
    new Map([
      [countName, one],
      ["services", one],
      ["services.nodeports", wholeQuantity(nodePorts(service))],
      ["services.loadbalancers", wholeQuantity(balancers(service))],
    ]),
};

function balancers(service: unknown): number {
  return scalarStringAt(service, "spec", "type") === "LoadBalancer" ? 1 : 0;
}

/** Returns the number of node ports that a Service has or will get. */
function nodePorts(service: unknown): number {
  const ports = listAt(service, "spec", "ports");
  const type = scalarStringAt(service, "spec", "type");
  if (type === "NodePort") return ports.length;
  if (type !== "LoadBalancer") return 0;
  const allocates = valueAt(service, "spec", "allocateLoadBalancerNodePorts") !== false;
  return allocates ? ports.length : ports.filter((port) => valueAt(port, "nodePort")).length;
}

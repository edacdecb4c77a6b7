import { failures, fieldError, internalError, numberOrZeroAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import { mayHaveNodePorts, needsHealthCheckPort, needsNodePorts, nodePortsOf } from "./service-needs.ts";
import type { ServicePools } from "./service-pools.ts";

type Spec = Readonly<Record<string, unknown>>;

/**
 * Allocates the node ports that a Service's type needs.
 * @throws StatusError 422, 500 if the range is exhausted
 * @see kubernetes/kubernetes pkg/registry/core/service/storage/alloc.go (initNodePorts, updateNodePorts)
 */
export function withNodePorts(name: string, spec: Spec, before: Spec | undefined, pools: ServicePools): Spec {
  if (!mayHaveNodePorts(spec)) return spec;
  const ports = before
    ? portsOfUpdated(name, spec, nodePortsOf(before), pools)
    : portsOfNew(name, spec, pools);
  const result = { ...spec, ports };
  const needed = before !== undefined && needsHealthCheckPort(before);
  return needed || !needsHealthCheckPort(spec) ? result : withHealthCheckPort(result, pools);
}

/**
 * Allocates the node ports of a new Service. Two protocols of the same port share a node port, unless the ports specify different
 * node ports.
 */
function portsOfNew(name: string, spec: Spec, pools: ServicePools): readonly unknown[] {
  const ports = listAt(spec, "ports");
  const shared = new Map<number, number>();
  const asked = new Map<number, number>();
  for (const port of ports) {
    const [number, nodePort] = [numberOrZeroAt(port, "port"), numberOrZeroAt(port, "nodePort")];
    if (nodePort !== 0 && !asked.has(number)) asked.set(number, nodePort);
  }
  return ports.map((port, at) => {
    const [number, own] = [numberOrZeroAt(port, "port"), numberOrZeroAt(port, "nodePort")];
    if (own === 0 && !needsNodePorts(spec)) return port;
    const known = shared.get(number);
    if (known !== undefined) {
      if (own !== 0 && own !== known) take(name, at, own, pools);
      return { ...objectAt(port), nodePort: own || known };
    }
    const first = asked.get(number);
    if (first !== undefined) take(name, at, first, pools);
    const nodePort = first ?? any(pools);
    shared.set(number, nodePort);
    return { ...objectAt(port), nodePort };
  });
}

/**
 * Keeps the node ports in the update and allocates missing node ports. Duplicates in the update are not rejected here, because
 * validation reports them.
 */
function portsOfUpdated(
  name: string,
  spec: Spec,
  had: readonly number[],
  pools: ServicePools,
): readonly unknown[] {
  const taken = new Set(had);
  return listAt(spec, "ports").map((port, at) => {
    const own = numberOrZeroAt(port, "nodePort");
    if (own === 0) return needsNodePorts(spec) ? { ...objectAt(port), nodePort: any(pools) } : port;
    if (!taken.has(own)) take(name, at, own, pools);
    taken.add(own);
    return port;
  });
}

function take(name: string, at: number, port: number, pools: ServicePools): void {
  const why = pools.takePort(port);
  if (!why) return;
  const cause = fieldError.invalid(`spec.ports[${at}].nodePort`, port, why);
  throw failures.invalid({ group: "", kind: "Service" }, name, [cause]);
}

function any(pools: ServicePools): number {
  const port = pools.nextPort();
  if (port === undefined) throw internalError("failed to allocate a nodePort: range is full");
  return port;
}

/** Allocates the health check port. Load balancers use it to check if a node has endpoints of the Service. */
function withHealthCheckPort(spec: Spec, pools: ServicePools): Spec {
  const asked = numberOrZeroAt(spec, "healthCheckNodePort");
  const why = asked === 0 ? undefined : pools.takePort(asked);
  if (why) throw internalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${why}`);
  const healthCheckNodePort = asked || pools.nextPort();
  if (healthCheckNodePort === undefined)
    throw internalError("failed to allocate a HealthCheck NodePort 0: range is full");
  return { ...spec, healthCheckNodePort };
}

import { numberOrZeroAt, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt } from "@keelson/base";
import {
  isExternallyAccessible,
  isLoadBalancer,
  mayHaveNodePorts,
  needsClusterIp,
  needsHealthCheckPort,
  needsNodePorts,
  nodePortsOf,
  sameMember,
} from "./service-needs.ts";

type Spec = Readonly<Record<string, unknown>>;

/**
 * Restores allocated values that an update omits.
 * @see kubernetes/kubernetes pkg/registry/core/service/storage/storage.go (patchAllocatedValues)
 */
export function carriedOver(spec: Spec, before: Spec): Spec {
  let result = spec;
  if (needsClusterIp(before) && needsClusterIp(spec)) {
    const clusterIP = scalarStringAt(spec, "clusterIP") || before.clusterIP;
    const takes = listAt(spec, "clusterIPs").length === 0 && clusterIP === before.clusterIP;
    result = { ...result, clusterIP, ...(takes ? { clusterIPs: before.clusterIPs } : {}) };
  }
  if (needsNodePorts(before) && needsNodePorts(spec))
    result = { ...result, ports: portsCarriedOver(spec, before) };
  if (
    needsHealthCheckPort(before) &&
    needsHealthCheckPort(spec) &&
    !numberOrZeroAt(spec, "healthCheckNodePort")
  )
    result = { ...result, healthCheckNodePort: before.healthCheckNodePort };
  return result;
}

/**
 * Restores node ports by port name. Two protocols may share a node port, so one node port may be restored for two ports. A node
 * port that the update itself specifies is not restored.
 */
function portsCarriedOver(spec: Spec, before: Spec): readonly unknown[] {
  const had = new Set(nodePortsOf(before));
  const used = new Set(nodePortsOf(spec).filter((port) => had.has(port)));
  const byName = new Map(
    listAt(before, "ports").map((port) => [scalarStringAt(port, "name"), numberOrZeroAt(port, "nodePort")]),
  );
  return listAt(spec, "ports").map((port) => {
    const known = byName.get(scalarStringAt(port, "name")) ?? 0;
    if (numberOrZeroAt(port, "nodePort") !== 0 || known === 0 || used.has(known)) return port;
    return { ...objectAt(port), nodePort: known };
  });
}

/**
 * Synchronizes `clusterIP` with the first entry of `clusterIPs`, because old clients change only `clusterIP`.
 * @see kubernetes/kubernetes pkg/registry/core/service/storage/storage.go (normalizeClusterIPs)
 */
export function withAgreeingAddresses(spec: Spec, before: Spec | undefined): Spec {
  const [one, all] = [scalarStringAt(spec, "clusterIP"), listAt(spec, "clusterIPs")];
  if (!before) return one !== "" && all.length === 0 ? { ...spec, clusterIPs: [one] } : spec;
  const was = scalarStringAt(before, "clusterIP");
  if (one === was) {
    return all.length === 0 && one !== "" ? { ...spec, clusterIPs: before.clusterIPs } : spec;
  }
  if (all.length > 0 && !sameMember(spec, before, "clusterIPs")) return spec;
  return { ...spec, clusterIPs: one === "" ? undefined : [one] };
}

/**
 * Removes unchanged fields that the Service's new type does not use.
 * @see kubernetes/kubernetes pkg/registry/core/service/strategy.go (dropTypeDependentFields)
 */
export function withoutUnused(spec: Spec, before: Spec): Spec {
  const result: Record<string, unknown> = { ...spec };
  const dropSame = (...members: readonly string[]) => {
    for (const member of members) if (sameMember(spec, before, member)) delete result[member];
  };
  if (needsClusterIp(before) && !needsClusterIp(spec)) {
    if (sameMember(spec, before, "clusterIPs")) delete result.clusterIP;
    dropSame("clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");
  }
  if (mayHaveNodePorts(before) && !mayHaveNodePorts(spec) && sameNodePorts(spec, before))
    result.ports = listAt(spec, "ports").map(withoutNodePort);
  if (needsHealthCheckPort(before) && !needsHealthCheckPort(spec)) dropSame("healthCheckNodePort");
  if (isLoadBalancer(before) && !isLoadBalancer(spec))
    dropSame("allocateLoadBalancerNodePorts", "loadBalancerClass");
  if (isExternallyAccessible(before) && !isExternallyAccessible(spec)) dropSame("externalTrafficPolicy");
  return result;
}

function sameNodePorts(spec: Spec, before: Spec): boolean {
  const [now, was] = [new Set(nodePortsOf(spec)), new Set(nodePortsOf(before))];
  return now.size === was.size && [...now].every((port) => was.has(port));
}

function withoutNodePort(port: unknown): unknown {
  const { nodePort: _, ...rest } = objectAt(port);
  return rest;
}

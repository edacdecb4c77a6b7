import { numberOrZeroAt, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";

/** Spec of a Service. */
type Spec = Readonly<Record<string, unknown>>;

export function isHeadless(spec: Spec): boolean {
  return listAt(spec, "clusterIPs")[0] === "None";
}

export function needsClusterIp(spec: Spec): boolean {
  return ["ClusterIP", "NodePort", "LoadBalancer"].includes(scalarStringAt(spec, "type"));
}

export function mayHaveNodePorts(spec: Spec): boolean {
  return spec.type === "NodePort" || isLoadBalancer(spec);
}

/** True if each port needs a node port. */
export function needsNodePorts(spec: Spec): boolean {
  return spec.type === "NodePort" || (isLoadBalancer(spec) && spec.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort(spec: Spec): boolean {
  return isLoadBalancer(spec) && spec.externalTrafficPolicy === "Local";
}

export function isLoadBalancer(spec: Spec): boolean {
  return spec.type === "LoadBalancer";
}

/** True if the Service is reachable from outside the cluster. */
export function isExternallyAccessible(spec: Spec): boolean {
  return mayHaveNodePorts(spec) || (spec.type === "ClusterIP" && listAt(spec, "externalIPs").length > 0);
}

export function nodePortsOf(spec: Spec): readonly number[] {
  return listAt(spec, "ports").flatMap((port) => numberOrZeroAt(port, "nodePort") || []);
}

/** True if a field is equal in two specs. An empty value equals an unset value. */
export function sameMember(a: Spec, b: Spec, member: string): boolean {
  const [one, other] = [a[member], b[member]].map((each) =>
    each === "" || (Array.isArray(each) && each.length === 0) ? undefined : each,
  );
  return sameJson(one, other);
}

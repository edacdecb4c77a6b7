import { arrayAt, sameJson, textAt, valueAt } from "@keelson/apimachinery";

/** What the spec of a Service says by its type. */
type Spec = Readonly<Record<string, unknown>>;

export function isHeadless(spec: Spec): boolean {
  return arrayAt(spec, "clusterIPs")[0] === "None";
}

export function needsClusterIp(spec: Spec): boolean {
  return ["ClusterIP", "NodePort", "LoadBalancer"].includes(textAt(spec, "type"));
}

export function mayHaveNodePorts(spec: Spec): boolean {
  return spec.type === "NodePort" || isLoadBalancer(spec);
}

/** Whether each port gets one of the nodes' too. */
export function needsNodePorts(spec: Spec): boolean {
  return spec.type === "NodePort" || (isLoadBalancer(spec) && spec.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheckPort(spec: Spec): boolean {
  return isLoadBalancer(spec) && spec.externalTrafficPolicy === "Local";
}

export function isLoadBalancer(spec: Spec): boolean {
  return spec.type === "LoadBalancer";
}

/** Whether traffic from outside of the cluster is meant for it. */
export function isExternallyAccessible(spec: Spec): boolean {
  return mayHaveNodePorts(spec) || (spec.type === "ClusterIP" && arrayAt(spec, "externalIPs").length > 0);
}

export function nodePortsOf(spec: Spec): readonly number[] {
  return arrayAt(spec, "ports").flatMap((port) => numberAt(port, "nodePort") || []);
}

/** A number of a member, 0 where there is none. */
export function numberAt(value: unknown, member: string): number {
  const found = valueAt(value, member);
  return typeof found === "number" ? found : 0;
}

/** Whether lists or values of two specs are the same; an empty one is as none. */
export function sameMember(a: Spec, b: Spec, member: string): boolean {
  const [one, other] = [a[member], b[member]].map((each) =>
    each === "" || (Array.isArray(each) && each.length === 0) ? undefined : each,
  );
  return sameJson(one, other);
}

import type { KubeObject } from "@keelson/apiserver";
import { listAt, textAt } from "../../base/fields.ts";

/** Of a private network address in the place of a public one (cloud-provider-azure). */
const internalAnnotation = "service.beta.kubernetes.io/azure-load-balancer-internal";
const addressAnnotation = "service.beta.kubernetes.io/azure-load-balancer-ipv4";

/** Networks that no machine of a simulated cluster is in: 198.18.0.0/15 is for benchmarks (RFC 2544). */
const networks = { external: "198.18", internal: "10.255" } as const;
const firstHost = 10;
const lastHost = 65_534;

/** Whether the cloud's load balancer is to serve a Service; one with a class belongs to another controller. */
export function wantsLoadBalancer(service: KubeObject): boolean {
  return (
    textAt(service, "spec", "type") === "LoadBalancer" &&
    !textAt(service, "spec", "loadBalancerClass") &&
    service.metadata.deletionTimestamp === undefined
  );
}

/** The address that a Service has. */
export function addressOf(service: KubeObject): string | undefined {
  return textAt(listAt(service, "status", "loadBalancer", "ingress")[0], "ip");
}

/**
 * The address for a Service: the one that it asks for, then the one that it has, then the first that is free.
 * `undefined` when another Service has what it asks for, or all are taken.
 */
export function chooseAddress(
  service: KubeObject,
  taken: Pick<ReadonlySet<string>, "has">,
): string | undefined {
  const { annotations } = service.metadata;
  const asked = annotations?.[addressAnnotation] || textAt(service, "spec", "loadBalancerIP");
  if (asked) return taken.has(asked) ? undefined : asked;
  const network = networks[annotations?.[internalAnnotation] === "true" ? "internal" : "external"];
  const present = addressOf(service);
  if (present?.startsWith(`${network}.`) && !taken.has(present)) return present;
  for (let host = firstHost; host <= lastHost; host++) {
    const address = `${network}.${host >> 8}.${host & 0xff}`;
    if (!taken.has(address)) return address;
  }
  return undefined;
}

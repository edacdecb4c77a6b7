import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";

/** Annotation that requests a private address (cloud-provider-azure). */
const internalAnnotation = "service.beta.kubernetes.io/azure-load-balancer-internal";
const addressAnnotation = "service.beta.kubernetes.io/azure-load-balancer-ipv4";

/** Address prefixes that no simulated machine uses. RFC 2544 reserves 198.18.0.0/15 for benchmarks. */
const networks = { external: "198.18", internal: "10.255" } as const;
const firstHost = 10;
const lastHost = 65_534;

/** True if the Service needs a cloud load balancer. A Service with a load balancer class belongs to a different controller. */
export function wantsLoadBalancer(service: KubeObject): boolean {
  return (
    stringAt(service, "spec", "type") === "LoadBalancer" &&
    !stringAt(service, "spec", "loadBalancerClass") &&
    service.metadata.deletionTimestamp === undefined
  );
}

/** Returns the current load balancer address of a Service. */
export function addressOf(service: KubeObject): string | undefined {
  return stringAt(listAt(service, "status", "loadBalancer", "ingress")[0], "ip");
}

/**
 * Selects the address of a Service: the requested address, the current address or the first free address. Returns `undefined` if
 * the requested address is in use or no address is free.
 */
export function chooseAddress(
  service: KubeObject,
  taken: Pick<ReadonlySet<string>, "has">,
): string | undefined {
  const { annotations } = service.metadata;
  const asked = annotations?.[addressAnnotation] || stringAt(service, "spec", "loadBalancerIP");
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

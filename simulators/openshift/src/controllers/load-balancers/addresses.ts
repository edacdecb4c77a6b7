import type { KubeObject } from "@keelson/apiserver";
import { listAt, textAt } from "../../base/fields.ts";

/** Requests a private address (cloud-provider-azure). */
const internalAnnotation = "service.beta.kubernetes.io/azure-load-balancer-internal";
const addressAnnotation = "service.beta.kubernetes.io/azure-load-balancer-ipv4";

/** Networks without machines of a simulated cluster: 198.18.0.0/15 is reserved for benchmarks (RFC 2544). */
const networks = { external: "198.18", internal: "10.255" } as const;
const firstHost = 10;
const lastHost = 65_534;

/**
 * True if the cloud's load balancer must serve the Service. A Service with a class belongs to a different
 * controller.
 */
export function wantsLoadBalancer(service: KubeObject): boolean {
  return (
    textAt(service, "spec", "type") === "LoadBalancer" &&
    !textAt(service, "spec", "loadBalancerClass") &&
    service.metadata.deletionTimestamp === undefined
  );
}

/** Current address of a Service. */
export function addressOf(service: KubeObject): string | undefined {
  return textAt(listAt(service, "status", "loadBalancer", "ingress")[0], "ip");
}

/**
 * Chooses the address of a Service: the requested one, else the current one, else the first free one. Returns
 * `undefined` if the requested address is in use or no address is free.
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

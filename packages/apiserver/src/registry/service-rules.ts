import { createHash } from "node:crypto";
import { arrayAt, recordAt, textAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { fieldError } from "../status/field-error.ts";
import type { StatusCause } from "../status/status-error.ts";
import type { RuleContext } from "./kind-rules.ts";

/** Fills in what kube-apiserver defaults in a Service, and gives it an address of the service network. */
export function completeService(
  service: KubeObject,
  current: KubeObject | undefined,
  { store }: Pick<RuleContext, "store">,
): KubeObject {
  const spec = recordAt(service, "spec");
  const type = textAt(spec, "type") || "ClusterIP";
  const ports = arrayAt(spec, "ports").map((port) => ({
    protocol: "TCP",
    targetPort: valueAt(port, "port"),
    ...recordAt(port),
  }));
  const { clusterIP: _address, clusterIPs: _addresses, ...wanted } = spec;
  const common = {
    sessionAffinity: "None",
    ...wanted,
    type,
    ...(ports.length > 0 ? { ports } : {}),
  };
  const status = service.status ?? { loadBalancer: {} };
  if (type === "ExternalName") return { ...service, spec: common, status };
  const taken = () =>
    new Set(store.range("/services", "").map(({ object }) => textAt(object, "spec", "clusterIP")));
  const clusterIP =
    textAt(spec, "clusterIP") ||
    textAt(current, "spec", "clusterIP") ||
    freeAddress(service.metadata.uid ?? service.metadata.name, taken());
  return {
    ...service,
    spec: {
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ...common,
      clusterIP,
      clusterIPs: [clusterIP],
    },
    status,
  };
}

/** The address is for life, as long as the service has one. */
export function validateService(
  service: KubeObject,
  current: KubeObject | undefined,
): readonly StatusCause[] {
  const before = textAt(current, "spec", "clusterIP");
  const now = textAt(service, "spec", "clusterIP");
  if (!before || !now || before === now) return [];
  return [fieldError.invalid("spec.clusterIPs[0]", [now], "may not change once set")];
}

/** An address of 172.30.0.0/16, the service network of OpenShift's installer, that no service has. */
function freeAddress(seed: string, taken: ReadonlySet<string>): string {
  const first = createHash("sha256").update(seed).digest().readUInt16BE();
  for (let offset = 0; offset < 65_536; offset++) {
    const host = (first + offset) % 65_536;
    const address = `172.30.${host >> 8}.${host & 0xff}`;
    // The first addresses belong to the API server and to DNS, the last is the broadcast address.
    if (host > 10 && host < 65_535 && !taken.has(address)) return address;
  }
  return "";
}

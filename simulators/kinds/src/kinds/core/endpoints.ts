import { numberOrZeroAt, scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { familyOf, ipAddress } from "../../catalogue/addresses.ts";
import { dnsLabel, dnsSubdomain, oneOf, port, qualifiedName, required } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { few } from "../../columns/address-text.ts";
import { ageColumn, nameColumn, text } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

/**
 * Built-in kind Endpoints. Loopback addresses are accepted, because this server's clusters run on the local machine. Source of
 * its rules: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go (ValidateEndpoints).
 */
export const endpoints: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Endpoints",
  plural: "endpoints",
  shortNames: ["ep"],
  namespaced: true,
  strategy: { createsOnUpdate: true },
  columns: [
    nameColumn,
    text("Endpoints", (endpoints) => {
      const all = listAt(endpoints, "subsets").flatMap((subset) => {
        const addresses = listAt(subset, "addresses").map((address) => scalarStringAt(address, "ip"));
        const ports = listAt(subset, "ports").map((port) => numberOrZeroAt(port, "port"));
        return ports.length === 0
          ? addresses
          : ports.flatMap((port) => addresses.map((ip) => hostPort(ip, port)));
      });
      return few(all, 3, ",") || "<none>";
    }),
    ageColumn,
  ],
  types: {
    defaults: `
core.v1.EndpointPort protocol="TCP"
`,
    checks: {
      "core.v1.EndpointSubset": [
        ["", someAddress],
        ["addresses"],
        ["notReadyAddresses"],
        ["ports", portNames],
      ],
      "core.v1.EndpointAddress": [
        ["ip", subsetAddress],
        ["hostname", dnsLabel],
        ["nodeName", dnsSubdomain],
      ],
      "core.v1.EndpointPort": [
        ["name", dnsLabel],
        ["port", (value, findings) => port(value ?? 0, findings)],
        ["protocol", required, oneOf("SCTP", "TCP", "UDP")],
        ["appProtocol", qualifiedName],
      ],
    },
    ownership: `
core.v1.EndpointAddress =!
core.v1.EndpointPort =!
`,
    protobuf: `
core.v1.EndpointAddress ip=1* hostname=3 nodeName=4* targetRef=2
core.v1.EndpointPort name=1 port=2* protocol=3 appProtocol=4*
core.v1.EndpointSubset addresses=1 notReadyAddresses=2 ports=3
core.v1.Endpoints metadata=1 subsets=2
`,
    enums: `
core.v1.EndpointPort.protocol SCTP|TCP|UDP
`,
  },
};

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function someAddress(subset: unknown, findings: Findings): void {
  if (listAt(subset, "addresses").length + listAt(subset, "notReadyAddresses").length === 0)
    findings.required("must specify `addresses` or `notReadyAddresses`");
}

function portNames(value: unknown, findings: Findings): void {
  const ports = Array.isArray(value) ? value : [];
  for (const [at, each] of ports.entries())
    if (ports.length > 1 && scalarStringAt(each, "name") === "") findings.required("", at, "name");
}

function subsetAddress(value: unknown, findings: Findings): void {
  const text = typeof value === "string" ? value : "";
  const why = ipAddress(text);
  if (why) findings.invalid(text, why);
  // kube-apiserver reports two errors for an invalid address.
  if (!familyOf(text)) findings.invalid(text, "must be a valid IP address");
}

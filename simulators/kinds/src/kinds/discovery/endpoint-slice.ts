import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt, valueAt } from "@keelson/base";
import { ipText, parseIp } from "@keelson/cel";
import { familyOf, ipAddress } from "../../catalogue/addresses.ts";
import { immutable } from "../../catalogue/changes.ts";
import { dnsLabel, dnsSubdomain, oneOf, qualifiedName, required } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { dnsSubdomain as subdomain } from "../../catalogue/names.ts";
import { few } from "../../columns/address-text.ts";
import { ageColumn, nameColumn, text, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

const maxEndpoints = 1_000;
const maxAddresses = 100;
const maxHints = 8;

/**
 * Built-in kind EndpointSlice. Loopback addresses are accepted, because this server's clusters run on the local machine. Source
 * of its rules: kubernetes pkg/apis/discovery/v1/defaults.go and pkg/apis/discovery/validation/validation.go.
 */
export const endpointSlice: Kind = {
  group: "discovery.k8s.io",
  versions: ["v1"],
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
  strategy: { generation: { countsMetadata: "labels" } },
  columns: [
    nameColumn,
    textOf("AddressType", "addressType"),
    text(
      "Ports",
      (slice) =>
        few(
          listAt(slice, "ports").map((port) => String(valueAt(port, "port") ?? "*")),
          3,
          ",",
        ) || "<unset>",
    ),
    text("Endpoints", (slice) => {
      const addresses = listAt(slice, "endpoints").flatMap((endpoint) =>
        listAt(endpoint, "addresses").map(String),
      );
      return few(addresses, 3, ",") || "<unset>";
    }),
    ageColumn,
  ],
  types: {
    defaults: `
discovery.v1.Endpoint conditions={}
discovery.v1.EndpointPort name="" protocol="TCP"
`,
    checks: {
      "discovery.v1.EndpointSlice": [
        ["addressType", required, oneOf("FQDN", "IPv4", "IPv6")],
        ["", addressesOfEndpoints],
        ["endpoints"],
        ["ports", distinct("name", true)],
      ],
      "discovery.v1.Endpoint": [["nodeName", dnsSubdomain], ["hostname", dnsLabel], ["hints"]],
      "discovery.v1.EndpointHints": [
        ["forZones", atMost(maxHints), distinct("name", false)],
        ["forNodes", atMost(maxHints), distinct("name", false)],
      ],
      "discovery.v1.ForNode": [["name", dnsSubdomain]],
      "discovery.v1.EndpointPort": [
        ["name", dnsLabel],
        ["protocol", oneOf("SCTP", "TCP", "UDP")],
        ["appProtocol", qualifiedName],
      ],
    },
    changes: {
      "discovery.v1.EndpointSlice": immutable("addressType"),
    },
    ownership: `
discovery.v1.Endpoint addresses=
discovery.v1.EndpointPort =!
`,
    protobuf: `
discovery.v1.Endpoint addresses=1 conditions=2 hostname=3* targetRef=4 deprecatedTopology=5 nodeName=6* zone=7* hints=8
discovery.v1.EndpointConditions ready=1* serving=2* terminating=3*
discovery.v1.EndpointHints forZones=1 forNodes=2
discovery.v1.EndpointPort name=1* protocol=2* port=3* appProtocol=4*
discovery.v1.EndpointSlice metadata=1 addressType=4* endpoints=2 ports=3
discovery.v1.ForNode name=1*
discovery.v1.ForZone name=1*
`,
    enums: `
discovery.v1.EndpointPort.protocol SCTP|TCP|UDP
discovery.v1.EndpointSlice.addressType FQDN|IPv4|IPv6
`,
  },
};

function addressesOfEndpoints(slice: unknown, findings: Findings): void {
  const type = scalarStringAt(slice, "addressType");
  const endpoints = listAt(slice, "endpoints");
  findings.enter("endpoints");
  if (endpoints.length > maxEndpoints) findings.tooMany(endpoints.length, maxEndpoints);
  else
    for (const [at, endpoint] of endpoints.entries()) {
      if (findings.full) break;
      findings.enter(at);
      findings.enter("addresses");
      addressesOf(stringsAt(endpoint, "addresses"), type, findings);
      findings.leave();
      findings.leave();
    }
  findings.leave();
}

function addressesOf(addresses: readonly string[], type: string, findings: Findings): void {
  if (addresses.length === 0) findings.required("must contain at least 1 address");
  else if (addresses.length > maxAddresses) findings.tooMany(addresses.length, maxAddresses);
  else for (const [at, each] of addresses.entries()) addressOf(each, type, at, findings);
}

function addressOf(address: string, type: string, at: number, findings: Findings): void {
  if (type === "FQDN") {
    const name = address.replace(/\.$/, "");
    const why = subdomain(name);
    if (why) findings.invalid(address, why, at);
    else if (!name.includes("."))
      findings.invalid(address, "should be a domain with at least two segments separated by dots", at);
  } else if (type === "IPv4" || type === "IPv6") {
    const ip = parseIp(address);
    const why = ipAddress(address);
    if (why) findings.invalid(address, why, at);
    else if (ip && ipText(ip) !== address)
      findings.invalid(address, `must be in canonical form ("${ipText(ip)}")`, at);
    if (!why && familyOf(address) !== type) findings.invalid(address, `must be an ${type} address`);
  }
}

/** Rejects duplicate values of the field `member`. If `empty` is true, two unset values also count as duplicates. */
function distinct(member: string, empty: boolean) {
  return (value: unknown, findings: Findings): void => {
    const seen = new Set<string>();
    for (const [at, each] of (Array.isArray(value) ? value : []).entries()) {
      const text = scalarStringAt(each, member);
      if ((empty || text !== "") && seen.has(text)) findings.duplicate(text, at, member);
      seen.add(text);
    }
  };
}

function atMost(most: number) {
  return (value: unknown, findings: Findings): void => {
    if (Array.isArray(value) && value.length > most) findings.tooMany(value.length, most);
  };
}

import { ipText, parseIp } from "../../cel/functions/ip-address.ts";
import { arrayAt, textAt, textsAt } from "../../json/access.ts";
import { familyOf, ipAddress } from "../addresses.ts";
import { immutable } from "../changes.ts";
import { dnsLabel, dnsSubdomain, oneOf, port, qualifiedName, required } from "../checks.ts";
import type { Findings } from "../findings.ts";
import { dnsSubdomain as subdomain } from "../names.ts";
import type { GroupFacts } from "./group-facts.ts";

const maxEndpoints = 1_000;
const maxAddresses = 100;
const maxHints = 8;

/**
 * Endpoints and EndpointSlices. Facts: kubernetes pkg/apis/core/validation/validation.go (ValidateEndpoints) and
 * pkg/apis/discovery/{v1/defaults.go,validation/validation.go}. Addresses of the loopback network are accepted: that is
 * where clusters of this server run.
 */
export const endpointFacts: GroupFacts = {
  defaults: `
core.v1.EndpointPort protocol="TCP"
discovery.v1.EndpointPort name="" protocol="TCP"
`,
  checks: {
    "core.v1.EndpointSubset": [["", someAddress], ["addresses"], ["notReadyAddresses"], ["ports", portNames]],
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
  changes: { "discovery.v1.EndpointSlice": immutable("addressType") },
};

function someAddress(subset: unknown, findings: Findings): void {
  if (arrayAt(subset, "addresses").length + arrayAt(subset, "notReadyAddresses").length === 0)
    findings.required("must specify `addresses` or `notReadyAddresses`");
}

function portNames(value: unknown, findings: Findings): void {
  const ports = Array.isArray(value) ? value : [];
  for (const [at, each] of ports.entries())
    if (ports.length > 1 && textAt(each, "name") === "") findings.required("", at, "name");
}

function subsetAddress(value: unknown, findings: Findings): void {
  const text = typeof value === "string" ? value : "";
  const why = ipAddress(text);
  if (why) findings.invalid(text, why);
  // What is no address at all is said in two ways.
  if (!familyOf(text)) findings.invalid(text, "must be a valid IP address");
}

function atMost(most: number) {
  return (value: unknown, findings: Findings): void => {
    if (Array.isArray(value) && value.length > most) findings.tooMany(value.length, most);
  };
}

/** Items of a list that longer lists than allowed are not judged by; `empty`: an absent name is one too. */
function distinct(member: string, empty: boolean) {
  return (value: unknown, findings: Findings): void => {
    const seen = new Set<string>();
    for (const [at, each] of (Array.isArray(value) ? value : []).entries()) {
      const text = textAt(each, member);
      if ((empty || text !== "") && seen.has(text)) findings.duplicate(text, at, member);
      seen.add(text);
    }
  };
}

function addressesOfEndpoints(slice: unknown, findings: Findings): void {
  const type = textAt(slice, "addressType");
  const endpoints = arrayAt(slice, "endpoints");
  findings.enter("endpoints");
  if (endpoints.length > maxEndpoints) findings.tooMany(endpoints.length, maxEndpoints);
  else
    for (const [at, endpoint] of endpoints.entries()) {
      if (findings.full) break;
      findings.enter(at);
      findings.enter("addresses");
      addressesOf(textsAt(endpoint, "addresses"), type, findings);
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

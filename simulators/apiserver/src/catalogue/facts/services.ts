import { arrayAt, recordAt, textAt, textsAt, valueAt } from "../../json/access.ts";
import {
  isExternallyAccessible,
  isHeadless,
  isLoadBalancer,
  needsHealthCheckPort,
} from "../../services/service-needs.ts";
import { endpointAddress, ipAddress, network } from "../addresses.ts";
import { dnsLabel, labels, oneOf, port, portOrName, required } from "../checks.ts";
import type { Findings } from "../findings.ts";
import { dnsSubdomain, qualifiedNameFaults } from "../names.ts";
import type { Fields, GroupFacts } from "./group-facts.ts";
import { checkAddressChange, checkServiceAddresses } from "./service-addresses.ts";

const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const sourceRangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const topologyMode = "service.kubernetes.io/topology-mode";
const topologyHints = "service.kubernetes.io/topology-aware-hints";
const maxAffinitySeconds = 86_400;

/** Services. Facts: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go (ValidateService). */
export const serviceFacts: GroupFacts = {
  defaults: `
core.v1.ServiceSpec sessionAffinity="None" type="ClusterIP"
core.v1.ServicePort protocol="TCP"
core.v1.Service spec={} status={}
core.v1.ServiceStatus loadBalancer={}
`,
  derived: {
    "core.v1.ServicePort": (entry) => (entry.targetPort ? entry : { ...entry, targetPort: entry.port ?? 0 }),
    "core.v1.ServiceSpec": withSpecDefaults,
  },
  checks: {
    "core.v1.Service": [["", topologyAnnotations], ["spec"], ["", sourceRangesOfAnnotation]],
    "core.v1.ServiceSpec": [
      ["", byType],
      ["ports", portNames],
      ["selector", labels],
      ["sessionAffinity", oneOf("ClientIP", "None")],
      ["sessionAffinityConfig", affinityConfig],
      ["", checkServiceAddresses],
      ["externalIPs", externalAddresses],
      ["type", oneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")],
      ["", distinctPorts],
      ["", sourceRanges],
      ["", onlyOfBalancers],
      ["loadBalancerClass", nonEmptyName],
      ["", trafficPolicies],
      ["internalTrafficPolicy", oneOf("Cluster", "Local")],
      ["trafficDistribution", trafficDistribution],
    ],
    "core.v1.ServicePort": [
      ["name", dnsLabel],
      ["port", portNumber],
      ["protocol", required, oneOf("SCTP", "TCP", "UDP")],
      ["targetPort", portOrName],
      ["appProtocol", nonEmptyName],
    ],
  },
  changes: { "core.v1.Service": serviceChange },
};

function withSpecDefaults(spec: Fields): Fields {
  const result: Record<string, unknown> = { ...spec };
  const type = textAt(spec, "type");
  const { clientIP } = recordAt(spec, "sessionAffinityConfig");
  if (spec.sessionAffinity === "None") delete result.sessionAffinityConfig;
  else if (spec.sessionAffinity === "ClientIP" && valueAt(clientIP, "timeoutSeconds") === undefined)
    result.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  if (!spec.externalTrafficPolicy && isExternallyAccessible(spec)) result.externalTrafficPolicy = "Cluster";
  if (!spec.internalTrafficPolicy && type !== "ExternalName") result.internalTrafficPolicy = "Cluster";
  if (type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts === undefined)
    result.allocateLoadBalancerNodePorts = true;
  return result;
}

function topologyAnnotations(service: unknown, findings: Findings): void {
  const annotations = recordAt(service, "metadata", "annotations");
  const [mode, hints] = [annotations[topologyMode], annotations[topologyHints]];
  if (mode === undefined || hints === undefined || mode === hints) return;
  const why = `must match annotations[${topologyHints}] when both are specified`;
  findings.invalid(mode, why, "metadata", "annotations", `[${topologyMode}]`);
}

function byType(spec: unknown, findings: Findings): void {
  const fields = recordAt(spec);
  const type = textAt(spec, "type");
  if (arrayAt(spec, "ports").length === 0 && !isHeadless(fields) && type !== "ExternalName")
    findings.required("", "ports");
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(fields))
    findings.invalid("None", `may not be set to 'None' for ${type} services`, "clusterIPs", 0);
  if (type !== "ExternalName") return;
  const why = "may not be set for ExternalName services";
  for (const member of ["clusterIPs", "ipFamilies"])
    if (arrayAt(spec, member).length > 0) findings.forbidden(why, member);
  if (fields.ipFamilyPolicy !== undefined) findings.forbidden(why, "ipFamilyPolicy");
  const name = textAt(spec, "externalName").replace(/\.$/, "");
  const wrong = name === "" ? undefined : dnsSubdomain(name);
  if (name === "") findings.required("", "externalName");
  else if (wrong) findings.invalid(name, wrong, "externalName");
}

/** Of several ports each has a name. */
function portNames(value: unknown, findings: Findings): void {
  const ports = Array.isArray(value) ? value : [];
  const seen = new Set<string>();
  for (const [at, entry] of ports.entries()) {
    const name = textAt(entry, "name");
    if (name === "" && ports.length > 1) findings.required("", at, "name");
    if (name !== "" && seen.has(name)) findings.duplicate(name, at, "name");
    seen.add(name);
  }
}

function portNumber(value: unknown, findings: Findings): void {
  port(value ?? 0, findings);
}

/** A qualified name that may be absent, but not empty. */
function nonEmptyName(value: unknown, findings: Findings): void {
  const faults = typeof value === "string" ? qualifiedNameFaults(value) : [];
  for (const why of faults) findings.invalid(value, why);
}

function affinityConfig(value: unknown, findings: Findings): void {
  const seconds = valueAt(value, "clientIP", "timeoutSeconds");
  if (typeof seconds !== "number" || (seconds > 0 && seconds <= maxAffinitySeconds)) return;
  findings.invalid(
    seconds,
    `must be greater than 0 and less than ${maxAffinitySeconds}`,
    "clientIP",
    "timeoutSeconds",
  );
}

function externalAddresses(value: unknown, findings: Findings): void {
  for (const [at, address] of textsAt(value).entries()) {
    const why = ipAddress(address) ?? endpointAddress(address);
    if (why) findings.invalid(address, why, at);
  }
}

function distinctPorts(spec: unknown, findings: Findings): void {
  const ports = arrayAt(spec, "ports");
  const [numbers, nodePorts] = [new Set<string>(), new Set<string>()];
  const isNew = (seen: Set<string>, key: string) => seen.size < seen.add(key).size;
  const plain = textAt(spec, "type") === "ClusterIP";
  for (const [at, entry] of ports.entries()) {
    if (plain && valueAt(entry, "nodePort"))
      findings.forbidden("may not be used when `type` is 'ClusterIP'", "ports", at, "nodePort");
  }
  for (const [at, entry] of ports.entries()) {
    const nodePort = valueAt(entry, "nodePort");
    if (nodePort && !isNew(nodePorts, `${textAt(entry, "protocol")}/${nodePort}`))
      findings.duplicate(nodePort, "ports", at, "nodePort");
  }
  for (const [at, entry] of ports.entries()) {
    const [protocol, number] = [textAt(entry, "protocol"), valueAt(entry, "port")];
    if (isNew(numbers, `${protocol}/${number}`)) continue;
    const shown = {
      Name: "",
      Protocol: protocol,
      AppProtocol: null,
      Port: number,
      TargetPort: 0,
      NodePort: 0,
    };
    findings.duplicate(shown, "ports", at);
  }
}

/** Reports have this spelling of the field. */
const sourceRangesField = "LoadBalancerSourceRanges";

function sourceRanges(spec: unknown, findings: Findings): void {
  const ranges = textsAt(spec, "loadBalancerSourceRanges");
  if (ranges.length === 0) return;
  if (textAt(spec, "type") !== "LoadBalancer") findings.forbidden(onlyBalanced, sourceRangesField);
  else
    for (const [at, range] of ranges.entries()) {
      const why = network(range.trim());
      if (why) findings.invalid(range.trim(), why, sourceRangesField, at);
    }
}

/** The older way to say them, for Services whose field is empty. */
function sourceRangesOfAnnotation(service: unknown, findings: Findings): void {
  const text = valueAt(service, "metadata", "annotations", sourceRangesAnnotation);
  if (typeof text !== "string" || arrayAt(service, "spec", "loadBalancerSourceRanges").length > 0) return;
  const place = ["metadata", "annotations", `[${sourceRangesAnnotation}]`];
  if (textAt(service, "spec", "type") !== "LoadBalancer") {
    findings.forbidden(onlyBalanced, ...place);
    return;
  }
  const ranges = text.trim() === "" ? [] : text.split(",").map((each) => each.trim());
  for (const range of ranges) {
    const why = network(range);
    if (why) findings.invalid(range, why, ...place);
  }
}

function onlyOfBalancers(spec: unknown, findings: Findings): void {
  const fields = recordAt(spec);
  if (isLoadBalancer(fields)) return;
  for (const member of ["allocateLoadBalancerNodePorts", "loadBalancerClass"])
    if (fields[member] !== undefined) findings.forbidden(onlyBalanced, member);
}

function trafficPolicies(spec: unknown, findings: Findings): void {
  const fields = recordAt(spec);
  const policy = textAt(spec, "externalTrafficPolicy");
  if (isExternallyAccessible(fields)) {
    if (policy !== "Cluster" && policy !== "Local")
      findings.notSupported(policy, ["Cluster", "Local"], "externalTrafficPolicy");
  } else if (policy !== "")
    findings.invalid(policy, "may only be set for externally-accessible services", "externalTrafficPolicy");
  const { healthCheckNodePort } = fields;
  if (!healthCheckNodePort || needsHealthCheckPort(fields)) return;
  findings.invalid(
    healthCheckNodePort,
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    "healthCheckNodePort",
  );
}

function trafficDistribution(value: unknown, findings: Findings): void {
  const known = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  if (value !== undefined && !known.includes(String(value))) findings.notSupported(value, known);
}

function serviceChange(service: Fields, current: Fields, findings: Findings): void {
  const [spec, before] = [recordAt(service, "spec"), recordAt(current, "spec")];
  checkAddressChange(spec, before, findings);
  if (needsHealthCheckPort(spec) && needsHealthCheckPort(before)) {
    if (spec.healthCheckNodePort !== before.healthCheckNodePort)
      findings.forbidden("field is immutable", "spec", "healthCheckNodePort");
  }
  const [now, was] = [spec.loadBalancerClass, before.loadBalancerClass];
  if (isLoadBalancer(spec) && isLoadBalancer(before)) {
    if (now !== was) findings.invalid(now ?? null, "may not change once set", "spec", "loadBalancerClass");
  } else if (now !== undefined && !isLoadBalancer(spec))
    findings.forbidden(onlyBalanced, "spec", "loadBalancerClass");
}

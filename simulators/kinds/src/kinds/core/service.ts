import {
  type FieldSet,
  type KubeObject,
  numberOrZeroAt,
  proxyVerbs,
  scalarStringAt,
} from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import { endpointAddress, ipAddress, network } from "../../catalogue/addresses.ts";
import { dnsLabel, labels, oneOf, port, portOrName, required } from "../../catalogue/checks.ts";
import type { Findings } from "../../catalogue/findings.ts";
import { dnsLabel as dnsLabelForm, dnsSubdomain, qualifiedNameFaults } from "../../catalogue/names.ts";
import type { Fields } from "../../catalogue/type-facts.ts";
import { balancerAddresses } from "../../columns/address-text.ts";
import { ageColumn, nameColumn, text, textOf, wide } from "../../columns/column.ts";
import { labelText } from "../../columns/label-text.ts";
import { serviceEvaluator } from "../../quota/service-evaluator.ts";
import { applyServiceDefaults } from "../../services/apply-service-defaults.ts";
import { checkAddressChange, checkServiceAddresses } from "../../services/service-addresses.ts";
import {
  isExternallyAccessible,
  isHeadless,
  isLoadBalancer,
  needsHealthCheckPort,
} from "../../services/service-needs.ts";
import { holdingsOfService } from "../../services/service-pools.ts";
import { validateServiceStatus } from "../../services/service-status.ts";
import type { Kind } from "../kind.ts";

const topologyMode = "service.kubernetes.io/topology-mode";
const topologyHints = "service.kubernetes.io/topology-aware-hints";
const sourceRangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const maxAffinitySeconds = 86_400;
/** Name of the field `loadBalancerSourceRanges` in error messages. */
const sourceRangesField = "LoadBalancerSourceRanges";

/**
 * Built-in kind Service. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and pkg/apis/core/validation/validation.go
 * (ValidateService).
 */
export const service: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Service",
  plural: "services",
  shortNames: ["svc"],
  categories: ["all"],
  namespaced: true,
  description: "A stable address for the pods that match a selector.",
  subresources: { proxy: { kind: "ServiceProxyOptions", verbs: proxyVerbs, connects: true }, status: {} },
  strategy: {
    nameFault: dnsLabelForm,
    applyDefaults: applyServiceDefaults,
    validate: validateServiceStatus,
    holdings: holdingsOfService,
    createsOnUpdate: true,
    returnsDeleted: true,
    serverFields: givenToService,
  },
  columns: [
    nameColumn,
    textOf("Type", "spec.type"),
    text("Cluster-IP", (service) =>
      String(
        listAt(service, "spec", "clusterIPs")[0] ??
          (scalarStringAt(service, "spec", "clusterIP") || "<none>"),
      ),
    ),
    text("External-IP", externalAddress),
    text("Port(s)", servicePorts),
    ageColumn,
    wide(text("Selector", (service) => labelText(valueAt(service, "spec", "selector")))),
  ],
  selectableFields: { fields: { "spec.clusterIP": {}, "spec.type": {} } },
  quota: serviceEvaluator,
  types: {
    defaults: `
core.v1.ServiceSpec sessionAffinity="None" type="ClusterIP"
core.v1.ServicePort protocol="TCP"
core.v1.Service spec={} status={}
core.v1.ServiceStatus loadBalancer={}
`,
    derived: {
      "core.v1.ServicePort": (entry) =>
        entry.targetPort ? entry : { ...entry, targetPort: entry.port ?? 0 },
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
    changes: {
      "core.v1.Service": serviceChange,
    },
    mergeKeys: `
core.v1.ServiceSpec ports=port
core.v1.ServiceStatus conditions=type
`,
    ownership: `
core.v1.ServiceSpec ports=port,protocol:"TCP" selector=!
core.v1.ServiceStatus conditions=type
`,
    protobuf: `
core.v1.ClientIPConfig timeoutSeconds=1*
core.v1.LoadBalancerIngress ip=1 hostname=2 ipMode=3* ports=4
core.v1.LoadBalancerStatus ingress=1
core.v1.PortStatus port=1* protocol=2* error=3*
core.v1.Service metadata=1 spec=2 status=3
core.v1.ServicePort name=1 protocol=2 appProtocol=6* port=3* targetPort=4 nodePort=5
core.v1.ServiceSpec ports=1 selector=2 clusterIP=3 clusterIPs=18 type=4 externalIPs=5 sessionAffinity=7 loadBalancerIP=8 loadBalancerSourceRanges=9 externalName=10 externalTrafficPolicy=11 healthCheckNodePort=12 publishNotReadyAddresses=13 sessionAffinityConfig=14 ipFamilies=19 ipFamilyPolicy=17* allocateLoadBalancerNodePorts=20* loadBalancerClass=21* internalTrafficPolicy=22* trafficDistribution=23*
core.v1.ServiceStatus loadBalancer=1 conditions=2
core.v1.SessionAffinityConfig clientIP=1
`,
    enums: `
core.v1.PortStatus.protocol SCTP|TCP|UDP
core.v1.ServicePort.protocol SCTP|TCP|UDP
core.v1.ServiceSpec.externalTrafficPolicy Cluster|Local
core.v1.ServiceSpec.internalTrafficPolicy Cluster|Local
core.v1.ServiceSpec.ipFamilies |IPv4|IPv6
core.v1.ServiceSpec.ipFamilyPolicy PreferDualStack|RequireDualStack|SingleStack
core.v1.ServiceSpec.sessionAffinity ClientIP|None
core.v1.ServiceSpec.type ClusterIP|ExternalName|LoadBalancer|NodePort
`,
  },
};

function externalAddress(service: unknown): string {
  const own = listAt(service, "spec", "externalIPs").map(String);
  switch (scalarStringAt(service, "spec", "type")) {
    case "LoadBalancer": {
      const addresses = [...balancerAddresses(service), ...own];
      return addresses.length > 0 ? addresses.join(",") : "<pending>";
    }
    case "ExternalName":
      return scalarStringAt(service, "spec", "externalName");
    default:
      return own.join(",") || "<none>";
  }
}

function servicePorts(service: unknown): string {
  const ports = listAt(service, "spec", "ports").map((port) => {
    const nodePort = numberOrZeroAt(port, "nodePort");
    return `${numberOrZeroAt(port, "port")}${nodePort > 0 ? `:${nodePort}` : ""}/${scalarStringAt(port, "protocol") || "TCP"}`;
  });
  return ports.join(",") || "<none>";
}

function givenToService(service: KubeObject): FieldSet {
  const nodePorts = listAt(service, "spec", "ports").map((each) => {
    const key = { port: valueAt(each, "port"), protocol: valueAt(each, "protocol") };
    return [`k:${JSON.stringify(key)}`, { "f:nodePort": {} }];
  });
  return {
    "f:spec": {
      "f:clusterIP": {},
      "f:clusterIPs": {},
      "f:healthCheckNodePort": {},
      "f:ipFamilies": {},
      "f:ipFamilyPolicy": {},
      "f:ports": Object.fromEntries(nodePorts),
    },
  };
}

function withSpecDefaults(spec: Fields): Fields {
  const result: Record<string, unknown> = { ...spec };
  const type = scalarStringAt(spec, "type");
  const { clientIP } = objectAt(spec, "sessionAffinityConfig");
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
  const annotations = objectAt(service, "metadata", "annotations");
  const [mode, hints] = [annotations[topologyMode], annotations[topologyHints]];
  if (mode === undefined || hints === undefined || mode === hints) return;
  const why = `must match annotations[${topologyHints}] when both are specified`;
  findings.invalid(mode, why, "metadata", "annotations", `[${topologyMode}]`);
}

/**
 * Validates the deprecated annotation with source ranges. The annotation is ignored if the Service sets
 * `loadBalancerSourceRanges`.
 */
function sourceRangesOfAnnotation(service: unknown, findings: Findings): void {
  const text = valueAt(service, "metadata", "annotations", sourceRangesAnnotation);
  if (typeof text !== "string" || listAt(service, "spec", "loadBalancerSourceRanges").length > 0) return;
  const place = ["metadata", "annotations", `[${sourceRangesAnnotation}]`];
  if (scalarStringAt(service, "spec", "type") !== "LoadBalancer") {
    findings.forbidden(onlyBalanced, ...place);
    return;
  }
  const ranges = text.trim() === "" ? [] : text.split(",").map((each) => each.trim());
  for (const range of ranges) {
    const why = network(range);
    if (why) findings.invalid(range, why, ...place);
  }
}

function byType(spec: unknown, findings: Findings): void {
  const fields = objectAt(spec);
  const type = scalarStringAt(spec, "type");
  if (listAt(spec, "ports").length === 0 && !isHeadless(fields) && type !== "ExternalName")
    findings.required("", "ports");
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(fields))
    findings.invalid("None", `may not be set to 'None' for ${type} services`, "clusterIPs", 0);
  if (type !== "ExternalName") return;
  const why = "may not be set for ExternalName services";
  for (const member of ["clusterIPs", "ipFamilies"])
    if (listAt(spec, member).length > 0) findings.forbidden(why, member);
  if (fields.ipFamilyPolicy !== undefined) findings.forbidden(why, "ipFamilyPolicy");
  const name = scalarStringAt(spec, "externalName").replace(/\.$/, "");
  const wrong = name === "" ? undefined : dnsSubdomain(name);
  if (name === "") findings.required("", "externalName");
  else if (wrong) findings.invalid(name, wrong, "externalName");
}

/** If a Service has several ports, requires a unique name for each port. */
function portNames(value: unknown, findings: Findings): void {
  const ports = Array.isArray(value) ? value : [];
  const seen = new Set<string>();
  for (const [at, entry] of ports.entries()) {
    const name = scalarStringAt(entry, "name");
    if (name === "" && ports.length > 1) findings.required("", at, "name");
    if (name !== "" && seen.has(name)) findings.duplicate(name, at, "name");
    seen.add(name);
  }
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
  for (const [at, address] of stringsAt(value).entries()) {
    const why = ipAddress(address) ?? endpointAddress(address);
    if (why) findings.invalid(address, why, at);
  }
}

function distinctPorts(spec: unknown, findings: Findings): void {
  const ports = listAt(spec, "ports");
  const [numbers, nodePorts] = [new Set<string>(), new Set<string>()];
  const isNew = (seen: Set<string>, key: string) => seen.size < seen.add(key).size;
  const plain = scalarStringAt(spec, "type") === "ClusterIP";
  for (const [at, entry] of ports.entries()) {
    if (plain && valueAt(entry, "nodePort"))
      findings.forbidden("may not be used when `type` is 'ClusterIP'", "ports", at, "nodePort");
  }
  for (const [at, entry] of ports.entries()) {
    const nodePort = valueAt(entry, "nodePort");
    if (nodePort && !isNew(nodePorts, `${scalarStringAt(entry, "protocol")}/${nodePort}`))
      findings.duplicate(nodePort, "ports", at, "nodePort");
  }
  for (const [at, entry] of ports.entries()) {
    const [protocol, number] = [scalarStringAt(entry, "protocol"), valueAt(entry, "port")];
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

function sourceRanges(spec: unknown, findings: Findings): void {
  const ranges = stringsAt(spec, "loadBalancerSourceRanges");
  if (ranges.length === 0) return;
  if (scalarStringAt(spec, "type") !== "LoadBalancer") findings.forbidden(onlyBalanced, sourceRangesField);
  else
    for (const [at, range] of ranges.entries()) {
      const why = network(range.trim());
      if (why) findings.invalid(range.trim(), why, sourceRangesField, at);
    }
}

function onlyOfBalancers(spec: unknown, findings: Findings): void {
  const fields = objectAt(spec);
  if (isLoadBalancer(fields)) return;
  for (const member of ["allocateLoadBalancerNodePorts", "loadBalancerClass"])
    if (fields[member] !== undefined) findings.forbidden(onlyBalanced, member);
}

/** Validates a qualified name. The name may be unset, but not empty. */
function nonEmptyName(value: unknown, findings: Findings): void {
  const faults = typeof value === "string" ? qualifiedNameFaults(value) : [];
  for (const why of faults) findings.invalid(value, why);
}

function trafficPolicies(spec: unknown, findings: Findings): void {
  const fields = objectAt(spec);
  const policy = scalarStringAt(spec, "externalTrafficPolicy");
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

function portNumber(value: unknown, findings: Findings): void {
  port(value ?? 0, findings);
}

function serviceChange(service: Fields, current: Fields, findings: Findings): void {
  const [spec, before] = [objectAt(service, "spec"), objectAt(current, "spec")];
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

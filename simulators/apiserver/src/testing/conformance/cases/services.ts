import type { ConformanceCase } from "../case.ts";
import { refused } from "../refusal.ts";
import { post } from "../requests.ts";

export const services = "/api/v1/namespaces/{ns}/services";

type Fields = Readonly<Record<string, unknown>>;

export const service = (name: string, spec: Fields, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, ...metadata },
  spec,
});

const ports = [{ port: 80 }];
const wrong = (spec: Fields, ...why: readonly string[]) =>
  [post(services, service("wrong", { ports, ...spec })), ...why] as const;
const notAddress = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const notNetwork = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
const onlyBalanced = "Forbidden: may only be used when `type` is 'LoadBalancer'";
const badNumber = "Invalid value: 0: must be between 1 and 65535, inclusive";
const badNamePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
  "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const badSubdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const external = { type: "ExternalName", externalName: "example.com", ports: [] };
const balanced = { type: "LoadBalancer" };
const sourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** Conformance cases for the validation of Service specs. */
export const serviceCases: readonly ConformanceCase[] = [
  refused("the ports of a service", [
    wrong({ ports: [] }, "spec.ports: Required value"),
    wrong({ ports: [{}] }, `spec.ports[0].port: ${badNumber}`, `spec.ports[0].targetPort: ${badNumber}`),
    wrong(
      { ports: [{ port: 80 }, { port: 81 }] },
      ...[0, 1].map((at) => `spec.ports[${at}].name: Required value`),
    ),
    wrong(
      {
        ports: [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
      },
      'spec.ports[1].name: Duplicate value: "a"',
    ),
    wrong(
      {
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 80 },
        ],
      },
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
    ),
    wrong(
      { ports: [{ port: 80, protocol: "HTTP" }] },
      'spec.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
    ),
    wrong(
      { ports: [{ port: 80, targetPort: "Ab--c" }] },
      'spec.ports[0].targetPort: Invalid value: "Ab--c": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.ports[0].targetPort: Invalid value: "Ab--c": must not contain consecutive hyphens',
    ),
    wrong(
      { ports: [{ port: 80, appProtocol: "a/b/c" }] },
      `spec.ports[0].appProtocol: Invalid value: "a/b/c": ${badNamePart.replace("name part", "a valid label key")} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ),
    wrong(
      { ports: [{ port: 80, nodePort: 30_001 }] },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ),
  ]),
  refused("the affinity, external addresses and policies of a service", [
    wrong(
      { sessionAffinity: "Foo" },
      'spec.sessionAffinity: Unsupported value: "Foo": supported values: "ClientIP", "None"',
    ),
    wrong(
      { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
      "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
    ),
    wrong(
      {
        externalIPs: [
          "foo",
          "127.0.0.1",
          "0.0.0.0",
          "224.0.0.1",
          "169.254.1.1",
          "8.8.8.8",
          "010.1.1.1",
          "::1",
        ],
      },
      `spec.externalIPs[0]: Invalid value: "foo": ${notAddress}`,
      'spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'spec.externalIPs[2]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
      'spec.externalIPs[3]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      'spec.externalIPs[4]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'spec.externalIPs[6]: Invalid value: "010.1.1.1": must not have leading 0s',
      'spec.externalIPs[7]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ),
    wrong(
      { externalTrafficPolicy: "Local" },
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ),
    wrong(
      { internalTrafficPolicy: "Foo" },
      'spec.internalTrafficPolicy: Unsupported value: "Foo": supported values: "Cluster", "Local"',
    ),
    wrong(
      { trafficDistribution: "Foo" },
      'spec.trafficDistribution: Unsupported value: "Foo": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ),
  ]),
  refused("fields that only some service types may have", [
    wrong(
      { type: "Foo" },
      'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ),
    wrong({ type: "ExternalName", ports: [] }, "spec.externalName: Required value"),
    wrong({ ...external, externalName: "a_b" }, `spec.externalName: Invalid value: "a_b": ${badSubdomain}`),
    wrong(
      { ...external, clusterIP: "None" },
      "spec.clusterIPs: Forbidden: may not be set for ExternalName services",
    ),
    wrong(
      { ...external, ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
      "spec.ipFamilies: Forbidden: may not be set for ExternalName services",
      "spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services",
    ),
    ...["LoadBalancer", "NodePort"].map((type) =>
      wrong(
        { type, clusterIP: "None" },
        `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for ${type} services`,
      ),
    ),
    wrong({ allocateLoadBalancerNodePorts: true }, `spec.allocateLoadBalancerNodePorts: ${onlyBalanced}`),
    wrong({ loadBalancerClass: "a/b" }, `spec.loadBalancerClass: ${onlyBalanced}`),
    wrong(
      { ...balanced, loadBalancerClass: "a b" },
      `spec.loadBalancerClass: Invalid value: "a b": ${badNamePart}`,
    ),
    wrong(
      { ...balanced, loadBalancerClass: "" },
      'spec.loadBalancerClass: Invalid value: "": name part must be non-empty',
      `spec.loadBalancerClass: Invalid value: "": ${badNamePart}`,
    ),
    wrong({ loadBalancerSourceRanges: ["10.0.0.0/8"] }, `spec.LoadBalancerSourceRanges: ${onlyBalanced}`),
    wrong(
      {
        ...balanced,
        loadBalancerSourceRanges: ["10.0.0.0/8", "foo", "10.0.0.1/8", "010.0.0.0/8", "::ffff:1.2.3.4/8"],
      },
      `spec.LoadBalancerSourceRanges[1]: Invalid value: "foo": ${notNetwork}`,
      'spec.LoadBalancerSourceRanges[2]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.LoadBalancerSourceRanges[3]: Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length',
      'spec.LoadBalancerSourceRanges[4]: Invalid value: "::ffff:1.2.3.4/8": must not have an IPv4-mapped IPv6 address',
    ),
    [
      post(
        services,
        service("wrong", { ...balanced, ports }, { annotations: { [sourceRanges]: "10.0.0.0/8,foo" } }),
      ),
      `metadata.annotations[${sourceRanges}]: Invalid value: "foo": ${notNetwork}`,
    ],
    wrong(
      { healthCheckNodePort: 30_002 },
      "spec.healthCheckNodePort: Invalid value: 30002: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ),
  ]),
  refused("addresses of a service and their families", [
    wrong({ clusterIP: "foo" }, `spec.clusterIPs[0]: Invalid value: "foo": ${notAddress}`),
    wrong(
      { clusterIP: "172.30.9.01" },
      'spec.clusterIPs[0]: Invalid value: "172.30.9.01": must not have leading 0s',
    ),
    wrong(
      { clusterIPs: ["172.30.9.1"] },
      'spec.clusterIPs: Invalid value: ["172.30.9.1"]: must be empty when `clusterIP` is not specified',
    ),
    wrong(
      { clusterIP: "172.30.9.1", clusterIPs: ["172.30.9.2"] },
      'spec.clusterIPs: Invalid value: ["172.30.9.2"]: first value must match `clusterIP`',
    ),
    wrong(
      { clusterIP: "None", clusterIPs: ["None", "172.30.9.1"] },
      `spec.clusterIPs: Invalid value: ["None","172.30.9.1"]: 'None' must be the first and only value`,
    ),
    wrong(
      { clusterIP: "172.30.9.1", clusterIPs: ["172.30.9.1", "172.30.9.2"] },
      'spec.clusterIPs: Invalid value: ["172.30.9.1","172.30.9.2"]: may specify no more than one IP for each IP family',
    ),
    wrong(
      { clusterIP: "172.30.9.1", clusterIPs: ["172.30.9.1", "fd00::1", "fd00::2"] },
      'spec.clusterIPs: Invalid value: ["172.30.9.1","fd00::1","fd00::2"]: may only hold up to 2 values',
    ),
    wrong(
      { clusterIP: "172.30.9.1", ipFamilies: ["IPv6"] },
      'spec.clusterIPs[0]: Invalid value: "172.30.9.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
    ),
    wrong(
      { clusterIP: "fd00::1" },
      'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    ),
    wrong(
      { ipFamilies: ["IPv6"] },
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ),
    wrong({ ipFamilies: ["IPv4", "IPv4"] }, 'spec.ipFamilies[1]: Duplicate value: "IPv4"'),
    wrong(
      { ipFamilies: ["IPv4", "IPv6"] },
      `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
    ),
    wrong(
      { ipFamilyPolicy: "RequireDualStack" },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ),
  ]),
];

import type { ConformanceCase } from "../case.ts";
import { refused } from "../refusal.ts";
import { mergePatch, post } from "../requests.ts";

type Fields = Readonly<Record<string, unknown>>;

const metadata = { name: "wrong" };
const endpoints = (...subsets: readonly Fields[]) =>
  post("/api/v1/namespaces/{ns}/endpoints", { apiVersion: "v1", kind: "Endpoints", metadata, subsets });
const slice = (fields: Fields) =>
  post("/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata,
    addressType: "IPv4",
    endpoints: [],
    ...fields,
  });
const networking = "/apis/networking.k8s.io/v1/namespaces/{ns}";
const ingress = (spec: Fields, more: Fields = {}) =>
  post(`${networking}/ingresses`, {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { ...metadata, ...more },
    spec,
  });
const policy = (spec: Fields) =>
  post(`${networking}/networkpolicies`, {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata,
    spec,
  });

const notLabel =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
  "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const notSubdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const notAddress = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const badProtocol = 'Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"';
const address = { ip: "10.1.1.1" };
const backend = { service: { name: "s", port: { number: 80 } } };
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `z${at}` }));

/** Conformance cases for the validation of endpoints, ingresses and network policies. */
export const networkCases: readonly ConformanceCase[] = [
  refused("addresses and ports of endpoints", [
    [
      endpoints({ addresses: [{ ip: "foo" }, { ip: "010.0.0.1" }, { ip: "::ffff:1.2.3.4" }] }),
      `subsets[0].addresses[0].ip: Invalid value: "foo": ${notAddress}`,
      'subsets[0].addresses[0].ip: Invalid value: "foo": must be a valid IP address',
      'subsets[0].addresses[1].ip: Invalid value: "010.0.0.1": must not have leading 0s',
      'subsets[0].addresses[2].ip: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
    [
      endpoints({ addresses: [{ ...address, hostname: "A", nodeName: "A_" }] }),
      `subsets[0].addresses[0].hostname: Invalid value: "A": ${notLabel}`,
      `subsets[0].addresses[0].nodeName: Invalid value: "A_": ${notSubdomain}`,
    ],
    [
      endpoints({ addresses: [address], ports: [{ port: 80 }, { name: "a", port: 81, protocol: "X" }] }),
      "subsets[0].ports[0].name: Required value",
      `subsets[0].ports[1].protocol: ${badProtocol}`,
    ],
  ]),
  refused("addresses, hints and ports of an endpoint slice", [
    [
      slice({ endpoints: [{ addresses: ["foo", "2001:db8::1", "010.1.1.1"] }] }),
      `endpoints[0].addresses[0]: Invalid value: "foo": ${notAddress}`,
      'endpoints[0].addresses: Invalid value: "2001:db8::1": must be an IPv4 address',
      'endpoints[0].addresses[2]: Invalid value: "010.1.1.1": must not have leading 0s',
    ],
    [
      slice({ addressType: "IPv6", endpoints: [{ addresses: ["FD00::1", "fd00::0001"] }] }),
      'endpoints[0].addresses[0]: Invalid value: "FD00::1": must be in canonical form ("fd00::1")',
      'endpoints[0].addresses[1]: Invalid value: "fd00::0001": must be in canonical form ("fd00::1")',
    ],
    [
      slice({ addressType: "FQDN", endpoints: [{ addresses: ["a.b", "a_b", "foo"] }] }),
      `endpoints[0].addresses[1]: Invalid value: "a_b": ${notSubdomain}`,
      'endpoints[0].addresses[2]: Invalid value: "foo": should be a domain with at least two segments separated by dots',
    ],
    [
      slice({ endpoints: [{ addresses: Array.from({ length: 101 }, () => "10.1.1.1") }] }),
      "endpoints[0].addresses: Too many: 101: must have at most 100 items",
    ],
    [
      slice({ endpoints: Array.from({ length: 1_001 }, () => ({ addresses: ["10.1.1.1"] })) }),
      "endpoints: Too many: 1001: must have at most 1000 items",
    ],
    [
      slice({
        endpoints: [{ addresses: ["10.1.1.1"], hints: { forZones: [{ name: "a" }, { name: "a" }] } }],
      }),
      'endpoints[0].hints.forZones[1].name: Duplicate value: "a"',
    ],
    [
      slice({ endpoints: [{ addresses: ["10.1.1.1"], hints: { forZones: many(9) } }] }),
      "endpoints[0].hints.forZones: Too many: 9: must have at most 8 items",
    ],
    [slice({ ports: [{ port: 80 }, { port: 81 }] }), 'ports[1].name: Duplicate value: ""'],
    [slice({ ports: [{ port: 80, protocol: "X" }] }), `ports[0].protocol: ${badProtocol}`],
  ]),
  refused("hosts, backends and certificates of an ingress", [
    [
      ingress({ rules: [{ http: { paths: [{ path: "/", pathType: "Prefix" }] } }] }),
      'spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required',
    ],
    [
      ingress({ defaultBackend: { resource: { kind: "K", name: "n/x" } } }),
      `spec.defaultBackend.resource.name: Invalid value: "n/x": may not contain '/'`,
    ],
    [
      ingress({ defaultBackend: backend, tls: [{ hosts: ["A_", "*.a.b", "1.2.3.4"], secretName: "A_" }] }),
      `spec.tls[0].hosts[0]: Invalid value: "A_": ${notSubdomain}`,
      `spec.tls[0].secretName: Invalid value: "A_": ${notSubdomain}`,
    ],
    [
      ingress(
        { defaultBackend: backend, ingressClassName: "a" },
        { annotations: { "kubernetes.io/ingress.class": "b" } },
      ),
      'annotations.kubernetes.io/ingress.class: Invalid value: "b": must match `ingressClassName` when both are specified',
    ],
  ]),
  {
    name: "the ingress points of an ingress",
    async run(api) {
      const point = (status: Fields) =>
        mergePatch(`${networking}/ingresses/wrong/status`, {
          status: { loadBalancer: { ingress: [status] } },
        });
      await api.call(ingress({ defaultBackend: backend }));
      const at = "status.loadBalancer.ingress[0]";
      const cases = refused("", [
        [point({ ip: "010.1.1.1" }), `${at}.ip: Invalid value: "010.1.1.1": must not have leading 0s`],
        [
          point({ hostname: "1.2.3.4" }),
          `${at}.hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address`,
        ],
      ]);
      await cases.run(api);
    },
  },
  refused("ports and peers of a network policy", [
    [
      policy({ podSelector: {}, policyTypes: ["Egress", "Ingress", "Ingress"] }),
      'spec.policyTypes: Invalid value: ["Egress","Ingress","Ingress"]: may not specify more than two policyTypes',
    ],
    [
      policy({
        podSelector: {},
        ingress: [{ ports: [{ port: 80, endPort: 79 }, { port: "x", endPort: 80 }, { endPort: 80 }] }],
      }),
      "spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`",
      "spec.ingress[0].ports[1].endPort: Invalid value: 80: may not be specified when `port` is non-numeric",
      "spec.ingress[0].ports[2].endPort: Invalid value: 80: may not be specified when `port` is not specified",
    ],
    [
      policy({
        podSelector: {},
        ingress: [
          {
            from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16", "10.0.0.0/8", "10.1.0.0/16"] } }],
          },
        ],
      }),
      'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
      'spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
    ],
  ]),
];

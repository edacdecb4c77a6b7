import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { configObject } from "../../testing/observe.ts";
import { asksForChecks, type CheckInputs, checkTargets, connectivityCheck } from "./check-targets.ts";

const object = (kind: string, name: string, content: object): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name },
  ...content,
});
const address = (ip: string) => ({ status: { addresses: [{ type: "InternalIP", address: ip }] } });
const inputs: CheckInputs = {
  observedConfig: {
    apiServerArguments: {
      "etcd-servers": ["https://10.0.0.7:2379", "https://[fd00::8]:2379", "https://localhost:2379"],
    },
  },
  nodes: [object("Node", "a", address("10.0.0.7")), object("Node", "b", address("fd00::8"))],
  service: object("Service", "api", {
    spec: {
      clusterIP: "172.30.0.9",
      ports: [
        { port: 1, targetPort: 2 },
        { port: 444, targetPort: 6443 },
      ],
    },
  }),
  endpoints: object("Endpoints", "api", {
    subsets: [
      { addresses: [{ ip: "10.1.0.1", nodeName: "a" }, { ip: "10.1.0.2" }], ports: [{ port: 8443 }] },
    ],
  }),
  infrastructure: configObject("Infrastructure", {
    status: { apiServerURL: "https://api.example:6443", apiServerInternalURI: "https://api-int.example" },
  }),
};

test("API servers check etcd, the OpenShift API and load balancers", () => {
  const { targets, problems } = checkTargets(inputs);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    targets.map(({ name, endpoint, clientSecret = "" }) => `${name} ${endpoint} ${clientSecret}`.trim()),
    [
      "etcd-server-a 10.0.0.7:2379 etcd-client",
      "etcd-server-b [fd00::8]:2379 etcd-client",
      "etcd-server-localhost localhost:2379 etcd-client",
      "openshift-apiserver-service-cluster 172.30.0.9:444",
      "openshift-apiserver-endpoint-a 10.1.0.1:8443",
      "load-balancer-api-external api.example:6443",
      "load-balancer-api-internal api-int.example:443",
    ],
  );
});

test("missing inputs are reported and do not block other checks", () => {
  const { targets, problems } = checkTargets({
    ...inputs,
    nodes: inputs.nodes.slice(0, 1),
    service: undefined,
    endpoints: undefined,
    infrastructure: undefined,
  });
  assert.deepEqual(
    targets.map(({ name }) => name),
    ["etcd-server-a", "etcd-server-localhost"],
  );
  assert.deepEqual(problems, [
    "unable to determine node for etcd server: no node found with internal IP [fd00::8]",
    'error detecting openshift-apiserver service: service "api" not found',
    "error detecting openshift-apiserver service endpoints: no openshift-apiserver api endpoints found",
    'error detecting api load balancer endpoints: infrastructure/cluster: status.apiServerURL "" is not a URL with a host',
  ]);
});

test("a check is named after its pod and its target", () => {
  const { metadata, spec } = connectivityCheck("m", {
    name: "load-balancer-api-external",
    endpoint: "api:6443",
  });
  assert.equal(metadata.name, "kube-apiserver-m-to-load-balancer-api-external");
  assert.deepEqual(spec, {
    sourcePod: "kube-apiserver-m",
    targetEndpoint: "api:6443",
    tlsClientCert: { name: "" },
  });
});

for (const [overrides, asks] of [
  [{ operator: { enableConnectivityCheckController: "True" } }, true],
  [{ operator: { enableConnectivityCheckController: true } }, false],
  [{ operator: {} }, false],
  [undefined, false],
] as const)
  test(`${JSON.stringify(overrides)} asks for ${asks ? "" : "no "}checks`, () =>
    assert.equal(asksForChecks(overrides), asks));

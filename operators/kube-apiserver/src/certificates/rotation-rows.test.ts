import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeatureGates } from "../config/feature-gates.ts";
import { defaultPeriods, gatedRotationRows, rotationRows } from "./rotation-rows.ts";

interface Period {
  readonly validityMs: number;
  readonly refreshMs: number;
}

const dayMs = 86_400_000;
const rows = rotationRows(() => ({
  network: undefined,
  infrastructure: {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    status: {
      apiServerURL: "https://api.demo.example:6443",
      apiServerInternalURI: "https://api-int.demo.example:6443",
    },
  },
}));

test("periods of a release are those of production: no certificate lives shorter than a month", () => {
  for (const { name, signer, target } of rows)
    for (const { validityMs, refreshMs } of [signer, target]) {
      assert.ok(validityMs >= 30 * dayMs, name);
      assert.ok(refreshMs >= 15 * dayMs && refreshMs < validityMs, name);
    }
  assert.equal(defaultPeriods.monthMs, 30 * dayMs);
});

test("rows have the names, places and periods of the original", () => {
  const days = ({ validityMs, refreshMs }: { readonly validityMs: number; readonly refreshMs: number }) =>
    `${validityMs / dayMs}/${refreshMs / dayMs}`;
  assert.deepEqual(
    rows.map(({ name, signer, bundle, target }) => [
      name,
      `${signer.name} ${days(signer)}`,
      `${bundle.namespace}/${bundle.name}`,
      `${target.namespace}/${target.name} ${days(target)}`,
    ]),
    [
      [
        "AggregatorProxyClientCert",
        "aggregator-client-signer 30/15",
        "openshift-config-managed/kube-apiserver-aggregator-client-ca",
        "openshift-kube-apiserver/aggregator-client 30/15",
      ],
      [
        "KubeAPIServerToKubeletClientCert",
        "kube-apiserver-to-kubelet-signer 365/292",
        "openshift-kube-apiserver-operator/kube-apiserver-to-kubelet-client-ca",
        "openshift-kube-apiserver/kubelet-client 30/15",
      ],
      [
        "LocalhostServing",
        "localhost-serving-signer 3650/2920",
        "openshift-kube-apiserver-operator/localhost-serving-ca",
        "openshift-kube-apiserver/localhost-serving-cert-certkey 30/15",
      ],
      [
        "ServiceNetworkServing",
        "service-network-serving-signer 3650/2920",
        "openshift-kube-apiserver-operator/service-network-serving-ca",
        "openshift-kube-apiserver/service-network-serving-certkey 30/15",
      ],
      [
        "ExternalLoadBalancerServing",
        "loadbalancer-serving-signer 3650/2920",
        "openshift-kube-apiserver-operator/loadbalancer-serving-ca",
        "openshift-kube-apiserver/external-loadbalancer-serving-certkey 30/15",
      ],
      [
        "InternalLoadBalancerServing",
        "loadbalancer-serving-signer 3650/2920",
        "openshift-kube-apiserver-operator/loadbalancer-serving-ca",
        "openshift-kube-apiserver/internal-loadbalancer-serving-certkey 30/15",
      ],
      [
        "LocalhostRecoveryServing",
        "localhost-recovery-serving-signer 3650/2920",
        "openshift-kube-apiserver-operator/localhost-recovery-serving-ca",
        "openshift-kube-apiserver/localhost-recovery-serving-certkey 3650/2920",
      ],
      [
        "KubeControllerManagerClient",
        "kube-control-plane-signer 60/30",
        "openshift-kube-apiserver-operator/kube-control-plane-signer-ca",
        "openshift-config-managed/kube-controller-manager-client-cert-key 30/15",
      ],
      [
        "KubeSchedulerClient",
        "kube-control-plane-signer 60/30",
        "openshift-kube-apiserver-operator/kube-control-plane-signer-ca",
        "openshift-config-managed/kube-scheduler-client-cert-key 30/15",
      ],
      [
        "ControlPlaneNodeAdminClient",
        "kube-control-plane-signer 60/30",
        "openshift-kube-apiserver-operator/kube-control-plane-signer-ca",
        "openshift-kube-apiserver/control-plane-node-admin-client-cert-key 30/15",
      ],
      [
        "CheckEndpointsClient",
        "kube-control-plane-signer 60/30",
        "openshift-kube-apiserver-operator/kube-control-plane-signer-ca",
        "openshift-kube-apiserver/check-endpoints-client-cert-key 30/15",
      ],
      [
        "NodeSystemAdminClient",
        "node-system-admin-signer 1095/876",
        "openshift-kube-apiserver-operator/node-system-admin-ca",
        "openshift-kube-apiserver-operator/node-system-admin-client 730/30",
      ],
    ],
  );
});

test("rows that share an object agree on all of it", () => {
  const objects = new Map<string, unknown>();
  for (const { signer, bundle } of rows)
    for (const object of [signer, bundle]) {
      const known = objects.get(object.name) ?? object;
      assert.deepEqual(object, known);
      objects.set(object.name, known);
    }
  assert.equal(objects.size, 16);
});

test("the feature gate ShortCertRotation shortens all periods except ten years, with the original's values", () => {
  const sources = () => ({ network: undefined, infrastructure: undefined });
  const { currentRows } = gatedRotationRows(
    (_: FeatureGates | undefined) => sources(),
    (gates) => gates,
  );
  const disabled = { enabled: ["ConfigurablePKI"], disabled: ["ShortCertRotation"] };
  const minutes = ({ validityMs, refreshMs }: Period) => `${validityMs / 60_000}/${refreshMs / 60_000}`;
  const periods = (gates: FeatureGates | undefined, name: string) => {
    const row = currentRows(gates).find((each) => each.name === name);
    assert.ok(row);
    return [minutes(row.signer), minutes(row.target)];
  };
  const enabled = { enabled: ["ShortCertRotation"], disabled: [] };
  assert.deepEqual(periods(enabled, "AggregatorProxyClientCert"), ["120/60", "120/60"]);
  assert.deepEqual(periods(enabled, "KubeAPIServerToKubeletClientCert"), ["180/150", "120/60"]);
  assert.deepEqual(periods(enabled, "KubeSchedulerClient"), ["240/120", "120/60"]);
  assert.deepEqual(periods(enabled, "NodeSystemAdminClient"), ["540/450", "360/120"]);
  assert.deepEqual(periods(enabled, "LocalhostServing"), ["5256000/4204800", "120/60"]);
  assert.deepEqual(periods(enabled, "LocalhostRecoveryServing"), ["5256000/4204800", "5256000/4204800"]);
  for (const gates of [disabled, undefined])
    assert.deepEqual(periods(gates, "AggregatorProxyClientCert"), ["43200/21600", "43200/21600"]);
});

test("load balancers have the hosts of the infrastructure", () => {
  const subject = (name: string) => rows.find((each) => each.name === name)?.target.subject({});
  assert.deepEqual(subject("ExternalLoadBalancerServing"), {
    usage: "server",
    hostnames: ["api.demo.example"],
  });
  assert.deepEqual(subject("InternalLoadBalancerServing"), {
    usage: "server",
    hostnames: ["api-int.demo.example"],
  });
  assert.throws(() => subject("ServiceNetworkServing"), /empty networkConfig ServiceNetwork/);
});

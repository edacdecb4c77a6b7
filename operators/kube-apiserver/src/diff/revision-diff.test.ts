import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeObject, resources } from "@keelson/kube";
import { configObject, dataObject } from "../testing/observe.ts";
import { ClusterSnapshot } from "./cluster-snapshot.ts";
import { diffText } from "./diff-text.ts";
import { reconciledSnapshot } from "./reconciled-snapshot.ts";
import { revisionDiff } from "./revision-diff.ts";

const version = "4.19.0";
const namespace = "openshift-kube-apiserver";
const now = new Date("2026-01-01T00:00:00Z");
const images = { operand: "hyperkube:1", operator: "operator:1", version };

const inputs: readonly KubeObject[] = [
  configObject("APIServer", { spec: {} }),
  configObject("Authentication", { spec: {} }),
  configObject("Image", { status: { internalRegistryHostname: "registry:5000" } }),
  configObject("FeatureGate", { status: { featureGates: [{ version, enabled: [], disabled: [] }] } }),
  configObject("Network", {
    status: { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["172.30.0.0/16"] },
  }),
  configObject("Infrastructure", { spec: {}, status: { apiServerURL: "https://api:6443" } }),
  dataObject("ConfigMap", "openshift-etcd/etcd-endpoints", { data: { a: "10.0.0.1", b: "10.0.0.2" } }),
  dataObject("ConfigMap", "openshift-config/etcd-serving-ca", { data: { "ca-bundle.crt": "one" } }),
  dataObject("Secret", "openshift-config/etcd-client", { data: { "tls.key": "b25l" } }),
];

/** Returns a cluster with a latest revision that equals the operator's current output. */
function rolledOut(): ClusterSnapshot {
  const operator = configObject("KubeAPIServer", { spec: {}, status: { latestAvailableRevision: 4 } });
  const { snapshot, errors } = reconciledSnapshot(
    new ClusterSnapshot([...inputs, operator]),
    { version, build: "b", images },
    now,
  );
  assert.deepEqual(errors, []);
  const copies = [resources.configMaps, resources.secrets].flatMap((resource) =>
    snapshot
      .list<KubeObject>(resource, namespace)
      .map((each) => ({ ...each, metadata: { namespace, name: `${each.metadata.name}-4` } })),
  );
  return snapshot.put(copies);
}

const change = (kind: string, content: object) => configObject(kind, content);
const diffOf = (snapshot: ClusterSnapshot) => revisionDiff(snapshot, "b", version, now);

test("no revision follows one that is up to date", () => {
  const diff = diffOf(rolledOut());
  assert.deepEqual(diff, { latest: 4, changes: [], errors: [] });
  assert.equal(diffText(diff), "no revision follows revision 4\n");
});

test("a changed object is reported with its changes and its observer", () => {
  const changed = rolledOut().with([
    change("Image", { status: { internalRegistryHostname: "other:5000" } }),
    change("KubeAPIServer", {
      spec: { unsupportedConfigOverrides: { apiServerArguments: { "audit-log-format": ["yaml"] } } },
    }),
  ]);
  assert.deepEqual(diffOf(changed).changes, [
    {
      kind: "ConfigMap",
      name: "config",
      values: [
        {
          path: "apiServerArguments.audit-log-format",
          before: ["json"],
          after: ["yaml"],
          origin: { kind: "override" },
        },
        {
          path: "imagePolicyConfig.internalRegistryHostname",
          before: "registry:5000",
          after: "other:5000",
          origin: {
            kind: "observer",
            observer: "ObserveInternalRegistryHostname",
            objects: ["images.config.openshift.io/cluster"],
          },
        },
      ],
    },
  ]);
});

test("acceptance 9: a forced redeployment changes only the pod's ConfigMap", () => {
  const forced = rolledOut().with([change("KubeAPIServer", { spec: { forceRedeploymentReason: "again" } })]);
  assert.deepEqual(
    diffOf(forced).changes.map(({ name, values }) => [name, values.map(({ path, after }) => [path, after])]),
    [["kube-apiserver-pod", [["forceRedeploymentReason", "again"]]]],
  );
});

test("of a pod only the container that changes is shown, of Secrets only the keys", () => {
  const snapshot = rolledOut().with([
    change("KubeAPIServer", { spec: { logLevel: "Debug" } }),
    dataObject("Secret", "openshift-config/etcd-client", { data: { "tls.key": "secret" } }),
  ]);
  const diff = diffOf(snapshot);
  assert.deepEqual(
    diff.changes.map(({ name, values }) => [name, values.map(({ path }) => path)]),
    [
      ["kube-apiserver-pod", ["pod.yaml: spec.containers.kube-apiserver.args"]],
      ["etcd-client", ["tls.key"]],
    ],
  );
  assert.doesNotMatch(diffText(diff), /secret"/);
});

test("an audit profile changes the policy, rule by rule", () => {
  const changed = rolledOut().with([
    change("APIServer", { spec: { audit: { profile: "AllRequestBodies" } } }),
  ]);
  const [source, ...others] = diffOf(changed).changes;
  assert.equal(source?.name, "kube-apiserver-audit-policies");
  assert.deepEqual(others, []);
  assert.ok(source.values.length > 0);
  for (const { path, origin } of source.values) {
    assert.match(path, /^policy\.yaml: rules\./);
    assert.deepEqual(origin, {
      kind: "controller",
      controller: "AuditPolicyController",
      objects: ["apiservers.config.openshift.io/cluster"],
    });
  }
  assert.match(diffText(diffOf(changed)), /because of AuditPolicyController: apiservers/);
});

test("an unknown audit profile is an error, and no revision follows", () => {
  const changed = rolledOut().with([change("APIServer", { spec: { audit: { profile: "Some" } } })]);
  assert.deepEqual(diffOf(changed), {
    latest: 4,
    changes: [],
    errors: ['configmap/kube-apiserver-audit-policies: unknown audit profile "Some"'],
  });
});

test("a new issuer changes the token arguments", () => {
  const changed = rolledOut().with([
    change("Authentication", { spec: { serviceAccountIssuer: "https://issuer.example" } }),
  ]);
  assert.deepEqual(
    diffOf(changed).changes.map(({ name, values }) => [name, values.map(({ path }) => path)]),
    [
      [
        "config",
        [
          "apiServerArguments.api-audiences",
          "apiServerArguments.service-account-issuer",
          "apiServerArguments.service-account-jwks-uri",
        ],
      ],
    ],
  );
});

test("a source of a copy changes the copy", () => {
  const changed = rolledOut().with([
    dataObject("ConfigMap", "openshift-config/etcd-serving-ca", { data: { "ca-bundle.crt": "two" } }),
  ]);
  assert.deepEqual(diffOf(changed).changes, [
    {
      kind: "ConfigMap",
      name: "etcd-serving-ca",
      values: [
        {
          path: "ca-bundle.crt",
          before: "one",
          after: "two",
          origin: {
            kind: "controller",
            controller: "ResourceSyncController",
            objects: ["configmaps/etcd-serving-ca -n openshift-config"],
          },
        },
      ],
    },
  ]);
});

test("encryption changes its configuration with an unknown key", () => {
  const changed = rolledOut().with([change("APIServer", { spec: { encryption: { type: "aescbc" } } })]);
  assert.deepEqual(diffOf(changed).changes, [
    {
      kind: "Secret",
      name: "encryption-config",
      values: [
        {
          path: "encryption-config",
          origin: {
            kind: "controller",
            controller: "EncryptionKeyController",
            objects: ["apiservers.config.openshift.io/cluster"],
          },
        },
      ],
    },
  ]);
});

test("errors of observers and producers are reported, and the values are preserved", () => {
  const diff = diffOf(
    rolledOut().with([change("KubeAPIServer", { spec: { unsupportedConfigOverrides: { kind: "Other" } } })]),
  );
  assert.deepEqual(diff.changes, []);
  assert.match(diff.errors.join("\n"), /configmap\/config: .*does not equal/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { observeAll } from "@keelson/operator-kit";
import { wantedConfigMaps } from "../controllers/target-config/wanted-objects.ts";
import { configObservers } from "../observers/observers.ts";
import { configObject, dataObject } from "../testing/observe.ts";
import { ClusterSnapshot } from "./cluster-snapshot.ts";
import { diffText } from "./diff-text.ts";
import { revisionDiff } from "./revision-diff.ts";

const version = "4.19.0";
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
];

/** A cluster whose latest revision is all that its objects make of it. */
function rolledOut(spec: object = {}): ClusterSnapshot {
  const snapshot = new ClusterSnapshot(inputs);
  const scope = { now, report: () => undefined };
  const observed = observeAll(configObservers(version), {}, () => snapshot, scope).config;
  const operator = configObject("KubeAPIServer", {
    spec: { observedConfig: observed, ...spec },
    status: { latestAvailableRevision: 4 },
  });
  const target = {
    spec: { observedConfig: observed, ...spec },
    images,
    build: "b",
    now,
    infrastructure: undefined,
    find: () => undefined,
    encryption: undefined,
  };
  const maps = Object.entries(wantedConfigMaps).flatMap(([name, make]) =>
    ["", "-4"].map((suffix) =>
      dataObject("ConfigMap", `openshift-kube-apiserver/${name}${suffix}`, { data: make(target).data }),
    ),
  );
  return new ClusterSnapshot([...inputs, operator, ...maps]);
}

const change = (kind: string, content: object) => configObject(kind, content);
const diffOf = (snapshot: ClusterSnapshot) => revisionDiff(snapshot, "b", version, now);

test("no revision follows one that is up to date", () => {
  const diff = diffOf(rolledOut());
  assert.deepEqual(diff, { latest: 4, changes: [], errors: [] });
  assert.equal(diffText(diff), "no revision follows revision 4\n");
});

test("a change of an object is named with what it changes and who observes it", () => {
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

test("acceptance 9: a forced redeployment changes the pod's ConfigMap alone", () => {
  const forced = rolledOut().with([change("KubeAPIServer", { spec: { forceRedeploymentReason: "again" } })]);
  assert.deepEqual(
    diffOf(forced).changes.map(({ name, values }) => [name, values.map(({ path, after }) => [path, after])]),
    [["kube-apiserver-pod", [["forceRedeploymentReason", "again"]]]],
  );
});

test("of a pod only the container that changes is shown, of Secrets only the keys", () => {
  const snapshot = rolledOut().with([
    change("KubeAPIServer", { spec: { logLevel: "Debug" } }),
    dataObject("Secret", "openshift-kube-apiserver/etcd-client", { data: { "tls.key": "secret" } }),
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

test("what cannot be observed or made is said, and stays", () => {
  const diff = diffOf(
    rolledOut().with([change("KubeAPIServer", { spec: { unsupportedConfigOverrides: { kind: "Other" } } })]),
  );
  assert.deepEqual(diff.changes, []);
  assert.match(diff.errors.join("\n"), /configmap\/config: .*does not equal/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { conditionStatus } from "@keelson/kube";
import { conditionOf, withConditions } from "../../base/conditions.ts";
import { UpdateSource } from "../../updates/update-source.ts";
import { clusterOperators } from "../cluster-operators/facts.ts";
import { planClusterVersion } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");

const settledOperator = (name: string, version: string): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name },
  status: {
    conditions: withConditions(
      undefined,
      [
        { type: "Available", status: "True" },
        { type: "Progressing", status: "False" },
        { type: "Degraded", status: "False" },
      ],
      now,
    ),
    versions: [{ name: "operator", version }],
  },
});

const clusterVersion = (spec: object, status?: object): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterVersion",
  metadata: { name: "version", generation: 4 },
  spec,
  ...(status ? { status } : {}),
});

const settled = (count: number, version = "4.19.24") =>
  clusterOperators.slice(0, count).map(({ name }) => settledOperator(name, version));

const plan = (object: KubeObject, operators: readonly KubeObject[]) => {
  const status = planClusterVersion({ clusterVersion: object, operators, installed: "4.19.24", now });
  const condition = (type: string) =>
    listAt(status, "conditions").find((each) => stringAt(each, "type") === type);
  return {
    status,
    states: listAt(status, "history").map((entry) => [stringAt(entry, "version"), stringAt(entry, "state")]),
    progress: stringAt(condition("Progressing"), "message"),
    available: conditionStatus({ status }, "Available"),
    failing: conditionStatus({ status }, "Failing"),
  };
};

const channel = { channel: "stable-4.19" };

test("a fresh cluster works towards the version it was installed with", () => {
  const fresh = plan(clusterVersion(channel), []);
  assert.deepEqual(fresh.states, [["4.19.24", "Partial"]]);
  assert.equal(fresh.available, "False");
  assert.match(fresh.progress ?? "", /^Working towards 4\.19\.24: 0 of \d+ done \(0% complete\)$/);
});

test("the empty status of an installer's ClusterVersion names no version and no image", () => {
  const empty = plan(clusterVersion(channel, { desired: { version: "", image: "" } }), []);
  assert.deepEqual(empty.states, [["4.19.24", "Partial"]]);
  assert.equal(stringAt(empty.status, "desired", "version"), "4.19.24");
  assert.match(stringAt(empty.status, "desired", "image") ?? "", /@sha256:/);
});

test("the progress message contains the percentage and, near the end, the pending operators", () => {
  assert.match(plan(clusterVersion(channel), settled(17)).progress ?? "", /\(50% complete\)$/);
  assert.match(
    plan(clusterVersion(channel), settled(32)).progress ?? "",
    /waiting on authentication, console$/,
  );
});

test("with all operators settled it is complete and writes nothing more", () => {
  const complete = plan(clusterVersion(channel), settled(34));
  assert.deepEqual(complete.states, [["4.19.24", "Completed"]]);
  assert.deepEqual([complete.available, complete.failing], ["True", "False"]);
  const again = plan(clusterVersion(channel, complete.status), settled(34));
  assert.deepEqual(again.status, complete.status);
});

test("an operator that is lost later sets Failing and does not restart the installation", () => {
  const complete = plan(clusterVersion(channel), settled(34));
  const later = plan(clusterVersion(channel, complete.status), settled(33));
  assert.deepEqual(later.states, [["4.19.24", "Completed"]]);
  assert.deepEqual([later.available, later.failing], ["True", "True"]);
});

test("a manifest that cannot be applied sets Failing on an installed cluster with a short reason", () => {
  const complete = plan(clusterVersion(channel), settled(34));
  const payloadFailures = [
    {
      reason: "UpdatePayloadResourceInvalid",
      message: 'Could not update deployment "a/b" (2 of 7): the object is invalid',
      summary: "some cluster configuration is invalid",
    },
  ];
  const status = planClusterVersion({
    clusterVersion: clusterVersion(channel, complete.status),
    operators: settled(34),
    installed: "4.19.24",
    payloadFailures,
    now,
  });
  const { reason, message } = conditionOf({ status }, "Failing");
  assert.deepEqual([reason, message], [payloadFailures[0]?.reason, payloadFailures[0]?.message]);
  assert.equal(
    conditionOf({ status }, "Progressing").message,
    "Error while reconciling 4.19.24: some cluster configuration is invalid",
  );
});

test("an update is a new entry of the history, above the old one", () => {
  const complete = plan(clusterVersion(channel), settled(34));
  const spec = { ...channel, desiredUpdate: { version: "4.19.25" } };
  const begun = plan(clusterVersion(spec, complete.status), settled(34));
  assert.deepEqual(begun.states, [
    ["4.19.25", "Partial"],
    ["4.19.24", "Completed"],
  ]);
  assert.equal(begun.available, "True");
  const done = plan(clusterVersion(spec, begun.status), settled(34, "4.19.25"));
  assert.deepEqual(done.states, [
    ["4.19.25", "Completed"],
    ["4.19.24", "Completed"],
  ]);
});

test("the desired release has the channels of its version while a channel is set", () => {
  const source = new UpdateSource();
  const desired = (spec: { readonly channel?: string }, status?: object) => {
    const { channel } = spec;
    return valueAt(
      planClusterVersion({
        clusterVersion: clusterVersion(spec, status),
        operators: settled(34),
        installed: "4.19.24",
        metadataOf: (version) => (channel === undefined ? undefined : source.metadataOf(version, channel)),
        now,
      }),
      "desired",
    );
  };
  const all = ["candidate-4.19", "candidate-4.20", "eus-4.20", "fast-4.19", "fast-4.20", "stable-4.19"];
  const shown = desired(channel);
  assert.deepEqual(valueAt(shown, "channels"), [...all, "stable-4.20"]);
  assert.equal(stringAt(shown, "url"), "https://access.redhat.com/errata/4.19.24");
  assert.equal(valueAt(desired({}, { desired: shown }), "channels"), undefined);
  assert.equal(valueAt(desired({ channel: "stable-4.18" }, { desired: shown }), "channels"), undefined);
  const named = { "io.openshift.upgrades.graph.release.channels": "fast-4.19,stable-4.19" };
  source.program({ nodes: [{ version: "4.19.24", payload: "p", metadata: named }], edges: [] });
  assert.deepEqual(valueAt(desired(channel), "channels"), ["fast-4.19", "stable-4.19"]);
  assert.equal(valueAt(desired({ channel: "candidate-4.19" }), "channels"), undefined);
});

test("without a channel no updates are retrieved", () => {
  const { status } = plan(clusterVersion({}), []);
  assert.equal(conditionStatus({ status }, "RetrievedUpdates"), "False");
});

const upgradeable = (name: string, status: "True" | "False"): KubeObject => ({
  ...settledOperator(name, "4.19.24"),
  status: { conditions: [{ type: "Upgradeable", status, reason: "No", message: "not now" }] },
});

const refusals: readonly {
  readonly name: string;
  readonly spec: object;
  readonly operators?: readonly KubeObject[];
  readonly desired: string;
  readonly condition: readonly [type: string, status: string, message: RegExp];
}[] = [
  {
    name: "to the next minor release is accepted",
    spec: { desiredUpdate: { version: "4.20.3" } },
    desired: "4.20.3",
    condition: ["ReleaseAccepted", "True", /version="4\.20\.3"/],
  },
  {
    name: "over a minor release is rejected",
    spec: { desiredUpdate: { version: "4.21.0" } },
    desired: "4.19.24",
    condition: ["ReleaseAccepted", "False", /ClusterVersionRecommendedUpdate/],
  },
  {
    name: "to an older release is rejected",
    spec: { desiredUpdate: { version: "4.19.1" } },
    desired: "4.19.24",
    condition: ["ReleaseAccepted", "False", /ClusterVersionRollback/],
  },
  {
    name: "over a minor release is accepted with force",
    spec: { desiredUpdate: { version: "4.21.0", force: true } },
    desired: "4.21.0",
    condition: ["ReleaseAccepted", "True", /4\.21\.0/],
  },
  {
    name: "to a string that is not a version is invalid",
    spec: { desiredUpdate: { version: "latest" } },
    desired: "4.19.24",
    condition: ["Invalid", "True", /spec\.desiredUpdate\.version: Invalid value: "latest"/],
  },
  {
    name: "by an image with a tag is accepted",
    spec: { desiredUpdate: { image: "quay.io/openshift-release-dev/ocp-release:4.19.30-x86_64" } },
    desired: "4.19.30",
    condition: [
      "ReleaseAccepted",
      "True",
      /image="quay\.io\/openshift-release-dev\/ocp-release:4\.19\.30-x86_64"/,
    ],
  },
  {
    name: "to a minor release waits while an operator is not upgradeable",
    spec: { desiredUpdate: { version: "4.20.3" } },
    operators: [upgradeable("dns", "False")],
    desired: "4.19.24",
    condition: [
      "Upgradeable",
      "False",
      /^Cluster operator dns should not be upgraded between minor versions: not now$/,
    ],
  },
  {
    name: "of a patch does not ask whether operators are upgradeable",
    spec: { desiredUpdate: { version: "4.19.25" } },
    operators: [upgradeable("dns", "False")],
    desired: "4.19.25",
    condition: ["ReleaseAccepted", "True", /4\.19\.25/],
  },
  {
    name: "to a minor release waits for overrides to be removed",
    spec: {
      desiredUpdate: { version: "4.20.3" },
      overrides: [{ kind: "Deployment", group: "apps", namespace: "x", name: "y", unmanaged: true }],
    },
    desired: "4.19.24",
    condition: ["ReleaseAccepted", "False", /ClusterVersionOverridesSet/],
  },
];

for (const { name, spec, operators = [], desired, condition } of refusals)
  test(`an update ${name}`, () => {
    const { status } = plan(clusterVersion({ ...channel, ...spec }), operators);
    assert.equal(stringAt(status, "desired", "version"), desired);
    const [type, wanted, message] = condition;
    const found = listAt(status, "conditions").find((each) => stringAt(each, "type") === type);
    assert.equal(stringAt(found, "status"), wanted);
    assert.match(stringAt(found, "message") ?? "", message);
  });

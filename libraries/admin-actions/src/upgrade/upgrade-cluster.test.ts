import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { stringAt, timeLimit } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { memoryCluster } from "@keelson/cluster/testing";
import { resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { noJournal } from "../context/action-journal.ts";
import { upgradeChecks } from "./upgrade-checks.ts";
import { checkChannel, checkUpgradeVersion, upgradeCluster } from "./upgrade-cluster.ts";
import { readUpgrade } from "./upgrade-status.ts";

const signal = timeLimit(900_000);
const key = { name: "version" };
const condition = (type: string, status: string, message = "") => ({ type, status, message });
const named = (name: string, ...conditions: readonly object[]) => ({
  ...{ apiVersion: "v1", kind: "Object", metadata: { name } },
  status: { conditions },
});

const healthy = {
  metadata: key,
  spec: { channel: "stable-4.19" },
  status: {
    desired: { version: "4.18.26" },
    availableUpdates: [{ version: "4.18.27" }, { version: "4.19.24" }, { version: "4.19.0-rc.1" }],
    history: [
      {
        version: "4.18.26",
        state: "Completed",
        startedTime: "2026-11-01T00:00:00Z",
        completionTime: "2026-11-01T01:00:00Z",
      },
    ],
    conditions: [
      condition("Progressing", "False", "Cluster version is 4.18.26"),
      condition("Upgradeable", "True"),
    ],
  },
};

/** Returns a cluster in memory that meets all conditions for an upgrade. `version` overrides fields of the ClusterVersion. */
function clusterOf(version: object = healthy) {
  const { kube } = memoryCluster();
  kube.put(resources.clusterVersions, { ...healthy, ...version });
  kube.put(resources.clusterOperators, named("etcd", condition("Available", "True")));
  kube.put(resources.machineConfigPools, named("master", condition("Updated", "True")));
  kube.put(resources.nodes, named("master-0", condition("Ready", "True")));
  const clock = new ManualClock(new Date("2026-11-29T12:00:00Z"));
  // The context has only the Kubernetes client, the signal and the clock, because the upgrade uses nothing else.
  const context = { kube: () => kube, signal, clock } as unknown as ActionContext;
  const upgrade = (wanted: string, channel = "") =>
    upgradeCluster(context, { version: wanted, channel }, noJournal);
  return { kube, clock, context, upgrade };
}

async function untilAsked(
  { kube }: ReturnType<typeof clusterOf>,
  ...path: readonly string[]
): Promise<string> {
  for (;;) {
    const found = stringAt(await kube.get(resources.clusterVersions, key, signal), "spec", ...path);
    if (found !== undefined && found !== "stable-4.18") return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("the status has version, offers newest first, history and checks for the newest offer", async () => {
  const status = await readUpgrade(clusterOf().context, "");
  const { version, available, history, checked, checks } = status;
  assert.deepEqual([version, available, checked], ["4.18.26", ["4.19.24", "4.18.27"], "4.19.24"]);
  assert.equal(history[0]?.completedAt, "2026-11-01T01:00:00Z");
  assert.ok(checks.length > 5 && checks.every(({ passed }) => passed), JSON.stringify(checks));
});

test("an upgrade waits until the cluster version operator accepts it", async () => {
  const cluster = clusterOf();
  const upgraded = cluster.upgrade("4.19.24");
  assert.equal(await untilAsked(cluster, "desiredUpdate", "version"), "4.19.24");
  const accepted = { status: { desired: { version: "4.19.24" } } };
  await cluster.kube.mergePatch(resources.clusterVersions, key, accepted, signal);
  await cluster.clock.advance(2_000);
  assert.equal((await upgraded).desired, "4.19.24");
});

test("an upgrade sets the channel first, and waits for its offers", async () => {
  const cluster = clusterOf({
    spec: { channel: "stable-4.18" },
    status: { ...healthy.status, availableUpdates: null },
  });
  const upgraded = cluster.upgrade("4.19.24", "stable-4.19");
  assert.equal(await untilAsked(cluster, "channel"), "stable-4.19");
  const { availableUpdates } = healthy.status;
  const offered = { status: { availableUpdates, desired: { version: "4.19.24" } } };
  await cluster.kube.mergePatch(resources.clusterVersions, key, offered, signal);
  await cluster.clock.advance(2_000);
  assert.equal((await upgraded).channel, "stable-4.19");
});

test("an upgrade that the cluster version operator refuses is an error with its message", async () => {
  const cluster = clusterOf();
  const refused = assert.rejects(
    cluster.upgrade("4.19.24"),
    /refuses the update: the payload has no signature/,
  );
  await untilAsked(cluster, "desiredUpdate", "version");
  const conditions = [condition("ReleaseAccepted", "False", "the payload has no signature")];
  await cluster.kube.mergePatch(resources.clusterVersions, key, { status: { conditions } }, signal);
  await cluster.clock.advance(2_000);
  await refused;
});

test("an upgrade with failed checks changes nothing, and lists them", async () => {
  const cluster = clusterOf();
  cluster.kube.put(resources.clusterOperators, named("dns", condition("Available", "False")));
  cluster.kube.put(resources.nodes, named("worker-0", condition("Ready", "Unknown")));
  await assert.rejects(cluster.upgrade("4.19.24"), (error) => {
    assert.ok(error instanceof CloudError);
    assert.equal(error.status, 409);
    assert.deepEqual(
      error.body.details?.map(({ target, message }) => [target, message]),
      [
        ["Cluster operators", "Unavailable or degraded: dns"],
        ["Nodes", "Not ready: worker-0"],
      ],
    );
    return true;
  });
  const after = await cluster.kube.get(resources.clusterVersions, key, signal);
  assert.equal(stringAt(after, "spec", "desiredUpdate", "version"), undefined);
});

describe("a check fails", () => {
  const observed = {
    ...{ current: "4.18.26", wanted: "4.19.24", available: ["4.19.24"] },
    clusterVersion: { apiVersion: "v1", kind: "ClusterVersion", ...healthy },
    ...{ operators: [], pools: [], nodes: [] },
  };
  const versionWith = (...conditions: readonly object[]) => ({
    clusterVersion: { ...observed.clusterVersion, status: { conditions } },
  });
  for (const [name, change, failed] of [
    ["of a version that is not newer", { wanted: "4.18.26", available: ["4.18.26"] }, "Version"],
    ["of a version that skips a minor one", { wanted: "4.20.1", available: ["4.20.1"] }, "Version"],
    ["of a version that is not offered", { available: ["4.18.27"] }, "Offered"],
    ["during an update", versionWith(condition("Progressing", "True", "Working towards 4.18.27")), "Idle"],
    ["after an update that failed", versionWith(condition("Failing", "True")), "Idle"],
    ["of a cluster that is not upgradeable", versionWith(condition("Upgradeable", "False")), "Upgradeable"],
    ["of a paused pool", { pools: [{ ...named("worker"), spec: { paused: true } }] }, "Machine config pools"],
    [
      "of an updating pool",
      { pools: [named("worker", condition("Updating", "True"))] },
      "Machine config pools",
    ],
  ] as const)
    test(name, () =>
      assert.deepEqual(
        upgradeChecks({ ...observed, ...change }).flatMap((each) => (each.passed ? [] : [each.name])),
        [failed],
      ),
    );

  test("not of a patch version while minor versions are blocked", () => {
    const change = {
      wanted: "4.18.27",
      available: ["4.18.27"],
      ...versionWith(condition("Upgradeable", "False")),
    };
    assert.ok(upgradeChecks({ ...observed, ...change }).every(({ passed }) => passed));
  });
});

for (const version of ["", "4.19", "5.0.0", "v4.19.1", "4.19.1-rc.1", "4.19.1;x"])
  test(`the version '${version}' is invalid`, () =>
    assert.throws(() => checkUpgradeVersion(version), CloudError));
for (const channel of ["stable", "stable-5.0", "nightly-4.19", "stable-4.19 "])
  test(`the channel '${channel}' is invalid`, () => assert.throws(() => checkChannel(channel), CloudError));

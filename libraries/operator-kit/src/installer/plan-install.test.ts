import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { type NodeStatus, newNodeStatus } from "../static-pod/node-status.ts";
import { installConditions } from "./install-conditions.ts";
import { type InstallPlan, type InstallView, planInstall } from "./plan-install.ts";

const now = new Date("2026-11-24T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();
const node = (nodeName: string, status: Partial<NodeStatus> = {}): NodeStatus => ({
  ...newNodeStatus(nodeName, undefined),
  ...status,
});

interface PodState {
  readonly revision?: string;
  readonly phase?: string;
  /** Time in seconds since the pod became ready. Default: the pod is not ready. */
  readonly readySeconds?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly status?: Readonly<Record<string, unknown>>;
}
const operand = ({
  revision = "",
  phase = "Running",
  readySeconds,
  annotations = {},
  status,
}: PodState): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "operand-a",
    namespace: "ns",
    labels: { revision },
    annotations,
    creationTimestamp: "2026-11-24T11:00:00Z",
  },
  status: {
    phase,
    conditions:
      readySeconds === undefined
        ? []
        : [{ type: "Ready", status: "True", lastTransitionTime: ago(readySeconds) }],
    ...status,
  },
});
const serving = (revision: number): PodState => ({ revision: `${revision}`, readySeconds: 300 });
const installerPod = (phase: string, status: Readonly<Record<string, unknown>> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "installer", namespace: "ns" },
  status: { phase, ...status },
});

function plan(
  nodes: readonly NodeStatus[],
  latest: number,
  operands: Readonly<Record<string, PodState>> = {},
  installers: Readonly<Record<string, KubeObject>> = {},
  options: Partial<InstallView> = {},
): InstallPlan {
  const operandOf = (name: string) => {
    const state = operands[name];
    return state && operand(state);
  };
  return planInstall({
    nodes,
    latest,
    namespace: "ns",
    operandOf,
    installerOf: (name) => installers[name],
    hasStartupMonitor: false,
    minReadyMs: 30_000,
    now,
    ...options,
  });
}

const choices: readonly {
  readonly name: string;
  readonly nodes: readonly NodeStatus[];
  readonly operands: Readonly<Record<string, PodState>>;
  readonly chosen: string;
  readonly because: string;
}[] = [
  {
    name: "one with failed revisions",
    nodes: [node("a", { currentRevision: 4 }), node("b", { currentRevision: 4, lastFailedRevision: 5 })],
    operands: { a: serving(4), b: serving(4) },
    chosen: "b",
    because: "node b is progressing with failed revisions",
  },
  {
    name: "one without a static pod",
    nodes: [node("a", { currentRevision: 4 }), node("b", { currentRevision: 4 })],
    operands: { a: serving(4) },
    chosen: "b",
    because: "node b static pod not found",
  },
  {
    name: "one with an invalid revision",
    nodes: [node("a", { currentRevision: 4 }), node("b", { currentRevision: 4 })],
    operands: { a: serving(4), b: { revision: "x" } },
    chosen: "b",
    because: 'node b has an invalid current revision "x"',
  },
  {
    name: "the oldest that is not ready",
    nodes: [4, 3, 2].map((currentRevision, index) => node("abc"[index] ?? "", { currentRevision })),
    operands: { a: serving(4), b: { revision: "3" }, c: { revision: "2" } },
    chosen: "c",
    because: "node c with revision 2 is the oldest not ready",
  },
  {
    name: "one that runs a wrong revision",
    nodes: [node("a", { currentRevision: 4 }), node("b", { currentRevision: 4 })],
    operands: { a: serving(4), b: serving(3) },
    chosen: "b",
    because: "node b with revision 3 is the oldest not matching its expected revision 4",
  },
  {
    name: "the oldest",
    nodes: [node("a", { currentRevision: 4 }), node("b", { currentRevision: 3 })],
    operands: { a: serving(4), b: serving(3) },
    chosen: "b",
    because: "node b with revision 3 is the oldest",
  },
  {
    name: "the first of the oldest",
    nodes: [node("a", { currentRevision: 1 }), node("b", { currentRevision: 1 })],
    operands: { a: serving(1), b: serving(1) },
    chosen: "a",
    because: "node a with revision 1 is the oldest",
  },
];
for (const { name, nodes, operands, chosen, because } of choices)
  test(`a rollout begins with ${name}`, () => {
    const step = plan(nodes, 6, operands);
    assert.ok(step.kind === "update");
    assert.deepEqual([step.status.nodeName, step.status.targetRevision], [chosen, 6]);
    assert.match(step.event?.message ?? "", new RegExp(`because ${because}$`));
  });

const half = [node("a", { currentRevision: 2 }), node("b", { currentRevision: 1 })];

test("a ready node is not updated while the updated node has lost its readiness", () => {
  const third = node("c", { currentRevision: 1 });
  const step = plan([...half, third], 2, { a: { revision: "2" }, b: serving(1), c: serving(1) });
  assert.deepEqual(step, { kind: "idle", reason: "node a with revision 2 is not ready" });
});

test("a ready node is not updated while the static pod of the updated node is missing", () => {
  const step = plan(half, 2, { b: serving(1) });
  assert.deepEqual(step, { kind: "idle", reason: "node a with revision 2 is not ready" });
});

test("an unready node is updated although a second node is not ready", () => {
  const step = plan(half, 2, { a: { revision: "2" }, b: { revision: "1" } });
  assert.ok(step.kind === "update");
  assert.deepEqual([step.status.nodeName, step.status.targetRevision], ["b", 2]);
});

test("an unready node with an old revision is updated before a ready node with a failed revision", () => {
  const nodes = [
    node("a", { currentRevision: 4, lastFailedRevision: 5 }),
    node("b", { currentRevision: 4 }),
    node("c", { currentRevision: 4 }),
  ];
  const step = plan(nodes, 6, { a: serving(4), b: { revision: "4" }, c: serving(4) });
  assert.ok(step.kind === "update");
  assert.deepEqual([step.status.nodeName, step.status.targetRevision], ["b", 6]);
  assert.match(step.event?.message ?? "", /because node b with revision 4 is not ready$/);
});

test("a revision that failed on a ready node is not installed on an unready node", () => {
  const failed = { lastFailedRevision: 5, lastFailedReason: "OperandFailedFallback" };
  const nodes = [node("a", { currentRevision: 4, ...failed }), node("b", { currentRevision: 4 })];
  const step = plan(nodes, 5, { a: serving(4), b: { revision: "4" } });
  assert.deepEqual(step, { kind: "idle", reason: "node b with revision 4 is not ready" });
});

test("a transition is withdrawn if a different node loses its readiness before the installer starts", () => {
  const nodes = [node("a", { currentRevision: 2 }), node("b", { currentRevision: 1, targetRevision: 2 })];
  const step = plan(nodes, 2, { a: { revision: "2" }, b: serving(1) });
  assert.ok(step.kind === "update");
  assert.deepEqual([step.status.nodeName, step.status.targetRevision], ["b", 0]);
  assert.equal(step.reason, "node a is not ready");
});

test("a node in transition keeps every other from beginning", () => {
  const nodes = [node("a", { currentRevision: 1 }), node("b", { currentRevision: 1, targetRevision: 2 })];
  const step = plan(nodes, 2, { a: serving(1), b: serving(1) });
  assert.ok(step.kind === "install");
  assert.equal(step.installer, "installer-2-b");
});

test("a node follows the one before it only when that is ready for long enough", () => {
  const nodes = [
    node("a", { currentRevision: 2 }),
    node("b", { currentRevision: 1 }),
    node("c", { currentRevision: 1 }),
  ];
  const early = plan(nodes, 2, { a: { revision: "2", readySeconds: 10 }, b: serving(1), c: serving(1) });
  assert.deepEqual(early, { kind: "wait", afterMs: 20_000 });
  const step = plan(nodes, 2, { a: serving(2), b: serving(1), c: serving(1) });
  assert.ok(step.kind === "update");
  assert.equal(step.status.nodeName, "b");
});

test("a rollout that is over does nothing", () => {
  const nodes = [node("a", { currentRevision: 2 }), node("b", { currentRevision: 2 })];
  assert.equal(plan(nodes, 2, { a: serving(2), b: serving(2) }).kind, "idle");
});

const changing = node("a", { currentRevision: 1, targetRevision: 2 });
const succeeded = { "installer-2-a": installerPod("Succeeded") };
const waits: readonly {
  readonly name: string;
  readonly operand?: PodState;
  readonly installer: KubeObject;
  readonly reason: string;
}[] = [
  {
    name: "an installer with a message",
    installer: installerPod("Pending", { message: "no image" }),
    reason: "installer is not finished: no image",
  },
  {
    name: "an installer that runs",
    installer: installerPod("Running"),
    reason: "installer is not finished, but in Running phase",
  },
  { name: "a static pod", installer: installerPod("Succeeded"), reason: "static pod is pending" },
  {
    name: "the kubelet",
    installer: installerPod("Succeeded"),
    operand: serving(1),
    reason: "waiting for static pod of revision 2, found 1",
  },
  {
    name: "a pod that is not ready",
    installer: installerPod("Succeeded"),
    operand: { revision: "2" },
    reason: "static pod is pending",
  },
];
for (const { name, operand, installer, reason } of waits)
  test(`a node waits for ${name}`, () => {
    const step = plan([changing], 2, operand ? { a: operand } : {}, { "installer-2-a": installer });
    assert.deepEqual(step, { kind: "idle", reason });
  });

test("a node is there when its static pod of the revision is ready", () => {
  const step = plan([changing], 2, { a: serving(2) }, succeeded);
  assert.ok(step.kind === "update");
  assert.deepEqual([step.status.currentRevision, step.status.targetRevision], [2, 0]);
  assert.equal(step.event?.message, 'Updated node "a" from revision 1 to 2 because static pod is ready');
});

test("acceptance 15: a newer revision ends the wait for the old one, and its installer", () => {
  const failed = { ...changing, lastFailedRevision: 2, lastFailedCount: 1, lastFailedTime: ago(1) };
  const step = plan([failed], 3, {}, { "installer-2-retry-1-a": installerPod("Running") });
  assert.ok(step.kind === "update");
  assert.equal(step.obsolete, "installer-2-retry-1-a");
  assert.deepEqual(step.status, { ...failed, targetRevision: 3 });
});

test("an installer that fails is tried again after 15 seconds, then later and later, at most ten minutes", () => {
  const terminated = { name: "installer", state: { terminated: { message: "no space left" } } };
  const pod = installerPod("Failed", { containerStatuses: [terminated] });
  const step = plan([changing], 2, {}, { "installer-2-a": pod });
  assert.ok(step.kind === "update");
  assert.deepEqual(step.status.lastFailedRevisionErrors, ["installer: no space left"]);
  assert.deepEqual(
    [step.status.lastFailedRevision, step.status.lastFailedReason, step.status.lastFailedCount],
    [2, "InstallerFailed", 1],
  );
  assert.deepEqual(plan([step.status], 2), { kind: "wait", afterMs: 15_000 });
  assert.deepEqual(plan([{ ...step.status, lastFailedCount: 40 }], 2), { kind: "wait", afterMs: 600_000 });
  const again = plan([{ ...step.status, lastFailedTime: ago(15) }], 2);
  assert.ok(again.kind === "install");
  assert.equal(again.installer, "installer-2-retry-1-a");
});

test("an installer that fails without a word is named", () => {
  const step = plan([changing], 2, {}, { "installer-2-a": installerPod("Failed") });
  assert.ok(step.kind === "update");
  assert.deepEqual(step.status.lastFailedRevisionErrors, [
    'no detailed termination message, see `oc get -oyaml -n "ns" pods "installer"`',
  ]);
});

test("a static pod that fails counts once, and gives the node back", () => {
  const pod = { revision: "2", phase: "Failed", status: { message: "bad flag" } };
  const step = plan([changing], 2, { a: pod }, succeeded);
  assert.ok(step.kind === "update");
  const { targetRevision, lastFailedReason, lastFailedCount, lastFailedRevisionErrors } = step.status;
  assert.deepEqual([targetRevision, lastFailedReason, lastFailedCount], [0, "OperandFailed", 1]);
  assert.deepEqual(lastFailedRevisionErrors, ["bad flag"]);
  const again = plan(
    [{ ...step.status, targetRevision: 2 }],
    2,
    { a: pod },
    { "installer-2-retry-1-a": installerPod("Succeeded") },
  );
  assert.ok(again.kind === "update");
  assert.equal(again.status.lastFailedCount, 1);
});

test("with a startup monitor, a fallback counts once and is tried again after 20 minutes", () => {
  const annotations = {
    "startup-monitor.static-pods.openshift.io/fallback-for-revision": "2",
    "startup-monitor.static-pods.openshift.io/fallback-reason": "NotReady",
    "startup-monitor.static-pods.openshift.io/fallback-message": "not ready",
  };
  const pod = { revision: "1", readySeconds: 300, annotations };
  const options = { hasStartupMonitor: true };
  const step = plan([changing], 2, { a: pod }, succeeded, options);
  assert.ok(step.kind === "update");
  const { status } = step;
  assert.deepEqual(
    [status.targetRevision, status.lastFailedReason, status.lastFallbackCount],
    [2, "OperandFailedFallback", 1],
  );
  assert.deepEqual(status.lastFailedRevisionErrors, [
    "fallback to last-known-good revision 1 took place after: not ready (NotReady)",
  ]);
  const young = { ...status, lastFailedTime: ago(0) };
  assert.deepEqual(plan([young], 2, { a: pod }, {}, options), { kind: "wait", afterMs: 1_200_000 });
  const again = plan([status], 2, { a: pod }, {}, options);
  assert.ok(again.kind === "install");
  assert.equal(again.installer, "installer-2-retry-1-a");
  const [, , degraded] = installConditions([status], 2);
  assert.equal(degraded?.status, "False");
});

test("with a startup monitor, only the monitor reports the node's new revision", () => {
  const step = plan([changing], 2, { a: serving(2) }, succeeded, { hasStartupMonitor: true });
  assert.equal(step.kind, "idle");
  const said = node("a", { currentRevision: 2, targetRevision: 2 });
  const over = plan([said], 2, { a: serving(2) }, succeeded, { hasStartupMonitor: true });
  assert.ok(over.kind === "update" && over.status.targetRevision === 0);
});

const reports: readonly {
  readonly nodes: readonly NodeStatus[];
  readonly latest: number;
  readonly says: unknown;
}[] = [
  {
    nodes: [node("a"), node("b"), node("c")],
    latest: 0,
    says: {
      StaticPodsAvailable: "False ZeroNodesActive 0 nodes are active; 3 nodes are at revision 0",
      NodeInstallerProgressing: "False AllNodesAtLatestRevision 3 nodes are at revision 0",
      NodeInstallerDegraded: "False  ",
    },
  },
  {
    nodes: [
      node("a", { currentRevision: 5 }),
      node("b", { currentRevision: 5 }),
      node("c", { currentRevision: 4 }),
    ],
    latest: 6,
    says: {
      StaticPodsAvailable:
        "True  3 nodes are active; 1 node is at revision 4; 2 nodes are at revision 5; 0 nodes have achieved new revision 6",
      NodeInstallerProgressing:
        "True  1 node is at revision 4; 2 nodes are at revision 5; 0 nodes have achieved new revision 6",
      NodeInstallerDegraded: "False  ",
    },
  },
  {
    nodes: [
      node("a", {
        currentRevision: 1,
        targetRevision: 2,
        lastFailedRevision: 2,
        lastFailedReason: "InstallerFailed",
        lastFailedRevisionErrors: ["installer: bad"],
      }),
    ],
    latest: 2,
    says: {
      StaticPodsAvailable:
        "True  1 nodes are active; 1 node is at revision 1; 0 nodes have achieved new revision 2",
      NodeInstallerProgressing: "True  1 node is at revision 1; 0 nodes have achieved new revision 2",
      NodeInstallerDegraded: "True InstallerPodFailed 1 nodes are failing on revision 2:\ninstaller: bad",
    },
  },
];
for (const { nodes, latest, says } of reports)
  test(`conditions of nodes at ${nodes.map(({ currentRevision }) => currentRevision)} of ${latest}`, () =>
    assert.deepEqual(
      Object.fromEntries(
        installConditions(nodes, latest).map(({ type, status, reason = "", message = "" }) => [
          type,
          `${status} ${reason} ${message}`,
        ]),
      ),
      says,
    ));

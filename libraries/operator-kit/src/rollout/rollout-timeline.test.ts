import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { rolloutCondition } from "./controller.ts";
import { rolloutSvg } from "./rollout-svg.ts";
import { durationText, rolloutMessage, rolloutMoments, rolloutRows } from "./rollout-text.ts";
import { type RevisionRollout, rolloutTimeline } from "./rollout-timeline.ts";
import { at, installer, mirror, revisionMaps, twoRollouts } from "./testing/rollout-objects.ts";

const pod = { name: "kube-apiserver" };

function newest(rollouts: readonly RevisionRollout[]): RevisionRollout {
  const [first] = rollouts;
  assert.ok(first);
  return first;
}

test("rollouts are known from ConfigMaps, pods and Events, newest first", () => {
  const [current, earlier] = rolloutTimeline(pod, twoRollouts);
  assert.deepEqual(
    current?.nodes.map(({ node, state }) => `${node} ${state}`),
    ["master-0 reached", "master-1 starting", "master-2 waiting"],
  );
  assert.equal(current?.completedAt, undefined);
  assert.equal(earlier?.revision, 4);
  // The times of master-1 and master-2 come from their pods, which still run revision 4. The pod of master-0 was replaced, so its
  // time comes from an Event.
  assert.deepEqual(
    earlier?.nodes.map(({ reachedAt }) => reachedAt?.toISOString()),
    [at(-3_400), at(-3_200), at(-3_020)].map((time) => time.replace("Z", ".000Z")),
  );
  assert.ok(earlier?.completedAt);
});

test("a time line names what happened in its order", () => {
  assert.deepEqual(
    rolloutMoments(newest(rolloutTimeline(pod, twoRollouts))).map(
      ({ at, node, text }) => `${at.getUTCMinutes()}:${at.getUTCSeconds()} ${node} ${text}`,
    ),
    [
      "0:0  revision 5 begins",
      "0:2  all copies are made",
      "0:5 master-0 installer begins",
      "0:12 master-0 installer failed: disk <full> & slow",
      "0:12 master-0 StaticPodInstallerFailed: Installing revision 5: disk full",
      "0:28 master-0 installer, retry 1, begins",
      "0:40 master-0 installer, retry 1, has written the revision",
      "2:30 master-0 static pod of revision 5 is ready",
      "3:2 master-1 installer begins",
      "3:14 master-1 installer has written the revision",
    ],
  );
});

const nodeCases: readonly {
  readonly name: string;
  readonly status: object;
  readonly pods: readonly KubeObject[];
  readonly state: string;
}[] = [
  { name: "has not had its turn", status: { currentRevision: 4 }, pods: [], state: "waiting" },
  {
    name: "has an installer that runs",
    status: { currentRevision: 4, targetRevision: 5 },
    pods: [installer({ name: "installer-5-m", node: "m", from: 5 })],
    state: "installing",
  },
  {
    name: "has an installer of an earlier revision only",
    status: { currentRevision: 4, targetRevision: 5 },
    pods: [installer({ name: "installer-4-m", node: "m", from: 5, to: 6 })],
    state: "installing",
  },
  {
    name: "has an installer that failed",
    status: { currentRevision: 4, targetRevision: 5, lastFailedRevision: 5 },
    pods: [installer({ name: "installer-5-m", node: "m", from: 5, to: 6, failure: "x" })],
    state: "failed",
  },
  {
    name: "starts the pod",
    status: { currentRevision: 4, targetRevision: 5 },
    pods: [installer({ name: "installer-5-m", node: "m", from: 5, to: 6 }), mirror("m", 5)],
    state: "starting",
  },
  {
    name: "went back to what it ran before",
    status: {
      currentRevision: 4,
      targetRevision: 5,
      lastFailedRevision: 5,
      lastFailedReason: "OperandFailedFallback",
      lastFailedTime: at(300),
      lastFailedRevisionErrors: ["fallback took place"],
    },
    pods: [installer({ name: "installer-5-m", node: "m", from: 5, to: 6 })],
    state: "failed",
  },
  {
    name: "runs the pod",
    status: { currentRevision: 5 },
    pods: [installer({ name: "installer-5-m", node: "m", from: 5, to: 6 }), mirror("m", 5, 60)],
    state: "reached",
  },
];
for (const { name, status, pods, state } of nodeCases)
  test(`a node that ${name} is ${state}`, () => {
    const rollout = newest(rolloutTimeline(pod, oneNode(status, pods)));
    assert.equal(rollout.nodes[0]?.state, state);
  });

function oneNode(status: object, pods: readonly KubeObject[]) {
  const nodeStatuses = [{ nodeName: "m", ...status }];
  return {
    configuration: {
      ...twoRollouts.configuration,
      status: { latestAvailableRevision: 5, nodeStatuses },
    },
    configMaps: revisionMaps(5, 0, "required configmap/config has changed"),
    pods,
  };
}

test("the condition is complete when all nodes are there, and stays as it is when pods turn unready later", () => {
  const done = newest(
    rolloutTimeline(
      pod,
      oneNode({ currentRevision: 5 }, [
        installer({ name: "installer-5-m", node: "m", from: 5, to: 9 }),
        mirror("m", 5, 75),
      ]),
    ),
  );
  const condition = rolloutCondition(done, undefined);
  assert.deepEqual(condition, {
    type: "RolloutComplete",
    status: "True",
    reason: "AllNodesAtRevision",
    message: `revision 5, complete after 1m15s: required configmap/config has changed
2026-01-01T12:00:00Z revision 5 begins
2026-01-01T12:00:02Z all copies are made
2026-01-01T12:00:05Z m: installer begins
2026-01-01T12:00:09Z m: installer has written the revision
2026-01-01T12:01:15Z m: static pod of revision 5 is ready
2026-01-01T12:01:15Z all nodes are at the revision`,
  });
  const restarted = newest(
    rolloutTimeline(
      pod,
      oneNode({ currentRevision: 5 }, [
        installer({ name: "installer-5-m", node: "m", from: 5, to: 9 }),
        mirror("m", 5, 90_000),
      ]),
    ),
  );
  assert.equal(rolloutCondition(restarted, condition), condition);
});

test("during a rollout, the condition names incomplete nodes and failures", () => {
  const going = rolloutCondition(newest(rolloutTimeline(pod, twoRollouts)), undefined);
  assert.deepEqual([going.status, going.reason], ["False", "RolloutInProgress"]);
  assert.match(going.message ?? "", /not yet there: master-1 \(starting\), master-2 \(waiting\)$/);
  const failing = oneNode({ currentRevision: 4, targetRevision: 5, lastFailedRevision: 5 }, [
    installer({ name: "installer-5-m", node: "m", from: 5, to: 6, failure: "x" }),
  ]);
  assert.equal(rolloutCondition(newest(rolloutTimeline(pod, failing)), undefined).reason, "NodeFailing");
  assert.equal(rolloutCondition(undefined, undefined).reason, "NoRevision");
});

test("a long error is one short line", () => {
  const failure = `first\nsecond ${"x".repeat(5_000)}`;
  const long = oneNode({ currentRevision: 4, targetRevision: 5, lastFailedRevision: 5 }, [
    installer({ name: "installer-5-m", node: "m", from: 5, to: 6, failure }),
  ]);
  const message = rolloutMessage(newest(rolloutTimeline(pod, long)));
  assert.ok(message.length < 1_000);
  assert.match(message, /failed: first second xxx/);
});

test("the table has a row for each moment and for each node that is not there", () => {
  const rows = rolloutRows(newest(rolloutTimeline(pod, twoRollouts)));
  assert.deepEqual(rows[0], ["TIME", "AFTER", "NODE", "WHAT"]);
  assert.deepEqual(rows.at(-1), ["-", "-", "master-2", "waiting"]);
});

test("durations are short", () => {
  const text = (seconds: number) => durationText(new Date(seconds * 1_000), new Date(0));
  assert.deepEqual([0, 59, 60, 3_599, 3_600, 90_061].map(text), ["0s", "59s", "1m", "59m59s", "1h", "25h1m"]);
});

test("the picture has a title, a description, dark colours, and a bar for each span; text is escaped", () => {
  const rollouts = rolloutTimeline(pod, twoRollouts);
  const svg = rolloutSvg(rollouts, new Date(at(400)));
  assert.match(svg, /^<svg [^>]*role="img"[^>]*>\n<title id="title">/);
  assert.match(
    svg,
    /<desc id="description">Revision 5, 1 of 3 nodes after 6m40s\. master-0: ready after 2m30s\./,
  );
  assert.match(svg, /@media \(prefers-color-scheme:dark\)/);
  assert.match(svg, /disk &#60;full&#62; &#38; slow/);
  const spans = rollouts.flatMap(({ nodes }) => nodes.flatMap((node) => node.spans));
  assert.equal(
    svg.match(/<rect class="(?:installing|starting|failure)[^>]*rx="3"><title>/g)?.length,
    spans.length,
  );
});

test("without a revision the picture has a message", () => {
  assert.match(rolloutSvg([], new Date(0)), /There is no revision yet/);
});

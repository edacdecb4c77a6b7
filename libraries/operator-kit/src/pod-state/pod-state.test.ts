import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { latePods, pendingConditions } from "./pending-installers.ts";
import { operandImage, staticPodsCondition } from "./static-pods.ts";

const now = new Date("2026-11-24T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();
const operand = (status: object, container: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "operand-a" },
  spec: { containers: [{ name: "main", image: "one", ...container }] },
  status: { containerStatuses: [{ name: "main", ready: false, ...status }] },
});
const startedAgo = (seconds: number) => ({ state: { running: { startedAt: ago(seconds) } } });
const probes = {
  livenessProbe: { periodSeconds: 10, failureThreshold: 3 },
  readinessProbe: { periodSeconds: 5, failureThreshold: 3 },
  startupProbe: { periodSeconds: 5, failureThreshold: 30 },
};

const states: readonly { readonly name: string; readonly pod: KubeObject; readonly says: string }[] = [
  { name: "is ready", pod: operand({ ...startedAgo(900), ready: true }), says: "False" },
  {
    name: "cannot be pulled",
    pod: operand({ state: { waiting: { reason: "ErrImagePull", message: "no such image" } } }),
    says: 'True Error pod/operand-a container "main" is waiting: ErrImagePull: no such image',
  },
  {
    name: "waits for init containers",
    pod: operand({ state: { waiting: { reason: "PodInitializing" } } }),
    says: "False",
  },
  {
    name: "has crashed",
    pod: operand({ state: { terminated: { reason: "Error", message: "bad flag", exitCode: 1 } } }),
    says: 'True Error pod/operand-a container "main" is terminated: Error: bad flag',
  },
  {
    name: "has ended by itself",
    pod: operand({ state: { terminated: { reason: "Completed", exitCode: 0 } } }),
    says: 'False Error pod/operand-a container "main" is terminated: Completed: ',
  },
  { name: "is starting", pod: operand(startedAgo(39)), says: "False" },
  {
    name: "is late",
    pod: operand(startedAgo(41)),
    says: `False Error pod/operand-a container "main" started at ${ago(41)} is still not ready`,
  },
  { name: "has probes that allow for more", pod: operand(startedAgo(189), probes), says: "False" },
  {
    name: "is later than its probes allow for",
    pod: operand(startedAgo(191), probes),
    says: `False Error pod/operand-a container "main" started at ${ago(191)} is still not ready`,
  },
  {
    name: "has a malformed status",
    pod: { ...operand({}), status: { containerStatuses: "none" } },
    says: "False",
  },
];
for (const { name, pod, says } of states)
  test(`a container that ${name}`, () => {
    const { status, reason, message } = staticPodsCondition([pod], now);
    assert.equal([status, reason, message].filter((each) => each !== undefined).join(" "), says);
  });

test("acceptance 23: all run one image only when every node has a static pod of it", () => {
  const [one, other] = [operand({}), operand({}, { image: "two" })];
  assert.equal(operandImage([one, one]), "one");
  for (const pods of [[one, other], [one, undefined], []]) assert.equal(operandImage(pods), undefined);
});

const installer = (
  revision: number,
  phase: string,
  startSeconds: number,
  status: object = {},
): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: `installer-${revision}-a`, labels: { app: "installer" } },
  spec: { nodeName: "a" },
  status: { phase, startTime: ago(startSeconds), ...status },
});

test("an installer is late after five minutes, unless a newer one has started", () => {
  const late = installer(2, "Pending", 300);
  assert.deepEqual(latePods([late, installer(1, "Succeeded", 900)], now), [late]);
  assert.deepEqual(latePods([installer(2, "Pending", 299)], now), []);
  assert.deepEqual(latePods([late, installer(3, "Running", 1)], now), []);
});

test("why an installer is late is in three conditions", () => {
  const waiting = { name: "installer", state: { waiting: { reason: "ImagePullBackOff" } } };
  const pod = installer(2, "Pending", 300, {
    reason: "Unschedulable",
    message: "no room",
    containerStatuses: [waiting],
  });
  const event: KubeObject = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", name: "installer-2-a" },
    reason: "FailedCreatePodSandBox",
    message: "failed to create pod network sandbox: no address",
  };
  const place = `Pod "installer-2-a" on node "a"`;
  assert.deepEqual(pendingConditions([pod], [event]), [
    {
      type: "InstallerPodPendingDegraded",
      status: "True",
      reason: "Unschedulable",
      message: `${place} is Pending since ${ago(300)} because no room`,
    },
    {
      type: "InstallerPodContainerWaitingDegraded",
      status: "True",
      reason: "ImagePullBackOff",
      message: `${place} container "installer" is waiting since ${ago(300)} because ImagePullBackOff`,
    },
    {
      type: "InstallerPodNetworkingDegraded",
      status: "True",
      reason: "FailedCreatePodSandBox",
      message: `${place} observed degraded networking: failed to create pod network sandbox: no address`,
    },
  ]);
  assert.ok(pendingConditions([], [event]).every(({ status }) => status === "False"));
});

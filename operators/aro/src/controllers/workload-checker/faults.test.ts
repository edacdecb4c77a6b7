import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { daemonSetFault } from "./daemon-set-fault.ts";
import { deploymentFault } from "./deployment-fault.ts";
import { podFault } from "./pod-fault.ts";

const created = "2026-01-01T00:00:00Z";
const since = "2026-01-02T00:00:00Z";
const object = (more: object): KubeObject => ({
  apiVersion: "v1",
  kind: "Any",
  metadata: { name: "a", namespace: "openshift-dns", creationTimestamp: created },
  ...more,
});
const condition = (type: string, status: string, reason?: string) => ({
  type,
  status,
  lastTransitionTime: since,
  ...(reason === undefined ? {} : { reason }),
});

const deployments = [
  { name: "without a status", of: {}, message: "0 of 1 pods available", since: created },
  {
    name: "with nothing at all",
    of: { spec: null, status: null },
    message: "0 of 1 pods available",
    since: created,
  },
  {
    name: "scaled to zero",
    of: { spec: { replicas: 0 }, status: { conditions: [condition("Available", "False")] } },
  },
  {
    name: "that is available",
    of: {
      spec: { replicas: 3 },
      status: { availableReplicas: 2, conditions: [condition("Available", "True")] },
    },
  },
  {
    name: "that is not available",
    of: {
      spec: { replicas: 3 },
      status: { availableReplicas: 1, conditions: [condition("Available", "False")] },
    },
    message: "1 of 3 pods available",
    since,
  },
  {
    name: "with a stalled rollout",
    of: {
      status: {
        conditions: [
          condition("Available", "True"),
          condition("Progressing", "False", "ProgressDeadlineExceeded"),
        ],
      },
    },
    message: "does not progress: ProgressDeadlineExceeded",
    since,
  },
  {
    name: "of wrong types",
    of: { spec: { replicas: "3" }, status: { conditions: "none", availableReplicas: [] } },
    message: "0 of 1 pods available",
    since: created,
  },
];
for (const { name, of, message, since } of deployments)
  test(`a Deployment ${name}`, () =>
    assert.deepEqual(deploymentFault(object(of)), message === undefined ? undefined : { message, since }));

const daemonSet = (desiredNumberScheduled: number, numberAvailable?: number, maxUnavailable?: unknown) => ({
  spec: { updateStrategy: { rollingUpdate: { maxUnavailable } } },
  status: { desiredNumberScheduled, ...(numberAvailable === undefined ? {} : { numberAvailable }) },
});
const daemonSets = [
  { name: "without a status", of: {} },
  { name: "without nodes", of: daemonSet(0) },
  { name: "on all nodes", of: daemonSet(6, 6) },
  { name: "missing on a node that reboots", of: daemonSet(6, 5) },
  { name: "missing on two nodes", of: daemonSet(6, 4), message: "4 of 6 pods available" },
  { name: "missing on as many as may be", of: daemonSet(6, 4, "33%") },
  { name: "missing on more than may be", of: daemonSet(6, 3, "33%"), message: "3 of 6 pods available" },
  { name: "missing everywhere", of: daemonSet(3, undefined, "100%"), message: "0 of 3 pods available" },
  { name: "missing on its only node", of: daemonSet(1, 0, 5), message: "0 of 1 pods available" },
  { name: "with a limit that is none", of: daemonSet(6, 4, "many"), message: "4 of 6 pods available" },
];
for (const { name, of, message } of daemonSets)
  test(`a DaemonSet ${name}`, () =>
    assert.deepEqual(daemonSetFault(object(of)), message === undefined ? undefined : { message }));

const waiting = (reason: string) => ({ name: "dns", state: { waiting: { reason } } });
const pods = [
  { name: "that is ready", of: { status: { phase: "Running", conditions: [condition("Ready", "True")] } } },
  { name: "that ended well", of: { status: { phase: "Succeeded" } } },
  { name: "that ended badly", of: { status: { phase: "Failed" } } },
  {
    name: "that goes",
    of: { metadata: { name: "a", deletionTimestamp: created }, status: { phase: "Running" } },
  },
  {
    name: "that is not ready",
    of: { status: { phase: "Running", conditions: [condition("Ready", "False")] } },
    message: "not ready",
    since,
  },
  { name: "without a status", of: { status: null }, message: "Pending", since: created },
  {
    name: "for which there is no node",
    of: { status: { phase: "Pending", conditions: [condition("PodScheduled", "False", "Unschedulable")] } },
    message: "Unschedulable",
    since,
  },
  {
    name: "that fails again and again",
    of: {
      status: {
        phase: "Running",
        conditions: [condition("Ready", "False")],
        initContainerStatuses: [null, { name: "init" }],
        containerStatuses: [waiting("ContainerCreating"), waiting("CrashLoopBackOff")],
      },
    },
    message: "container dns: CrashLoopBackOff",
    since: created,
  },
  {
    name: "with a container that is being created",
    of: {
      status: {
        phase: "Pending",
        conditions: [condition("Ready", "False")],
        containerStatuses: [waiting("ContainerCreating")],
      },
    },
    message: "container dns: ContainerCreating",
    since,
  },
];
for (const { name, of, message, since } of pods)
  test(`a pod ${name}`, () =>
    assert.deepEqual(podFault(object(of)), message === undefined ? undefined : { message, since }));

test("a fault with a very long reason is short", () => {
  const status = { containerStatuses: [waiting("x".repeat(100_000))] };
  assert.equal(podFault(object({ status }))?.message.length, 200);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { proposeReplicas } from "./replica-proposal.ts";

interface PodSpec {
  /** CPU usage in millicores. Undefined if the pod has no usage data. */
  readonly cpu?: number;
  readonly ready?: boolean;
  readonly phase?: string;
  readonly requests?: object | null;
}

let count = 0;
function pod({ cpu, ready = true, phase = "Running", requests = { cpu: "100m" } }: PodSpec): KubeObject {
  const name = `p${++count}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "ns", uid: name, annotations: { "usage.keelson.dev/cpu": `${cpu ?? 0}m` } },
    spec: { containers: [{ name: "c", ...(requests ? { resources: { requests } } : {}) }] },
    status: {
      phase,
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      containerStatuses: cpu === undefined ? [] : [{ name: "c", state: { running: {} } }],
    },
  };
}

const utilization = (target: number) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: target } },
});
const average = (target: string) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "AverageValue", averageValue: target } },
});
const using = (...cpu: readonly number[]) => cpu.map((each) => pod({ cpu: each }));

for (const { name, metric = utilization(50), pods, replicas, asked } of [
  { name: "twice the target asks for twice as many", pods: using(100, 100), replicas: 2, asked: 4 },
  { name: "a fraction of a pod is rounded up", pods: using(60, 60), replicas: 2, asked: 3 },
  { name: "a tenth above the target is on it", pods: using(55, 55), replicas: 2, asked: 2 },
  { name: "a tenth below the target is on it", pods: using(45, 45), replicas: 2, asked: 2 },
  { name: "a fifth of the target asks for a fifth", pods: using(10, 10, 10, 10, 10), replicas: 5, asked: 1 },
  { name: "no use asks for none", pods: using(0, 0), replicas: 2, asked: 0 },
  {
    name: "an average value needs no requests",
    metric: average("50m"),
    pods: [pod({ cpu: 150, requests: null })],
    replicas: 1,
    asked: 3,
  },
  {
    name: "pods that are not ready count as idle when more are asked for",
    pods: [pod({ cpu: 200 }), pod({ ready: false })],
    replicas: 2,
    asked: 4,
  },
  {
    name: "pods that are not ready do not turn more into fewer",
    pods: [pod({ cpu: 60 }), pod({ ready: false })],
    replicas: 2,
    asked: 2,
  },
  {
    name: "pods that are not ready are ignored when scaling down",
    pods: [pod({ cpu: 10 }), pod({ ready: false })],
    replicas: 2,
    asked: 1,
  },
  {
    name: "pods without usage count as on target when fewer are asked for",
    pods: [pod({ cpu: 10 }), pod({})],
    replicas: 2,
    asked: 2,
  },
  {
    name: "failed pods count for nothing",
    pods: [pod({ cpu: 100 }), pod({ phase: "Failed" })],
    replicas: 1,
    asked: 2,
  },
]) {
  test(`usage: ${name}`, () => {
    const proposal = proposeReplicas(metric, pods, replicas);
    assert.equal(proposal.kind === "replicas" ? proposal.replicas : proposal.message, asked);
  });
}

for (const { name, metric = utilization(50), pods, says } of [
  {
    name: "no pod is ready",
    pods: [pod({ ready: false })],
    says: /did not receive metrics for targeted pods/,
  },
  {
    name: "a pod asks for nothing",
    pods: [pod({ cpu: 1, requests: null })],
    says: /missing request for cpu/,
  },
  {
    name: "the type is not a resource",
    metric: { type: "Pods" },
    pods: using(1),
    says: /no custom metrics API/,
  },
  {
    name: "nothing measures the resource",
    metric: {
      type: "Resource",
      resource: { name: "gpu", target: { type: "AverageValue", averageValue: "1" } },
    },
    pods: using(1),
    says: /no usage of gpu/,
  },
]) {
  test(`a metric is unavailable if ${name}`, () => {
    const proposal = proposeReplicas(metric, pods, 1);
    assert.match(proposal.kind === "failed" ? proposal.message : "", says);
  });
}

test("the current metric contains a value and a percentage", () => {
  const proposal = proposeReplicas(utilization(50), using(60, 80), 2);
  assert.deepEqual(proposal.kind === "replicas" && proposal.current, {
    type: "Resource",
    resource: { name: "cpu", current: { averageValue: "70m", averageUtilization: 70 } },
  });
});

test("a single container of each pod can be measured", () => {
  const metric = {
    type: "ContainerResource",
    containerResource: {
      name: "cpu",
      container: "other",
      target: { type: "Utilization", averageUtilization: 50 },
    },
  };
  const [measured] = using(100);
  assert.ok(measured);
  assert.equal(proposeReplicas(metric, [measured], 1).kind, "failed");
  const named = { ...metric, containerResource: { ...metric.containerResource, container: "c" } };
  const proposal = proposeReplicas(named, [measured], 1);
  assert.equal(proposal.kind === "replicas" && proposal.replicas, 2);
});

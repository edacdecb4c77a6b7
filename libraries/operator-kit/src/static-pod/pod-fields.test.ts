import assert from "node:assert/strict";
import { test } from "node:test";
import { podFields } from "./pod-fields.ts";

const kept = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "guard", namespace: "n", labels: { app: "guard" }, uid: "u", resourceVersion: "7" },
  spec: {
    hostname: "guard",
    nodeName: "master-0",
    serviceAccountName: "guard-sa",
    containers: [
      { name: "guard", image: "i", args: ["-c", "x"], readinessProbe: { httpGet: { host: "h", port: 1 } } },
      { name: "other", image: "j", livenessProbe: { periodSeconds: 1 }, startupProbe: { periodSeconds: 2 } },
    ],
  },
  status: { phase: "Running", podIP: "10.0.0.1", conditions: [{ type: "Ready", status: "True" }] },
};

test("of a pod is kept what controllers read, its whole status included", () => {
  const [guard, other] = kept.spec.containers;
  const whole = {
    ...kept,
    metadata: { ...kept.metadata, managedFields: [{ manager: "m" }] },
    spec: {
      ...kept.spec,
      volumes: [{ name: "v", emptyDir: {} }],
      initContainers: [{ name: "init", image: "i" }],
      containers: [
        { ...guard, env: [{ name: "A", value: "b" }] },
        { ...other, volumeMounts: [{ name: "v" }] },
      ],
    },
  };
  assert.deepEqual(podFields(whole), kept);
});

test("a pod without a specification, or with an invalid one, is accepted", () => {
  const { spec: _, ...rest } = kept;
  for (const spec of [undefined, 7, { containers: "none" }])
    assert.deepEqual(podFields({ ...rest, spec }), { ...rest, spec: { containers: [] } });
});

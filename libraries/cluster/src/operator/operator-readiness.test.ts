import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorNamespace, operatorRoles } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import { memoryCluster } from "../testing/memory-cluster.ts";
import {
  aroDeploymentReady,
  ensureAROOperatorRunningDesiredVersion,
  isRolledOut,
} from "./operator-readiness.ts";

/** Returns a Deployment in the form of the API server, which omits zeros in the status. */
const deployment = (spec: object, status: object) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "aro-operator-master", generation: 3 },
  spec,
  status: { observedGeneration: 3, ...status },
});
const two = { replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

const cases = [
  { name: "no Deployment", found: undefined, ready: false },
  { name: "all replicas available", found: deployment({ replicas: 2 }, two), ready: true },
  {
    name: "one unavailable",
    found: deployment({ replicas: 2 }, { ...two, availableReplicas: 1 }),
    ready: false,
  },
  { name: "an old replica left", found: deployment({ replicas: 2 }, { ...two, replicas: 3 }), ready: false },
  {
    name: "a status of an earlier generation",
    found: deployment({ replicas: 2 }, { ...two, observedGeneration: 2 }),
    ready: false,
  },
  { name: "scaled to zero", found: deployment({ replicas: 0 }, {}), ready: true },
  {
    name: "scaled to zero, one still there",
    found: deployment({ replicas: 0 }, { replicas: 1 }),
    ready: false,
  },
  { name: "not available yet", found: deployment({ replicas: 1 }, { replicas: 1 }), ready: false },
  {
    name: "the default of one replica",
    found: deployment({}, { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }),
    ready: true,
  },
];
for (const { name, found, ready } of cases) {
  test(`a Deployment is ${ready ? "" : "not "}rolled out: ${name}`, () => {
    assert.equal(isRolledOut(found), ready);
  });
}

const digest = `sha256:${"a".repeat(64)}`;

interface Running {
  readonly label: string;
  readonly images: readonly string[];
  readonly replicas?: number;
  readonly pod?: object;
}

function running(state: Running, properties = {}) {
  const { context, kube } = memoryCluster(properties);
  const { label, images, replicas = 1 } = state;
  for (const role of operatorRoles) {
    const app = `aro-operator-${role}`;
    const counts = replicas === 0 ? {} : { replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    kube.put(resources.deployments, {
      metadata: { namespace: operatorNamespace, name: app, generation: 1, labels: { app, version: label } },
      spec: { replicas },
      status: { observedGeneration: 1, ...counts },
    });
    for (const [index, image] of images.entries())
      kube.put(resources.pods, {
        metadata: {
          namespace: operatorNamespace,
          name: `${app}-${index}`,
          labels: { app },
          ...(index === 0 ? {} : state.pod),
        },
        spec: { containers: [{ name: "aro-operator", image }] },
        status: { phase: "Running" },
      });
  }
  return context;
}

const wanted = "arosvc.example/keelson:1";
const other = "arosvc.example/keelson:0";
const gone = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const versionCases: readonly (Running & { readonly name: string; readonly done: boolean })[] = [
  { name: "label and pods have it", label: "1", images: [wanted], done: true },
  { name: "the label is different", label: "0", images: [wanted], done: false },
  { name: "the pod has a different version", label: "1", images: [other], done: false },
  { name: "an old pod still runs", label: "1", images: [wanted, other], done: false },
  { name: "an old pod is about to end", label: "1", images: [wanted, other], pod: gone, done: true },
  { name: "no pod runs", label: "1", images: [], done: false },
  { name: "scaled to zero", label: "1", images: [], replicas: 0, done: true },
];
for (const { name, done, ...state } of versionCases) {
  test(`the operator ${done ? "runs" : "does not run"} the desired version: ${name}`, async () => {
    assert.equal(await ensureAROOperatorRunningDesiredVersion(running(state)), done);
  });
}

test("a pinned version is the desired one, a digest too", async () => {
  const pinned = { label: "v7", images: ["arosvc.example/keelson:v7"] };
  assert.equal(
    await ensureAROOperatorRunningDesiredVersion(running(pinned, { operatorVersion: "v7" })),
    true,
  );
  assert.equal(await ensureAROOperatorRunningDesiredVersion(running(pinned)), false);
  const byDigest = { label: `sha256-${"a".repeat(56)}`, images: [`arosvc.example/keelson@${digest}`] };
  assert.equal(
    await ensureAROOperatorRunningDesiredVersion(running(byDigest, { operatorVersion: digest })),
    true,
  );
});

test("without ingress profiles nothing is waited for", async () => {
  const { context } = memoryCluster({ ingressProfiles: [] });
  assert.equal(await aroDeploymentReady(context), true);
  assert.equal(await ensureAROOperatorRunningDesiredVersion(context), true);
  assert.equal(await aroDeploymentReady(memoryCluster().context), false);
});

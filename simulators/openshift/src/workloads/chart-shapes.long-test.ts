/**
 * Installs, upgrades, tests and uninstalls manifests with the shapes of common Helm charts, in Helm's order. The manifests are
 * definitions, hook Jobs, a webhook, a Deployment behind a Service, a custom resource and a test pod.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { listAt, stringAt, systemClock, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { resources } from "../base/resources.ts";
import { silentLogger, startTestCluster, startWorkloads } from "../index.ts";

const namespace = "chart";
const widgets: ResourceRef = { group: "chart.example.com", version: "v1", resource: "widgets" };
const webhooks: ResourceRef = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  resource: "validatingwebhookconfigurations",
};

let cluster: Awaited<ReturnType<typeof startTestCluster>>;
let workloads: Awaited<ReturnType<typeof startWorkloads>>;
before(async () => {
  cluster = await startTestCluster();
  const options = { nodes: 2, clock: systemClock, logger: silentLogger };
  workloads = await startWorkloads(cluster.cluster, options);
  await create(resources.namespaces, "v1", "Namespace", { metadata: { name: namespace } });
});
after(async () => {
  await workloads?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

async function create(ref: ResourceRef, apiVersion: string, kind: string, content: object) {
  return cluster.client.create(ref, { apiVersion, kind, metadata: { name: "" }, ...content });
}

const meta = (name: string, annotations: Readonly<Record<string, string>> = {}) => ({
  metadata: { name, namespace, annotations, labels: { "app.kubernetes.io/managed-by": "Helm" } },
});

/** Runs a hook like Helm: creates the Job, waits for its completion and deletes it (`hook-succeeded`). */
async function hook(name: string, event: string): Promise<void> {
  const annotations = { "helm.sh/hook": event, "helm.sh/hook-delete-policy": "hook-succeeded" };
  const containers = [{ name: "hook", image: "registry.example.com/certgen:v1", args: ["create"] }];
  await create(resources.jobs, "batch/v1", "Job", {
    ...meta(name, annotations),
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers } } },
  });
  await eventually(async () => {
    const job = await cluster.client.get(resources.jobs, { namespace, name });
    assert.equal(conditionStatus(job, "Complete"), "True");
  });
  await cluster.client.delete(resources.jobs, { namespace, name });
}

const definition = (properties: object): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.chart.example.com" },
  spec: {
    group: "chart.example.com",
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
        },
      },
    ],
  },
});

const podSpec = (tag: string) => ({
  metadata: { labels: { app: "web" } },
  spec: {
    containers: [
      {
        name: "web",
        image: `registry.example.com/web:${tag}`,
        ports: [{ name: "http", containerPort: 8080 }],
        readinessProbe: { httpGet: { path: "/healthz", port: "http" } },
      },
    ],
  },
});

async function rolledOut(tag: string): Promise<void> {
  await eventually(async () => {
    const web = await cluster.client.get(resources.deployments, { namespace, name: "web" });
    assert.equal(valueAt(web, "status", "observedGeneration"), web.metadata.generation);
    assert.equal(valueAt(web, "status", "updatedReplicas"), 2);
    assert.equal(valueAt(web, "status", "availableReplicas"), 2);
    const { items } = await cluster.client.list(resources.pods, { namespace, labelSelector: "app=web" });
    const images = items.map((pod) => stringAt(pod, "spec", "containers", 0, "image"));
    assert.deepEqual(images, Array(2).fill(`registry.example.com/web:${tag}`));
  });
}

test("manifests with the shapes of charts install, upgrade, pass their test and uninstall", async (t) => {
  await t.test("install: definitions, hooks before and after the objects, webhooks", async () => {
    await cluster.client.create(
      resources.customResourceDefinitions,
      definition({ size: { type: "integer" } }),
    );
    await hook("admission-create", "pre-install");
    const clientConfig = { service: { name: "web", namespace, port: 80, path: "/validate" } };
    const rules = [
      {
        apiGroups: ["chart.example.com"],
        apiVersions: ["v1"],
        operations: ["CREATE"],
        resources: ["widgets"],
      },
    ];
    const webhook = {
      name: "validate.chart.example.com",
      clientConfig,
      rules,
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      // With this policy, requests succeed only because the simulated pod allows all requests.
      failurePolicy: "Fail",
      timeoutSeconds: 1,
    };
    await create(webhooks, "admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", {
      metadata: { name: "chart" },
      webhooks: [webhook],
    });
    await create(resources.services, "v1", "Service", {
      ...meta("web"),
      spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] },
    });
    await create(resources.deployments, "apps/v1", "Deployment", {
      ...meta("web"),
      spec: { replicas: 2, selector: { matchLabels: { app: "web" } }, template: podSpec("1") },
    });
    await rolledOut("1");
    await create(widgets, "chart.example.com/v1", "Widget", {
      ...meta("default"),
      spec: { size: 1, late: 2 },
    });
    await hook("admission-patch", "post-install");
    const { items } = await cluster.client.list(resources.jobs, { namespace });
    assert.deepEqual(items, []);
  });

  await t.test("upgrade: a new field of the definition, a rollout, an upgrade hook", async () => {
    const current = await cluster.client.get(resources.customResourceDefinitions, {
      name: "widgets.chart.example.com",
    });
    const next = definition({ size: { type: "integer" }, late: { type: "integer", default: 3 } });
    await cluster.client.update(resources.customResourceDefinitions, { ...next, metadata: current.metadata });
    await hook("migrate", "pre-upgrade");
    const spec = { template: podSpec("2") };
    await cluster.client.mergePatch(resources.deployments, { namespace, name: "web" }, { spec });
    await rolledOut("2");
    await eventually(async () => {
      const widget = await cluster.client.get(widgets, { namespace, name: "default" });
      assert.deepEqual(widget.spec, { size: 1, late: 3 });
    });
  });

  await t.test("helm test: the test pod succeeds", async () => {
    await create(resources.pods, "v1", "Pod", {
      ...meta("web-test", { "helm.sh/hook": "test" }),
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "wget", image: "busybox", command: ["wget"], args: ["web:80"] }],
      },
    });
    await eventually(async () => {
      const pod = await cluster.client.get(resources.pods, { namespace, name: "web-test" });
      assert.equal(stringAt(pod, "status", "phase"), "Succeeded");
    });
  });

  await t.test("uninstall: a deletion hook, and nothing of the chart remains", async () => {
    await hook("cleanup", "pre-delete");
    await cluster.client.delete(webhooks, { name: "chart" });
    await cluster.client.delete(resources.deployments, { namespace, name: "web" });
    await cluster.client.delete(resources.services, { namespace, name: "web" });
    await cluster.client.delete(resources.pods, { namespace, name: "web-test" });
    await cluster.client.delete(resources.customResourceDefinitions, { name: "widgets.chart.example.com" });
    await cluster.client.delete(resources.namespaces, { name: namespace });
    await eventually(async () => {
      const { items } = await cluster.client.list(resources.namespaces);
      assert.ok(!items.some(({ metadata }) => metadata.name === namespace));
      const pods = await cluster.client.list(resources.pods, { namespace });
      assert.deepEqual(listAt(pods, "items"), []);
      await assert.rejects(cluster.client.list(widgets, { namespace }), { code: 404 });
    });
  });
});

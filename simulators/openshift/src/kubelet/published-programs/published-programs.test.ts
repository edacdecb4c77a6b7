import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { after, before, test } from "node:test";
import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { listAt, stringAt, systemClock, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { connectKube, type KubeClient } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import { silentLogger, startTestCluster, startWorkloads } from "../../index.ts";

const namespace = "charts";
const account = "hooks";
const group = "admissionregistration.k8s.io";
const configurations = (kind: "validating" | "mutating"): ResourceRef => ({
  group,
  version: "v1",
  resource: `${kind}webhookconfigurations`,
});

let cluster: Awaited<ReturnType<typeof startTestCluster>>;
let workloads: Awaited<ReturnType<typeof startWorkloads>>;
let kube: KubeClient;
before(async () => {
  cluster = await startTestCluster();
  kube = await connectKube({ kubeconfig: cluster.kubeconfig, userAgent: "test", fieldManager: "test" });
  workloads = await startWorkloads(cluster.cluster, { nodes: 1, clock: systemClock, logger: silentLogger });
  await create(resources.namespaces, "v1", "Namespace", { metadata: { name: namespace } });
  await create(resources.serviceAccounts, "v1", "ServiceAccount", { metadata: { name: account, namespace } });
  const rules = [
    { apiGroups: [""], resources: ["secrets"], verbs: ["get", "create"] },
    { apiGroups: [group], resources: ["validatingwebhookconfigurations"], verbs: ["get", "update"] },
    { apiGroups: [group], resources: ["mutatingwebhookconfigurations"], verbs: ["get", "patch"] },
  ];
  const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
  const apiVersion = `${rbac.group}/v1`;
  await create({ ...rbac, resource: "clusterroles" }, apiVersion, "ClusterRole", {
    metadata: { name: account },
    rules,
  });
  await create({ ...rbac, resource: "clusterrolebindings" }, apiVersion, "ClusterRoleBinding", {
    metadata: { name: account },
    roleRef: { apiGroup: rbac.group, kind: "ClusterRole", name: account },
    subjects: [{ kind: "ServiceAccount", namespace, name: account }],
  });
  for (const kind of ["Validating", "Mutating"] as const) {
    const webhook = {
      name: "check.example.com",
      clientConfig: { service: { name: "admission", namespace } },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      failurePolicy: "Ignore",
    };
    const ref = configurations(kind === "Validating" ? "validating" : "mutating");
    await create(ref, `${group}/v1`, `${kind}WebhookConfiguration`, {
      metadata: { name: "admission" },
      webhooks: [webhook, { ...webhook, name: "other.example.com" }],
    });
  }
});
after(async () => {
  await kube?.[Symbol.asyncDispose]();
  await workloads?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

async function create(ref: ResourceRef, apiVersion: string, kind: string, content: object) {
  return cluster.client.create(ref, { apiVersion, kind, metadata: { name: "" }, ...content });
}

/** Runs a container to its end. Returns its exit code and log. */
async function runContainer(name: string, container: object, spec: object = {}) {
  const containers = [{ name: "c", ...container }];
  await create(resources.pods, "v1", "Pod", {
    metadata: { name, namespace },
    spec: { serviceAccountName: account, restartPolicy: "Never", containers, ...spec },
  });
  const status = await eventually(async () => {
    const pod = await cluster.client.get(resources.pods, { namespace, name });
    const terminated = valueAt(pod, "status", "containerStatuses", 0, "state", "terminated");
    assert.ok(terminated, "the container has terminated");
    return terminated;
  });
  const chunks: Buffer[] = [];
  const pod = { namespace, name };
  for await (const chunk of kube.logs(pod, { container: "c" }, new AbortController().signal))
    chunks.push(chunk);
  return { exitCode: valueAt(status, "exitCode"), log: Buffer.concat(chunks).toString() };
}

const certgen = "registry.k8s.io/ingress-nginx/kube-webhook-certgen:v1.5.0@sha256:0";
const target = [`--namespace=${namespace}`, "--secret-name=admission"];
const createArgs = ["create", "--host=admission,admission.charts.svc,10.0.0.1", ...target];
const patchArgs = ["patch", "--webhook-name=admission", ...target, "--patch-mutating=false"];

const dataOf = (secret: KubeObject, key: string) =>
  Buffer.from(stringAt(secret, "data", key) ?? "", "base64").toString();
const secretOf = (name: string) => cluster.client.get(resources.secrets, { namespace, name });

test("kube-webhook-certgen create and patch connect a Secret and a webhook configuration", async () => {
  const created = await runContainer("create", { image: certgen, args: createArgs });
  assert.deepEqual(created.exitCode, 0, created.log);
  assert.match(created.log, /"msg":"creating new secret"/);
  const secret = await secretOf("admission");
  const ca = new X509Certificate(dataOf(secret, "ca"));
  const certificate = new X509Certificate(dataOf(secret, "cert"));
  assert.ok(certificate.verify(ca.publicKey));
  assert.equal(certificate.subjectAltName, "DNS:admission, DNS:admission.charts.svc, IP Address:10.0.0.1");
  assert.match(dataOf(secret, "key"), /PRIVATE KEY/);
  const again = await runContainer("create-again", { image: certgen, args: createArgs });
  assert.match(again.log, /"msg":"secret already exists"/);
  assert.equal((await secretOf("admission")).metadata.resourceVersion, secret.metadata.resourceVersion);

  const args = [...patchArgs, "--patch-failure-policy", "Fail"];
  const patched = await runContainer("patch", { image: certgen, args });
  assert.equal(patched.exitCode, 0, patched.log);
  const validating = await cluster.client.get(configurations("validating"), { name: "admission" });
  for (const webhook of listAt(validating, "webhooks")) {
    assert.equal(stringAt(webhook, "clientConfig", "caBundle"), stringAt(secret, "data", "ca"));
    assert.equal(stringAt(webhook, "clientConfig", "service", "name"), "admission");
    assert.equal(stringAt(webhook, "failurePolicy"), "Fail");
  }
  const mutating = await cluster.client.get(configurations("mutating"), { name: "admission" });
  assert.equal(stringAt(mutating, "webhooks", 0, "clientConfig", "caBundle"), undefined);

  const applyArgs = [...patchArgs.slice(0, -1), "--patch-validating=false", "--patch-mode=patch"];
  const applied = await runContainer("apply", {
    image: `mirror.example.com:5000/${certgen}`,
    args: applyArgs,
  });
  assert.equal(applied.exitCode, 0, applied.log);
  const after = await cluster.client.get(configurations("mutating"), { name: "admission" });
  for (const webhook of listAt(after, "webhooks")) {
    assert.equal(stringAt(webhook, "clientConfig", "caBundle"), stringAt(secret, "data", "ca"));
    assert.equal(stringAt(webhook, "failurePolicy"), "Ignore");
  }
  const managers = listAt(after, "metadata", "managedFields").filter(
    (each) => stringAt(each, "operation") === "Apply",
  );
  assert.deepEqual(
    managers.map((each) => stringAt(each, "manager")),
    ["kube-webhook-certgen"],
  );
});

test("a published program has only the permissions of its pod's service account", async () => {
  const args = ["patch", "--webhook-name=admission", ...target];
  const mutating = await runContainer("patch-both", { image: certgen, args });
  assert.equal(mutating.exitCode, 1);
  assert.match(mutating.log, /cannot update resource "mutatingwebhookconfigurations"/);
  const container = { image: certgen, args: [...createArgs, "--secret-name=other"] };
  const without = await runContainer("no-token", container, { automountServiceAccountToken: false });
  assert.equal(without.exitCode, 1);
  assert.match(without.log, /serviceaccount\/token: no such file or directory/);
});

test("invalid flags of kube-webhook-certgen fail with a message", async () => {
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["no-host", ["create", ...target], /required flag\(s\) "host" not set/],
    ["unknown-flag", [...patchArgs, "--other=1"], /Unknown option '--other'/],
    ["policy", [...patchArgs, "--patch-failure-policy=Never"], /patch-failure-policy Never is not valid/],
    ["nothing", [...patchArgs, "--patch-validating=false"], /at least one kind of webhook/],
    ["missing", [...patchArgs, "--secret-name=missing"], /no secret with 'missing' in 'charts'/],
  ];
  for (const [name, args, message] of cases) {
    const { exitCode, log } = await runContainer(`bad-${name}`, { image: certgen, args });
    assert.equal(exitCode, 1);
    assert.match(log, message);
  }
});

test("argocd admin redis-initial-password creates the Secret of Redis and keeps an existing one", async () => {
  const container = {
    image: "quay.io/argoproj/argocd:v3.1.0",
    command: ["argocd", "admin", "redis-initial-password"],
  };
  const { exitCode, log } = await runContainer("redis", container);
  assert.equal(exitCode, 0, log);
  const secret = await secretOf("argocd-redis");
  assert.match(dataOf(secret, "auth"), /^[\w-]{16}$/);
  assert.ok(!log.includes(dataOf(secret, "auth")), "the password is not logged");
  const again = await runContainer("redis-again", container);
  assert.match(again.log, /Password secret is configured properly/);
  assert.equal(dataOf(await secretOf("argocd-redis"), "auth"), dataOf(secret, "auth"));
});

test("other commands of published programs are unknown programs", async () => {
  const container = { image: "quay.io/argoproj/argocd:v3.1.0", command: ["argocd", "version"] };
  const { exitCode, log } = await runContainer("version", container);
  assert.equal(exitCode, 0);
  assert.equal(log, "simulated: argocd was not run\n");
});

test("gather in a script collects objects and logs of the platform, without Secrets, as its service account", async () => {
  await create(resources.namespaces, "v1", "Namespace", { metadata: { name: "openshift-sample" } });
  await create(resources.secrets, "v1", "Secret", { metadata: { name: "s", namespace: "openshift-sample" } });
  await create(resources.configMaps, "v1", "ConfigMap", {
    metadata: { name: "settings", namespace: "openshift-sample" },
    data: { a: "b" },
  });
  // More objects than a page contains.
  for (let at = 0; at < 45; at++)
    await create(resources.configMaps, "v1", "ConfigMap", {
      metadata: { name: `many-${at}`, namespace: "openshift-sample" },
    });
  const longName = "x".repeat(253);
  const storageClasses = { group: "storage.k8s.io", version: "v1", resource: "storageclasses" };
  await create(storageClasses, "storage.k8s.io/v1", "StorageClass", {
    metadata: { name: longName },
    provisioner: "example.com/none",
  });
  await create(resources.pods, "v1", "Pod", {
    metadata: { name: "talker", namespace: "openshift-sample" },
    spec: { containers: [{ name: "main", image: "i", command: ["sh", "-c", "echo hello; sleep 600"] }] },
  });
  await eventually(async () => {
    const pod = await cluster.client.get(resources.pods, { namespace: "openshift-sample", name: "talker" });
    assert.equal(stringAt(pod, "status", "phase"), "Running");
  });
  const script = [
    "/usr/bin/gather",
    "cd /must-gather",
    "cat version namespaces/openshift-sample/core/configmaps.yaml cluster-scoped-resources/core/nodes/*.yaml",
    "cat namespaces/openshift-sample/pods/talker/main/main/logs/current.log",
    "ls namespaces namespaces/openshift-sample/core cluster-scoped-resources/storage.k8s.io/storageclasses",
  ].join("\n");
  const container = {
    image: "must-gather",
    command: ["/bin/bash", "-c", script],
    volumeMounts: [{ name: "out", mountPath: "/must-gather" }],
  };
  const volumes = { volumes: [{ name: "out", emptyDir: {} }] };
  const refused = await runContainer("gather-refused", container, volumes);
  assert.match(refused.log, /error: unable to list nodes: .*cannot list resource "nodes"/);
  const rbac = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterrolebindings" };
  await create(rbac, `${rbac.group}/v1`, "ClusterRoleBinding", {
    metadata: { name: "gather" },
    roleRef: { apiGroup: rbac.group, kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace, name: account }],
  });
  const { exitCode, log } = await runContainer("gather", container, volumes);
  assert.equal(exitCode, 0, log);
  assert.match(log, /Gathering data for ns\/openshift-sample\.\.\.\n/);
  assert.match(log, /openshift\/must-gather\n---\napiVersion: v1\nkind: ConfigMapList\n/);
  assert.match(log, /name: settings\n/);
  assert.equal(new Set(log.match(/name: many-\d+$/gm)).size, 45);
  assert.match(log, /^x{200}-[0-9a-f]{16}\.yaml$/m);
  assert.match(log, /kind: Node\n/);
  assert.match(log, /^hello$/m);
  assert.ok(!log.includes("secrets.yaml") && !new RegExp(`^${namespace}$`, "m").test(log), log);
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { findCondition, type KubeObject, resources } from "@keelson/kube";
import { type KitCluster, kitServers } from "@keelson/operator-kit/testing";
import { startKmsPlugin } from "@keelson/operator-kit/testing/kms-plugin";

const namespace = "openshift-kube-apiserver";
const pod = { namespace, name: "kms-preflight" };
const main = join(import.meta.dirname, "..", "..", "main.ts");
const socket = "unix:///var/run/kmsplugin/kms-1.sock";
let cluster: KitCluster;
let root: string;
let kubeconfig: string;

before(async () => {
  const [server] = kitServers;
  assert.ok(server);
  // Uses a short directory path, because the length of a socket path is limited.
  root = mkdtempSync(join(tmpdir(), "k-"));
  mkdirSync(join(root, "var/run/kmsplugin"), { recursive: true });
  cluster = await server.start({ kinds: [resources.kubeApiServers], featureSet: "TechPreviewNoUpgrade" });
  kubeconfig = join(root, "kubeconfig");
  writeFileSync(kubeconfig, cluster.kubeconfig);
  await cluster.put(resources.kubeApiServers, {
    metadata: { name: "cluster" },
    spec: { managementState: "Managed" },
  });
  await cluster.put(resources.pods, {
    metadata: pod,
    spec: { containers: [{ name: "kms-preflight-check", image: "operator:1" }] },
  } as Partial<KubeObject> & Pick<KubeObject, "metadata">);
});
after(async () => {
  await cluster?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** Runs the program as a process. Returns its exit code and its output. */
function run(args: readonly string[], signal?: AbortSignal) {
  const words = [main, "kube-apiserver-operator", ...args, `--kubeconfig=/kubeconfig`];
  const env = { ...process.env, KEELSON_ROOT: root };
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    const child = execFile(process.execPath, words, { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    signal?.addEventListener("abort", () => child.kill("SIGTERM"));
  });
}

const preflight = (...more: readonly string[]) =>
  run([
    "kms-preflight",
    "--kms-call-timeout=10s",
    "--config-hash=cuZm_g==",
    `--pod-name=${pod.name}`,
    `--pod-namespace=${namespace}`,
    ...more,
  ]);

async function resultOfPod(): Promise<string> {
  const live = await cluster.api.get(resources.pods, pod, cluster.signal);
  const found = findCondition(live, "KMSPreflightResult");
  return `${stringAt(found, "status")} ${stringAt(found, "message") ?? ""}`;
}

test("kms-preflight tries a plugin over its socket, and its pod says what came of it", async () => {
  await using plugin = await startKmsPlugin(join(root, "var/run/kmsplugin/kms-1.sock"));
  const { code, output } = await preflight(`--kms-sockets=${socket}`);
  assert.equal(code, 0, output);
  assert.equal(await resultOfPod(), "True ");
  plugin.faults.refuses = ["encrypt"];
  const failed = await preflight(`--kms-sockets=${socket}`);
  assert.notEqual(failed.code, 0);
  assert.match(failed.output, /encrypt call failed/);
  assert.match(await resultOfPod(), /^False encrypt call failed/);
});

test("kms-preflight refuses sockets that no plugin has", async () => {
  const none = await preflight();
  assert.notEqual(none.code, 0);
  assert.match(none.output, /--kms-sockets is required, at least one/);
  const wrong = await preflight("--kms-sockets=unix:///etc/passwd");
  assert.match(wrong.output, /must be like unix:\/\/\/var\/run\/kmsplugin/);
  const twice = await preflight(`--kms-sockets=${socket},${socket}`);
  assert.match(twice.output, /is duplicated/);
});

test("kms-health-reporter says how a node's plugin is, until it is stopped", async () => {
  await using _plugin = await startKmsPlugin(join(root, "var/run/kmsplugin/kms-1.sock"));
  const stop = new AbortController();
  const running = run(
    ["kms-health-reporter", `--kms-sockets=${socket}`, "--node-name=master-0", "--interval=100ms"],
    stop.signal,
  );
  try {
    await cluster.eventually(async () => {
      const live = await cluster.api.get(resources.kubeApiServers, { name: "cluster" }, cluster.signal);
      const [report] = listAt(live, "status", "encryptionStatus", "healthReports");
      assert.equal(stringAt(report, "nodeName"), "master-0");
      assert.equal(stringAt(report, "status"), "Healthy");
      assert.equal(stringAt(report, "remoteKeyID"), "remote-1");
    });
  } finally {
    stop.abort();
  }
  const { code, output } = await running;
  assert.equal(code, 0, output);
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { listAt, mountNamespace, numberAt, stringAt, systemClock, valueAt } from "@keelson/base";
import { hiveDefinitions, runHiveDouble } from "@keelson/installers/testing";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import { stringify } from "yaml";
import { Program, StateDirectory } from "./support/program.ts";

const signal = AbortSignal.timeout(900_000);

test("keelson up --hive exits with 2 before anything starts for a directory without Hive's kinds", async () => {
  using state = new StateDirectory();
  const path = state.file("new");
  const { code, stderr } = await Program.run("up", "--state", path, "--ports", "auto", "--hive", "docs");
  assert.equal(code, 2, stderr);
  assert.match(stderr, /docs has no hive\.openshift\.io_clusterdeployments\.yaml/);
  assert.ok(!existsSync(path));
});

describe("`keelson up --hive`", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const crds = state.file("crds");
  const directory = state.file("state");
  const flags = [
    "up",
    "--state",
    directory,
    "--ports",
    "auto",
    "--without",
    "monitor",
    "--without",
    "portal",
  ];
  let program: Program;

  before(() => {
    mkdirSync(crds);
    for (const [file, definition] of Object.entries(hiveDefinitions()))
      writeFileSync(`${crds}/${file}`, stringify(definition));
    program = Program.start(...flags, "--hive", crds);
  });
  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const connectHive = () =>
    connectKube({
      kubeconfig: readFileSync(`${directory}/hive.kubeconfig`, "utf8"),
      userAgent: "test",
      fieldManager: "hive",
    });

  test("shows that no controller runs, and the customer's error after the installer failed", async () => {
    while (!/waiting for Hive: no controller has observed the ClusterDeployment/.test(program.stderr)) {
      assert.ok(program.running, program.stderr);
      await systemClock.sleep(20, signal);
    }
    await using hive = connectHive();
    const stop = new AbortController();
    const controllers = runHiveDouble({
      kube: hive,
      install: async () => ({
        kind: "failed",
        reason: "UnknownError",
        log: "level=info msg=running step\nlevel=error msg=no quota in eastus",
      }),
      signal: AbortSignal.any([signal, stop.signal]),
      // Ignores errors of the controllers, because their API server stops with the program.
    }).catch(() => undefined);
    const [code] = await once(program.child, "close");
    stop.abort();
    await controllers;
    assert.equal(code, 1, program.stderr);
    assert.match(program.stderr, /Deployment failed\..*UnknownError.*no quota in eastus/);
  });

  test("a second start without the flag keeps the management cluster, whose pods run as programs", async (t) => {
    const hasNamespaces = await mountNamespace().then(
      () => true,
      () => false,
    );
    if (!hasNamespaces) t.diagnostic("pods are not tested: this process may not create a mount namespace");
    const tool = state.file("tool");
    const script =
      '#!/bin/sh\nread -r token < "$1/token"\necho "$KUBERNETES_SERVICE_HOST $(echo "$token" | cut -c1-2) $COLOUR"\nexit 3\n';
    writeFileSync(tool, script, { mode: 0o755 });
    const images = hasNamespaces ? ["--run-image", `registry.example/tool=${tool}`] : [];
    program = Program.start(...flags, "--no-cluster", ...images);
    await program.says(/endpoints/);
    await using hive = connectHive();
    const { items } = await hive.list(resources.clusterDeployments, {}, signal);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ["cluster"],
    );
    const { installer, clusterAddress } = JSON.parse(readFileSync(`${directory}/service.json`, "utf8"));
    assert.equal(installer.kind, "hive");
    const { clusters } = JSON.parse(readFileSync(`${directory}/endpoints.json`, "utf8"));
    assert.equal(clusterAddress, `127.0.0.1:${new URL(clusters).port}`);
    if (hasNamespaces) assert.match(await runPod(hive), /^127\.0\.0\.1 ey green\n$/);
  });
});

/** Runs the image `tool` in a pod and returns its output. A host program replaces the image. */
async function runPod(kube: KubeClient): Promise<string> {
  const key = { namespace: "default", name: "tool" };
  const container = {
    name: "tool",
    image: "registry.example/tool:v1",
    args: ["/var/run/secrets/kubernetes.io/serviceaccount"],
    env: [{ name: "COLOUR", value: "green" }],
    terminationMessagePolicy: "FallbackToLogsOnError",
  };
  const spec = { restartPolicy: "Never", containers: [container] };
  await kube.create(resources.pods, { apiVersion: "v1", kind: "Pod", metadata: key, spec }, signal);
  for (;;) {
    const pod = await kube.get(resources.pods, key, signal);
    const [status] = listAt(pod, "status", "containerStatuses");
    const ended = valueAt(status, "state", "terminated");
    if (ended !== undefined) {
      assert.equal(numberAt(ended, "exitCode"), 3, JSON.stringify(ended));
      return stringAt(ended, "message") ?? "";
    }
    await systemClock.sleep(50, signal);
  }
}

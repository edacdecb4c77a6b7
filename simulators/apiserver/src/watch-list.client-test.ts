/** Tests `kubectl wait` with WatchList, and without it on a server that has disabled the feature. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { adminKubeconfig, newestKubectl } from "./testing/index.ts";
import { TestServer } from "./testing/test-server.ts";

const run = promisify(execFile);
const pods = { group: "", version: "v1", resource: "pods" };

for (const watchList of [true, false]) {
  test(`kubectl waits for a condition, WatchList ${watchList ? "on" : "off"}`, {
    timeout: 900_000,
  }, async () => {
    await using server = await TestServer.start(undefined, undefined, undefined, { watchList });
    const directory = await mkdtemp(join(tmpdir(), "keelson-wait-"));
    const kubeconfig = adminKubeconfig(server.cluster.url, server.authority, server.admin);
    await writeFile(join(directory, "kubeconfig"), kubeconfig, { mode: 0o600 });
    const { client } = server.cluster;
    await client.create(pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "default" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    const flags = [
      "--kubeconfig",
      join(directory, "kubeconfig"),
      "--cache-dir",
      join(directory, "cache"),
      "-v=6",
    ];
    const wait = ["wait", "--for=condition=Ready", "pod/p", "--timeout=30s"];
    const waiting = run(newestKubectl().path, [...flags, ...wait]);
    const patch = { status: { conditions: [{ type: "Ready", status: "True" }] } };
    await client.mergePatch(pods, { namespace: "default", name: "p" }, patch, "status");
    const { stdout, stderr } = await waiting;
    assert.match(stdout, /condition met/);
    assert.equal(/sendInitialEvents=true[^\n]*status="422/.test(stderr), !watchList, stderr);
    await rm(directory, { recursive: true });
  });
}

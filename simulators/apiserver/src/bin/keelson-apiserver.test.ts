import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";

const program = join(import.meta.dirname, "keelson-apiserver.ts");
const flags = ["--disable-warning=ExperimentalWarning", program];

test("keelson-apiserver writes a kubeconfig, serves its cluster and removes the file at SIGTERM", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-apiserver-"));
  const file = join(directory.path, "kubeconfig");
  const child = spawn(process.execPath, [...flags, "--kubeconfig", file]);
  const [url] = await once(child.stdout, "data");
  assert.match(String(url), /^https:\/\/localhost:\d+\n$/);
  const config = new KubeConfig();
  config.loadFromFile(file);
  const client = KubernetesObjectApi.makeApiClient(config);
  const { items } = await client.list("v1", "Namespace");
  assert.ok(items.length > 0);
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
  assert.equal(existsSync(file), false);
});

const invalid = [
  [[], /missing option --kubeconfig FILE\. Example: keelson-apiserver --kubeconfig/],
  [["--kubeconfig", "k", "--port", "99999"], /invalid --port "99999": expected a number from 0 to 65535/],
  [["--kubeconfig", "k", "--prot", "1"], /--prot/],
  [["--kubeconfig", "k", "--name", "Not Valid"], /Not Valid/],
] as const;

test("keelson-apiserver exits with code 2 for invalid options, names them and writes no file", async () => {
  const runs = invalid.map(async ([args, expected]) => {
    const child = spawn(process.execPath, [...flags, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    assert.match(stderr, expected);
    assert.equal(code, 2, args.join(" "));
  });
  await Promise.all(runs);
  assert.equal(existsSync("k"), false);
});

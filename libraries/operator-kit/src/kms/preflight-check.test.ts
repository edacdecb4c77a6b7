import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Clock, silentLogger, stringAt } from "@keelson/base";
import { findCondition, KubeError, type KubeObject } from "@keelson/kube";
import { type KmsPlugin, type PluginFaults, startKmsPlugin } from "../testing/kms-plugin.ts";
import { connectKms } from "./kms-client.ts";
import { type PreflightDeps, runPreflight } from "./preflight-check.ts";

const configHash = "cuZm_g==";
const socketOf = (id: number) => `unix:///var/run/kmsplugin/kms-${id}.sock`;
let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), "kms-"));
});
after(() => rmSync(directory, { recursive: true, force: true }));

let places = 0;

/** Fake status of the preflight pod. A simulated concurrent write of the kubelet causes one conflict. */
class PodStatus {
  pod: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "kms-preflight", resourceVersion: "1" },
    status: { conditions: [{ type: "Ready", status: "False" }] },
  };
  #conflicts = 1;
  readonly api = {
    get: async () => this.pod,
    mergePatch: async (_: unknown, __: unknown, patch: Readonly<Record<string, unknown>>) => {
      if (this.#conflicts-- > 0) throw new KubeError(409, "Conflict", "the pod has changed");
      this.pod = { ...this.pod, ...patch, metadata: this.pod.metadata };
      return this.pod;
    },
  } as unknown as PreflightDeps["api"];

  condition(type: string) {
    const found = findCondition(this.pod, type);
    return { status: stringAt(found, "status"), message: stringAt(found, "message") ?? "" };
  }
}

async function tryPlugins(plugins: readonly (PluginFaults | "absent")[], callTimeoutMs = 5_000) {
  const root = join(directory, `${++places}`);
  mkdirSync(root);
  const pathOf = (socket: string) => join(root, socket.split("/").at(-1) ?? "");
  const sockets = plugins.map((_, at) => socketOf(plugins.length - at));
  await using stack = new AsyncDisposableStack();
  const started: (KmsPlugin | undefined)[] = [];
  for (const [at, faults] of plugins.entries())
    started.push(
      faults === "absent" ? undefined : stack.use(await startKmsPlugin(pathOf(sockets[at] ?? ""), faults)),
    );
  let nowMs = 0;
  const clock: Clock = {
    now: () => new Date(0),
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
  const status = new PodStatus();
  const deps: PreflightDeps = {
    api: status.api,
    connect: (socket) => connectKms(pathOf(socket), callTimeoutMs),
    clock,
    logger: silentLogger,
  };
  const pod = { namespace: "operand", name: "kms-preflight" };
  const outcome = await runPreflight({ sockets, configHash, pod }, deps, AbortSignal.timeout(900_000)).then(
    () => "passed",
    (error: Error) => error.message,
  );
  return { outcome, status, calls: started.map((each) => each?.calls) };
}

test("a plugin that encrypts and decrypts passes, beside one that is in use", async () => {
  const { outcome, status, calls } = await tryPlugins([{}, {}]);
  assert.equal(outcome, "passed");
  assert.deepEqual(calls, [["status", "encrypt", "decrypt"], ["status"]]);
  assert.deepEqual(status.condition("KMSPreflightConfigHash"), { status: "True", message: configHash });
  assert.equal(status.condition("KMSPreflightResult").status, "True");
  assert.equal(status.condition("KMSPreflightRemoteKeyID").message, "remote-1");
  assert.equal(status.condition("Ready").status, "False", "foreign conditions are unchanged");
});

for (const [name, faults, message] of [
  ["is not there", "absent", /kms-1\.sock cannot be used: .*ENOENT/],
  ["is not healthy", { healthz: "sealed" }, /not healthy: sealed/],
  ["speaks a different version", { version: "v1" }, /version "v1"/],
  ["names no key", { keyId: "" }, /names no key/],
  ["names a key at length", { keyId: "k".repeat(1_025) }, /1025 bytes/],
  [
    "returns an oversized response",
    { encryptsTo: new Uint8Array(100_000) },
    /encrypt call failed: .*(CALM|larger|limit)/,
  ],
  ["refuses the status call", { refuses: ["status"] }, /permission denied by the vault/],
  ["refuses to encrypt", { refuses: ["encrypt"] }, /encrypt call failed: .*permission denied/],
  ["refuses to decrypt", { refuses: ["decrypt"] }, /decrypt call failed: .*permission denied/],
  ["gives back what it was given", { encryptsTo: "plaintext" }, /plaintext unchanged/],
  ["encrypts to nothing", { encryptsTo: new Uint8Array() }, /encrypts to nothing/],
  ["encrypts to too much", { encryptsTo: new Uint8Array(1_025) }, /1025 bytes/],
  ["decrypts to something else", { decryptsTo: new Uint8Array(32) }, /other data than was encrypted/],
  ["annotates without a domain", { annotations: { here: new Uint8Array(1) } }, /"here" is not a domain name/],
  ["annotates too much", { annotations: { "a.example": new Uint8Array(40_000) } }, /annotations have/],
] as const)
  test(`a plugin that ${name} fails, and the pod reports the reason`, async () => {
    const { outcome, status } = await tryPlugins([faults]);
    assert.match(outcome, message);
    const result = status.condition("KMSPreflightResult");
    assert.equal(result.status, "False");
    assert.match(result.message, message);
    assert.ok(result.message.length <= 1_024);
    assert.equal(status.condition("KMSPreflightConfigHash").message, configHash);
  });

test("a plugin that hangs is given up after the time for a call", async () => {
  const { outcome } = await tryPlugins([{ delayMs: 60_000 }], 100);
  assert.match(outcome, /deadline|timed out/);
});

test("an unavailable plugin in use fails the preflight before the new plugin is called", async () => {
  const { outcome, calls } = await tryPlugins([{}, { healthz: "sealed" }]);
  assert.match(outcome, /kms-1\.sock is not reachable: .*sealed/);
  assert.deepEqual(calls[0], []);
});

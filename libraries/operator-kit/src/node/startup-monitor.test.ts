import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { fallbackAnnotations } from "./last-known-good.ts";
import { NodeDisk } from "./node-disk.ts";
import { lockNode } from "./node-lock.ts";
import { monitorStartup, type StartupState } from "./startup-monitor.ts";

const signal = new AbortController().signal;
const directories: string[] = [];
let root: string;
let disk: NodeDisk;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "startup-monitor-"));
  directories.push(root);
  disk = new NodeDisk((path) => join(root, path));
});
after(async () => {
  for (const directory of directories) await rm(directory, { recursive: true });
});

const places = { targetName: "kube-apiserver", manifestsDir: "/manifests", resourceDir: "/resources" };
const own = "/manifests/kube-apiserver-startup-monitor-pod.yaml";

async function install(revision: number): Promise<void> {
  const content = JSON.stringify({
    kind: "Pod",
    metadata: { name: "kube-apiserver", labels: { revision: String(revision) } },
  });
  await disk.writeFile(`/resources/kube-apiserver-pod-${revision}/kube-apiserver-pod.yaml`, {
    content,
    mode: 0o600,
  });
  await disk.writeFile("/manifests/kube-apiserver-pod.yaml", { content, mode: 0o600 });
  await disk.writeFile(own, { content: "{}", mode: 0o600 });
}

async function followed() {
  return JSON.parse(await readFile(join(root, "manifests/kube-apiserver-pod.yaml"), "utf8")).metadata;
}

async function monitor(revision: number, check: (clock: ManualClock) => StartupState) {
  const clock = new ManualClock();
  const reported: number[] = [];
  const running = monitorStartup(
    { ...places, revision, fallbackTimeoutMs: 30_000 },
    {
      check: async () => check(clock),
      reportGood: async () => {
        reported.push(revision);
      },
      disk,
      clock,
      logger: silentLogger,
    },
    signal,
  );
  const ended = Symbol("ended");
  // Disk access between two probes takes real time, so the test waits with the system clock.
  while ((await Promise.race([running.then(() => ended), systemClock.sleep(5, signal)])) !== ended)
    await clock.advance(1_000);
  return { outcome: await running, reported };
}

const failing = (): StartupState => ({ ready: false, reason: "NetworkError", message: "connection refused" });

test("a revision that becomes ready is the one last known to be good", async () => {
  await install(3);
  let probes = 0;
  const { outcome, reported } = await monitor(3, () => {
    probes += 1;
    return probes < 5 ? failing() : { ready: true };
  });
  assert.equal(outcome, "good");
  assert.deepEqual(reported, [3]);
  assert.equal(
    await readlink(join(root, "resources/kube-apiserver-last-known-good")),
    "kube-apiserver-pod-3/kube-apiserver-pod.yaml",
  );
  assert.deepEqual(await readdir(join(root, "manifests")), ["kube-apiserver-pod.yaml"]);
});

test("a revision that does not become ready in time gives way to the one last known to be good", async () => {
  await install(3);
  await monitor(3, () => ({ ready: true }));
  await install(4);
  await install(5);
  const { outcome, reported } = await monitor(5, failing);
  assert.equal(outcome, "fell-back");
  assert.deepEqual(reported, []);
  const { labels, annotations, uid } = await followed();
  assert.equal(labels.revision, "3");
  assert.deepEqual(annotations, {
    [fallbackAnnotations.revision]: "5",
    [fallbackAnnotations.reason]: "NetworkError",
    [fallbackAnnotations.message]: "connection refused",
  });
  assert.match(uid, /^[-0-9a-f]{36}$/);
});

test("a delay of the monitor's process extends the time in which a revision must become ready", async () => {
  await install(3);
  await install(4);
  let probes = 0;
  const { outcome } = await monitor(4, (clock) => {
    probes += 1;
    if (probes === 2) clock.stall(120_000);
    return probes < 10 ? failing() : { ready: true };
  });
  assert.equal(outcome, "good");
});

test("without a last known good revision, the highest older one is used, or else the failing one stays", async () => {
  await install(3);
  assert.equal((await monitor(3, failing)).outcome, "nothing-to-fall-back-to");
  assert.equal((await followed()).labels.revision, "3");
  await install(4);
  await install(7);
  assert.equal((await monitor(7, failing)).outcome, "fell-back");
  assert.equal((await followed()).labels.revision, "4");
});

test("a revision that ran before the first fallback is the one for later fallbacks, not a newer one that never started", async () => {
  await install(3);
  await install(4);
  assert.equal((await monitor(4, failing)).outcome, "fell-back");
  assert.equal(
    await readlink(join(root, "resources/kube-apiserver-last-known-good")),
    "kube-apiserver-pod-3/kube-apiserver-pod.yaml",
  );
  await install(5);
  assert.equal((await monitor(5, failing)).outcome, "fell-back");
  assert.equal((await followed()).labels.revision, "3");
});

test("a good revision that was pruned is no place to fall back to", async () => {
  await install(3);
  await monitor(3, () => ({ ready: true }));
  await install(4);
  await install(5);
  await disk.remove("/resources/kube-apiserver-pod-3");
  assert.equal((await monitor(5, failing)).outcome, "fell-back");
  assert.equal((await followed()).labels.revision, "4");
});

test("a newer revision that an installer wrote meanwhile stays", async () => {
  await install(3);
  await install(4);
  assert.equal((await monitor(3, failing)).outcome, "superseded");
  assert.equal((await followed()).labels.revision, "4");
});

test("it waits while an installer holds the lock", async () => {
  await install(3);
  const lock = await lockNode(disk, "/resources/.kube-apiserver-pod.lock", systemClock, signal);
  let [probes, waits] = [0, 0];
  const sleep = async () => {
    waits += 1;
    assert.equal(probes, 0);
    if (waits === 3) lock[Symbol.dispose]();
  };
  const outcome = await monitorStartup(
    { ...places, revision: 3, fallbackTimeoutMs: 30_000 },
    {
      check: async () => {
        probes += 1;
        return { ready: true };
      },
      reportGood: async () => undefined,
      disk,
      clock: { ...systemClock, sleep },
      logger: silentLogger,
    },
    signal,
  );
  assert.equal(outcome, "good");
  assert.equal(waits, 3);
});

import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { EventText } from "@keelson/controller";
import { KubeError, type KubeObject, resources } from "@keelson/kube";
import { StoredObjects } from "../testing/stored-objects.ts";
import { type InstallOptions, install } from "./install.ts";
import { NodeDisk } from "./node-disk.ts";
import { pruneRevisions } from "./prune-revisions.ts";
import { createRevision, optionsOf } from "./testing/revision.ts";

const signal = new AbortController().signal;
const node = "master-0.example";
const directories: string[] = [];
let root: string;
let store: StoredObjects;
let events: EventText[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "install-"));
  directories.push(root);
  store = new StoredObjects();
  events = [];
});
after(async () => {
  for (const directory of directories) await rm(directory, { recursive: true });
});

function installerPod(name: string, state: object): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "operand", name, labels: { app: "installer" } },
    spec: { nodeName: node },
    status: { containerStatuses: [{ name: "installer", state }] },
  };
}

function run(options: InstallOptions, api: Partial<StoredObjects> = {}, clock = new ManualClock()) {
  const deps = {
    api: {
      find: (api.find ?? store.find).bind(store),
      list: (api.list ?? store.list).bind(store),
    },
    disk: new NodeDisk((path) => join(root, path)),
    node,
    report: (event: EventText) => events.push(event),
    clock,
    logger: silentLogger,
  };
  return install(options, deps, signal);
}

test("acceptance 16: an installer writes the revision, certificates and manifest where they belong, for root only", async () => {
  await createRevision(store, 3);
  await store.create(resources.pods, installerPod("installer-3-master-0", { running: {} }));
  await run(optionsOf(3));
  const revision = join(root, "resources/kube-apiserver-pod-3");
  assert.deepEqual((await readdir(revision)).toSorted(), [
    "configmaps",
    "kube-apiserver-pod.yaml",
    "secrets",
  ]);
  for (const path of [
    join(revision, "configmaps/config/config.yaml"),
    join(revision, "secrets/etcd-client/tls.key"),
    join(revision, "kube-apiserver-pod.yaml"),
    join(root, "resources/kube-apiserver-certs/secrets/serving/tls.key"),
    join(root, "manifests/kube-apiserver-pod.yaml"),
  ])
    assert.equal((await stat(path)).mode & 0o777, 0o600, path);
  assert.equal((await stat(join(revision, "secrets/etcd-client"))).mode & 0o777, 0o755);
  const manifest = JSON.parse(await readFile(join(root, "manifests/kube-apiserver-pod.yaml"), "utf8"));
  assert.equal(manifest.metadata.labels.revision, "3");
  assert.equal(manifest.metadata.uid, undefined);
  assert.equal(
    await readFile(join(revision, "configmaps/config/config.yaml"), "utf8"),
    "the word REVISION is part of a configuration",
  );
  assert.deepEqual(events, [
    { type: "Normal", reason: "StaticPodInstallerCompleted", message: "Successfully installed revision 3" },
  ]);
});

test("a node with an old kubelet gets a UID in its manifest", async () => {
  await createRevision(store, 3);
  await store.create(resources.pods, installerPod("installer-3-master-0", {}));
  await store.create(resources.nodes, {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: node },
    status: { nodeInfo: { kubeletVersion: "v1.22.9" } },
  });
  await run(optionsOf(3));
  const manifest = JSON.parse(await readFile(join(root, "manifests/kube-apiserver-pod.yaml"), "utf8"));
  assert.match(manifest.metadata.uid, /^[0-9a-f-]{36}$/);
});

test("an installer stops for a newer one and when its own pod is deleted", async () => {
  await createRevision(store, 3);
  await assert.rejects(run(optionsOf(3)), /^Error: no installer pods found$/);
  await store.create(resources.pods, installerPod("installer-3-master-0", {}));
  await store.create(resources.pods, installerPod("installer-4-retry-1-master-0", {}));
  await assert.rejects(
    run(optionsOf(3)),
    /^Error: more recent revision present on node: thisRevision=3, moreRecentRevision=4$/,
  );
  assert.deepEqual(await readdir(root), []);
});

test("an installer waits for older ones, a minute at most", async () => {
  await createRevision(store, 3);
  await store.create(resources.pods, installerPod("installer-3-master-0", {}));
  await store.create(resources.pods, installerPod("installer-2-master-0", { running: {} }));
  const clock = new ManualClock();
  const failing = assert.rejects(
    run(optionsOf(3), {}, clock),
    /still run on master-0.example: installer-2-master-0/,
  );
  await clock.advance(61_000);
  await failing;
  const later = new ManualClock();
  const installing = run(optionsOf(3), {}, later);
  await store.mergePatch(
    resources.pods,
    { namespace: "operand", name: "installer-2-master-0" },
    { status: { containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] } },
  );
  await later.advance(10_000);
  await installing;
});

test("what is required and absent is named, and nothing is written", async () => {
  await createRevision(store, 3);
  await store.create(resources.pods, installerPod("installer-3-master-0", {}));
  await store.delete(resources.secrets, { namespace: "operand", name: "etcd-client-3" });
  await assert.rejects(run(optionsOf(3)), /failed to copy: secrets "etcd-client-3" not found in operand/);
  assert.deepEqual(await readdir(root), []);
  assert.deepEqual(events, [
    {
      type: "Warning",
      reason: "StaticPodInstallerFailed",
      message: 'Installing revision 3: secrets "etcd-client-3" not found in operand',
    },
  ]);
});

test("a manifest that is no Pod fails, and the one that runs stays", async () => {
  await createRevision(store, 3);
  await createRevision(store, 4);
  await store.create(resources.pods, installerPod("installer-3-master-0", {}));
  await run(optionsOf(3));
  const before = await readFile(join(root, "manifests/kube-apiserver-pod.yaml"), "utf8");
  await store.delete(resources.pods, { namespace: "operand", name: "installer-3-master-0" });
  await store.create(resources.pods, installerPod("installer-4-master-0", {}));
  const pod = { namespace: "operand", name: "kube-apiserver-pod-4" };
  await store.mergePatch(resources.configMaps, pod, { data: { "pod.yaml": "kind: Pot" } });
  await assert.rejects(run(optionsOf(4)), /the manifest is no Pod/);
  await store.mergePatch(resources.configMaps, pod, { data: { "pod.yaml": null } });
  await assert.rejects(run(optionsOf(4)), /required 'pod.yaml' key does not exist in configmap/);
  assert.equal(await readFile(join(root, "manifests/kube-apiserver-pod.yaml"), "utf8"), before);
});

test("an API server that cannot be reached is asked again, one that refuses is not", async () => {
  await createRevision(store, 3);
  await store.create(resources.pods, installerPod("installer-3-master-0", {}));
  const clock = new ManualClock();
  let failures = 3;
  const installing = run(
    optionsOf(3),
    {
      find: (resource, key) => {
        failures -= 1;
        return failures >= 0
          ? Promise.reject(new KubeError(0, "Unreachable", "connection refused"))
          : store.find(resource, key);
      },
    },
    clock,
  );
  await clock.advance(10_000);
  await installing;
  const refusing = { find: () => Promise.reject(new KubeError(403, "Forbidden", "no")) };
  await assert.rejects(run(optionsOf(3), refusing), /failed to copy: no/);
});

test("installers that are killed anywhere leave the old revision or the new one, whole, and the next one completes it", async () => {
  await createRevision(store, 1);
  await createRevision(store, 2);
  const script = fileURLToPath(new URL("testing/install-until-killed.ts", import.meta.url));
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  await store.create(resources.pods, installerPod("installer-1-master-0", {}));
  await run(optionsOf(1));
  await store.delete(resources.pods, { namespace: "operand", name: "installer-1-master-0" });
  for (let writes = 1; writes <= 9; writes += 4) {
    const child = fork(script, [root, String(writes)], { execArgv });
    const [code, killedBy] = await once(child, "exit");
    assert.ok(killedBy === "SIGKILL" || code === 0, `ended with ${code}`);
    const manifest = JSON.parse(await readFile(join(root, "manifests/kube-apiserver-pod.yaml"), "utf8"));
    const revision = Number(manifest.metadata.labels.revision);
    // All files that a manifest references must exist before the manifest is written.
    for (const path of ["configmaps/config/config.yaml", "secrets/etcd-client/tls.key"])
      await stat(join(root, `resources/kube-apiserver-pod-${revision}`, path));
    const certificates = join(root, "resources/kube-apiserver-certs/secrets/serving");
    const [certificate, key] = [
      await readFile(join(certificates, "tls.crt"), "utf8"),
      await readFile(join(certificates, "tls.key"), "utf8"),
    ];
    assert.equal(certificate, key);
  }
  await store.create(resources.pods, installerPod("installer-2-master-0", {}));
  await run(optionsOf(2));
  const manifest = JSON.parse(await readFile(join(root, "manifests/kube-apiserver-pod.yaml"), "utf8"));
  assert.equal(manifest.metadata.labels.revision, "2");
  assert.deepEqual(await readdir(join(root, "manifests")), ["kube-apiserver-pod.yaml"]);
});

test("a pruner takes what is old enough and not protected, and nothing else", async () => {
  const disk = new NodeDisk((path) => join(root, path));
  for (const revision of [1, 2, 3, 4, 5])
    await disk.makeDirectory(`/resources/kube-apiserver-pod-${revision}/secrets`);
  await disk.makeDirectory("/resources/kube-apiserver-certs");
  await disk.writeFile("/resources/kube-apiserver-pod-1/kube-apiserver-pod.yaml", {
    content: "{}",
    mode: 0o600,
  });
  const options = {
    maxEligibleRevision: 4,
    protectedRevisions: [2, 4],
    resourceDir: "/resources",
    staticPodName: "kube-apiserver-pod",
  };
  assert.deepEqual(await pruneRevisions(options, disk), ["kube-apiserver-pod-1", "kube-apiserver-pod-3"]);
  assert.deepEqual((await readdir(join(root, "resources"))).toSorted(), [
    "kube-apiserver-certs",
    "kube-apiserver-pod-2",
    "kube-apiserver-pod-4",
    "kube-apiserver-pod-5",
  ]);
  assert.deepEqual(await pruneRevisions(options, disk), []);
  await disk.makeDirectory("/resources/kube-apiserver-pod-old");
  await assert.rejects(
    pruneRevisions({ ...options, protectedRevisions: [] }, disk),
    /kube-apiserver-pod-old: "old" is not a revision/,
  );
  assert.equal((await readdir(join(root, "resources"))).length, 5);
});

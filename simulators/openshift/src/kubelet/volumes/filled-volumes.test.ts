import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type ApiServer, type KubeObject, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  isPlainObject,
  issueCertificate,
  numberAt,
  silentLogger,
} from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { Cache } from "@keelson/controller";
import { resources } from "../../base/resources.ts";
import { inProcessApi } from "../../runtime/in-process-api.ts";
import { WorkloadContext } from "../../workload-context/workload-context.ts";
import { PodWorker } from "../pod-worker.ts";
import { ImageRegistry } from "../processes/image-registry.ts";
import { FilledVolumes } from "./filled-volumes.ts";
import type { VolumeDeps } from "./volume-deps.ts";

const minuteMs = 60_000;
const namespace = "default";
const clock = new ManualClock(new Date());
let directory: string;
let server: ApiServer;
let cluster: LogicalCluster;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "volumes-"));
  const authority = await createCertificateAuthority("test", 2);
  const tls = await issueCertificate(authority, { commonName: "localhost", usage: "server", validDays: 1 });
  const storage = { kind: "memory" } as const;
  server = await startApiServer({ host: "127.0.0.1", port: 0, tls, storage, logger: silentLogger, clock });
  cluster = await server.createCluster({ name: "demo", clientCertificateAuthorities: [] });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const configMap = (name: string, data: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace, name },
  data,
});

function depsIn(podDirectory: string): VolumeDeps {
  const { client } = cluster;
  const cache = new Cache({ api: inProcessApi(client), clock, logger: silentLogger });
  const context = new WorkloadContext({ client, cache, clock, logger: silentLogger });
  return { context, cluster, podDirectory, nodeDirectory: directory, claimsDirectory: directory };
}

const volumesIn = (podDirectory: string) => new FilledVolumes(depsIn(podDirectory));

/** Creates a pod with these volumes. Returns the pod and the directory of the volume `v`. */
async function newPod(name: string, volumes: readonly object[], mount: object = {}) {
  const metadata = { namespace, name };
  await cluster.client
    .create(resources.serviceAccounts, { apiVersion: "v1", kind: "ServiceAccount", metadata })
    .catch(() => undefined);
  const container = { name: "c", image: "i", volumeMounts: [{ name: "v", mountPath: "/v", ...mount }] };
  const pod: KubeObject = await cluster.client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    spec: {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      containers: [container],
      volumes: volumes.map((volume) => ({ name: "v", ...volume })),
    },
  });
  const podDirectory = join(directory, name);
  const filled = volumesIn(podDirectory);
  await filled.fill(pod);
  return { pod, filled, place: join(podDirectory, "volumes/v") };
}

const read = (...parts: string[]) => readFile(join(...parts), "utf8");

function expiryMs(token: string): number {
  const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  return (numberAt(isPlainObject(claims) ? claims : {}, "exp") ?? 0) * 1_000;
}

test("a projected token is exchanged when four fifths of its life, or a day, have passed", async () => {
  for (const [seconds, renewedAfterMinutes] of [
    [600, 8],
    [3_600, 48],
    [200_000, 24 * 60],
  ] as const) {
    const source = {
      serviceAccountToken: { path: "token", audience: "openshift", expirationSeconds: seconds },
    };
    const { pod, filled, place } = await newPod(`token-${seconds}`, [{ projected: { sources: [source] } }]);
    const first = await read(place, "token");
    let minutes = 0;
    while ((await read(place, "token")) === first && minutes < renewedAfterMinutes + 5) {
      await clock.advance(minuteMs);
      minutes += 1;
      assert.equal(await filled.sync(pod), minuteMs);
      assert.ok(expiryMs(await read(place, "token")) > clock.now().getTime(), "it never ends in the pod");
    }
    assert.equal(minutes, renewedAfterMinutes, `${seconds} seconds`);
  }
});

test("a changed ConfigMap reaches the pod within a minute, all files atomically", async () => {
  const data = { a: "1", b: "1" };
  await cluster.client.create(resources.configMaps, configMap("settings", data));
  const { pod, filled, place } = await newPod("follows", [{ configMap: { name: "settings" } }]);
  const before = await readlink(join(place, "..data"));
  assert.deepEqual([await read(place, "a"), await readlink(join(place, "a"))], ["1", "..data/a"]);

  await cluster.client.mergePatch(
    resources.configMaps,
    { namespace, name: "settings" },
    { data: { a: "2", b: null, c: "2" } },
  );
  assert.equal(await filled.sync(pod), minuteMs);
  assert.equal(await read(place, "a"), "1", "not yet");
  await clock.advance(minuteMs);
  await filled.sync(pod);
  assert.deepEqual([await read(place, "a"), await read(place, "c")], ["2", "2"]);
  const names = (await readdir(place)).filter((name) => !name.startsWith(".."));
  assert.deepEqual(names.sort(), ["a", "c"]);
  const after = await readlink(join(place, "..data"));
  assert.notEqual(after, before);
  assert.deepEqual(
    (await readdir(place)).filter((name) => name.startsWith("..")).sort(),
    [after, "..data"].sort(),
  );

  await clock.advance(minuteMs);
  await filled.sync(pod);
  assert.equal(await readlink(join(place, "..data")), after, "nothing changed: nothing is exchanged");
});

test("the content of a deleted source stays in the pod, unless it is optional", async () => {
  for (const optional of [false, true]) {
    const name = `deleted-${optional}`;
    await cluster.client.create(resources.configMaps, configMap(name, { a: "1" }));
    const { pod, filled, place } = await newPod(name, [{ configMap: { name, optional } }]);
    await cluster.client.delete(resources.configMaps, { namespace, name });
    await clock.advance(minuteMs);
    await filled.sync(pod);
    const present = await read(place, "a").catch(() => undefined);
    assert.equal(present, optional ? undefined : "1");
  }
});

test("a subPath mount keeps its original content", async () => {
  await cluster.client.create(resources.configMaps, configMap("part", { a: "1" }));
  const mount = { subPath: "a" };
  const { pod, filled, place } = await newPod("part", [{ configMap: { name: "part" } }], mount);
  const seen = join(place, await readlink(join(place, "..data")), "a");
  await cluster.client.mergePatch(resources.configMaps, { namespace, name: "part" }, { data: { a: "2" } });
  await clock.advance(minuteMs);
  await filled.sync(pod);
  assert.deepEqual([await read(seen), await read(place, "a")], ["1", "2"]);
});

test("no path of a volume escapes it", async () => {
  await cluster.client.create(resources.configMaps, configMap("paths", { a: "1" }));
  for (const path of ["../x", "a/../../x", "/x", "..data", "..", "."]) {
    const volume = { name: "v", configMap: { name: "paths", items: [{ key: "a", path }] } };
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: "paths" },
      spec: { volumes: [volume] },
    };
    await assert.rejects(volumesIn(join(directory, "paths")).fill(pod), /invalid path/, path);
  }
});

test("the kubelet checks pods with volumes in use each minute, but no other pods", async () => {
  await cluster.client.create(resources.configMaps, configMap("worker", { a: "1" }));
  const { pod, place } = await newPod("worker", [{ configMap: { name: "worker" } }]);
  const deps = depsIn(join(directory, "worker"));
  let changes = 0;
  const worker = new PodWorker(pod, {
    ...deps,
    images: new ImageRegistry(),
    responds: () => true,
    crashBackoffMs: 1,
    changed: () => changes++,
  });
  assert.equal(await worker.advance(pod), undefined);
  const [container] = worker.containers;
  assert.ok(container);
  await (await worker.filesOf(container)).make();
  assert.equal(changes, 1, "the pod requests a check");
  assert.equal(await worker.advance(pod), minuteMs);
  const key = { namespace, name: "worker" };
  await cluster.client.mergePatch(resources.configMaps, key, { data: { a: "2" } });
  await clock.advance(minuteMs);
  assert.equal(await worker.advance(pod), minuteMs);
  assert.equal(await read(place, "a"), "2");
  await worker.stop(0);
});

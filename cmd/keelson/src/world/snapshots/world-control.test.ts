import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { WorldControl, type WorldProcesses } from "./world-control.ts";
import { stagedWorld } from "./world-files.ts";

/** World of one file. Its processes record the calls. */
function testWorld(change: Partial<WorldProcesses> = {}) {
  const directory = mkdtempDisposableSync(join(tmpdir(), "keelson-control-"));
  const calls: string[] = [];
  const record = async (call: string) => void calls.push(call);
  const processes: WorldProcesses = {
    prepare: async () => undefined,
    discard: async () => undefined,
    async pause() {
      calls.push("pause");
      return { [Symbol.asyncDispose]: () => record("resume") };
    },
    stop: () => record("stop"),
    start: (path) => record(path === undefined ? "start" : `start in ${basename(path)}`),
    ...change,
  };
  const control = new WorldControl({
    directory: directory.path,
    processes,
    version: "1.2.3",
    clock: systemClock,
    logger: silentLogger,
  });
  const file = join(directory.path, "azure.sqlite");
  const write = (content: string) => writeFileSync(file, content);
  const read = () => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
  return {
    directory,
    calls,
    control,
    write,
    read,
    async [Symbol.asyncDispose]() {
      await control[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

test("a snapshot is saved while the processes pause, and restored while they are stopped", async () => {
  await using world = testWorld();
  world.write("one");
  const snapshot = await world.control.save("base", { replace: false });
  assert.partialDeepStrictEqual(snapshot, { name: "base", version: "1.2.3", bytes: 3 });
  world.write("two");
  await world.control.restore("base");
  assert.equal(world.read(), "one");
  assert.deepEqual(world.calls, ["pause", "resume", "stop", "start in world.link-1"]);
  world.write("three");
  await world.control.restore("base");
  assert.equal(world.read(), "one", "the snapshot is unchanged by the world that it started");
});

test("a restore uses a copy that an earlier restore made in advance, but not if the snapshot was replaced", async () => {
  await using world = testWorld();
  world.write("one");
  await world.control.save("base", { replace: false });
  await world.control.restore("base");
  const copy = join(stagedWorld(world.directory.path), "azure.sqlite");
  while (!existsSync(copy) || readFileSync(copy, "utf8") !== "one") await delay(5);
  // Changes the copy, so that its use is visible.
  writeFileSync(copy, "copied one");
  await world.control.restore("base");
  assert.equal(world.read(), "copied one");
  world.write("two");
  await world.control.save("base", { replace: true });
  await world.control.restore("base");
  assert.equal(world.read(), "two");
  await world.control.save("other", { replace: false });
  world.write("three");
  await world.control.restore("other");
  assert.equal(world.read(), "two");
  await world.control.remove("other");
  await assert.rejects(world.control.restore("other"), { code: "SnapshotNotFound" });
});

test("a save, a removal and a disposal leave no copy for a later restore", async () => {
  await using world = testWorld();
  const { control } = world;
  world.write("one");
  await control.save("base", { replace: false });
  const operations: readonly (() => Promise<unknown>)[] = [
    () => control.save("other", { replace: false }),
    () => control.remove("other"),
    () => assert.rejects(control.restore("other"), { code: "SnapshotNotFound" }),
    () => control[Symbol.asyncDispose](),
  ];
  const left = () => readdirSync(world.directory.path).filter((name) => !name.startsWith("world.link-"));
  for (const operation of operations) {
    await control.restore("base");
    await operation();
    assert.deepEqual(left().sort(), ["azure.sqlite", "snapshots"]);
  }
  assert.equal(readdirSync(world.directory.path).length, 2, "a disposal also deletes the links");
});

test("the first reset saves the empty world that the processes create, and later ones restore it", async () => {
  await using world = testWorld({
    async start() {
      if (world.read() === undefined) world.write("seeded");
    },
  });
  world.write("used");
  await world.control.reset();
  assert.equal(world.read(), "seeded");
  world.write("used again");
  await world.control.reset();
  assert.equal(world.read(), "seeded");
  assert.deepEqual(await world.control.list(), [], "the empty world is not listed");
});

test("a second operation at the same time is rejected with SnapshotBusy", async () => {
  const started = Promise.withResolvers<void>();
  await using world = testWorld({ start: () => started.promise });
  world.write("one");
  await world.control.save("base", { replace: false });
  const restoring = world.control.restore("base");
  await assert.rejects(world.control.save("other", { replace: false }), {
    code: "SnapshotBusy",
    message: "The restore of base is in progress. Try again later.",
  });
  started.resolve();
  await restoring;
});

test("standby processes load the copy before the stop, and their paths name the files of the new world after it", async () => {
  const seen: (string | undefined)[] = [];
  const contentIn = (path: string) => readFileSync(join(path, "azure.sqlite"), "utf8");
  await using world = testWorld({
    prepare: async (path) => void seen.push(`prepared ${basename(path)}: ${contentIn(path)}`),
    stop: async () => void seen.push("stopped"),
    start: async (path = "") => void seen.push(`started ${basename(path)}: ${contentIn(path)}`),
  });
  world.write("one");
  await world.control.save("base", { replace: false });
  world.write("two");
  await world.control.restore("base");
  assert.deepEqual(seen, ["prepared world.link-1: one", "stopped", "started world.link-1: one"]);
  world.write("three");
  assert.equal(contentIn(join(world.directory.path, "world.link-1")), "three");
});

test("if the exchange fails, the processes start with the old world, and standby processes are discarded", async () => {
  const calls: string[] = [];
  await using world = testWorld({
    // Deletes the copy, so that the exchange fails.
    stop: async () => rmSync(stagedWorld(world.directory.path), { recursive: true }),
    discard: async () => void calls.push("discard"),
    start: async (path) => void calls.push(`start ${path}`),
  });
  world.write("one");
  await world.control.save("base", { replace: false });
  world.write("two");
  calls.length = 0;
  await assert.rejects(world.control.restore("base"), { code: "ENOENT" });
  assert.deepEqual(calls, ["discard", "discard", "start undefined"], "also before the copy was written");
  assert.equal(world.read(), "two");
});

test("an unknown snapshot is rejected before the processes stop", async () => {
  await using world = testWorld();
  world.write("one");
  await assert.rejects(world.control.restore("other"), { code: "SnapshotNotFound" });
  await assert.rejects(world.control.restore("../other"), { code: "SnapshotNameInvalid" });
  assert.deepEqual(world.calls, []);
  assert.equal(world.read(), "one");
});

test("a failed save leaves the earlier snapshot and resumes the processes", async () => {
  await using world = testWorld();
  world.write("one");
  await world.control.save("base", { replace: false });
  await assert.rejects(world.control.save("base", { replace: false }), { code: "SnapshotExists" });
  world.write("two");
  mkdirSync(join(world.directory.path, "snapshots/.base.new"));
  await world.control.save("base", { replace: true });
  world.write("three");
  await world.control.restore("base");
  assert.equal(world.read(), "two");
});

test("after a restore, revisions of an API server continue above those of the replaced world", async () => {
  await using world = testWorld();
  const directory = world.directory.path;
  const ca = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(ca, { commonName: "localhost", usage: "server", validDays: 1 });
  const open = () =>
    startApiServer({
      host: "127.0.0.1",
      port: 0,
      tls,
      storage: { kind: "file", path: join(directory, "clusters.sqlite") },
      logger: silentLogger,
      clock: systemClock,
    });
  const configMaps = { group: "", version: "v1", resource: "configmaps" };
  const metadata = { name: "later", namespace: "default" };
  {
    await using server = await open();
    await server.createCluster({ name: "demo", clientCertificateAuthorities: [] });
  }
  await world.control.save("base", { replace: false });
  let seen = 0;
  {
    await using server = await open();
    const client = server.findCluster("demo")?.client;
    await client?.create(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata });
    seen = Number((await client?.list(configMaps))?.resourceVersion);
  }
  assert.ok(seen > 1);
  await world.control.restore("base");
  await using server = await open();
  const list = await server.findCluster("demo")?.client.list(configMaps);
  assert.equal(list?.items.filter((each) => each.metadata.name === "later").length, 0);
  assert.ok(Number(list?.resourceVersion) > seen, `${list?.resourceVersion} after ${seen}`);
});

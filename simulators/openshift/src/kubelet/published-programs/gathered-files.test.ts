import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { parse } from "yaml";
import { ContainerFiles } from "../containers/container-files.ts";
import { fileName, GatheredFiles } from "./gathered-files.ts";

const type = { apiVersion: "v1", kind: "ConfigMap" };
const object = (name: string, bytes = 0) => ({
  ...type,
  metadata: { name },
  data: { a: "x".repeat(bytes) },
});

async function* objects(count: number, bytes: number, read: () => void = () => undefined) {
  for (let at = 0; at < count; at++) {
    read();
    yield object(`o${at}`, bytes);
  }
}

async function start(t: TestContext, maxBytes: number, maxListBytes = maxBytes) {
  const root = await mkdtemp(join(tmpdir(), "gathered-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const errors: string[] = [];
  const io = {
    files: new ContainerFiles(root, []),
    stderr: (chunk: Uint8Array | string) => void errors.push(String(chunk)),
    signal: AbortSignal.timeout(60_000),
  };
  const at = (path: string) => join(root, "must-gather", path);
  return { files: new GatheredFiles({ io, maxBytes, maxListBytes }), at, errors };
}

test("a list is one YAML document, and no objects result in no file", async (t) => {
  const { files, at, errors } = await start(t, 1_000_000);
  const seen: string[] = [];
  await files.writeList("a/list.yaml", type, objects(3, 10), async ({ metadata }) => {
    seen.push(metadata.name);
  });
  await files.writeList("a/none.yaml", type, objects(0, 0));
  const list = parse(await readFile(at("a/list.yaml"), "utf8"));
  assert.deepEqual(list, {
    apiVersion: "v1",
    kind: "ConfigMapList",
    items: [object("o0", 10), object("o1", 10), object("o2", 10)],
  });
  assert.deepEqual(seen, ["o0", "o1", "o2"]);
  assert.deepEqual(await readdir(at("a")), ["list.yaml"]);
  assert.deepEqual(errors, []);
});

test("a list ends at its limit, before all objects are read, and further files are written", async (t) => {
  const { files, at, errors } = await start(t, 1_000_000, 10_000);
  let read = 0;
  await files.writeList(
    "list.yaml",
    type,
    objects(1_000, 1_000, () => read++),
  );
  const text = await readFile(at("list.yaml"), "utf8");
  assert.ok(text.length <= 10_000 && text.length > 8_000, String(text.length));
  assert.ok(read < 12, String(read));
  assert.deepEqual(errors, ["error: list.yaml reaches the limit of 10000 bytes\n"]);
  assert.ok(!files.isFull);
  await files.writeObject("one.yaml", object("one"));
  assert.equal(parse(await readFile(at("one.yaml"), "utf8")).metadata.name, "one");
});

test("objects in separate files end at the limit of a list, and further files are written", async (t) => {
  const { files, at, errors } = await start(t, 1_000_000, 10 * 4_096);
  await files.writeObjects("nodes", objects(1_000, 10));
  assert.equal((await readdir(at("nodes"))).length, 10);
  assert.deepEqual(errors, ["error: nodes reaches the limit of 40960 bytes\n"]);
  await files.writeObject("one.yaml", object("one"));
  assert.equal(parse(await readFile(at("one.yaml"), "utf8")).metadata.name, "one");
});

test("the total limit ends a list between two objects, and no further file is written", async (t) => {
  const { files, at } = await start(t, 20_000);
  let read = 0;
  await files.writeList(
    "list.yaml",
    type,
    objects(1_000, 1_000, () => read++),
  );
  assert.ok((await readFile(at("list.yaml"))).length <= 20_000);
  assert.ok(read < 22, String(read));
  assert.ok(files.isFull);
  await files.write("version", "v");
  assert.deepEqual(await readdir(at("")), ["list.yaml"]);
});

test("each file counts at least one block", async (t) => {
  const { files, at } = await start(t, 10 * 4_096);
  for (let each = 0; each < 20; each++) await files.write(`f${each}`, "x");
  assert.equal((await readdir(at(""))).length, 10);
});

test("other work of the event loop runs between two objects", async (t) => {
  const { files } = await start(t, 10_000_000);
  let turn = 0;
  const turns: number[] = [];
  let isDone = false;
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  count();
  await files.writeList(
    "list.yaml",
    type,
    objects(100, 10, () => turns.push(turn)),
  );
  isDone = true;
  assert.equal(new Set(turns).size, 100, "one object per turn");
});

test("a long file name is shortened, and different names stay different", () => {
  assert.equal(fileName("a", ".yaml"), "a.yaml");
  const [first, second] = [`${"x".repeat(252)}a`, `${"x".repeat(252)}b`];
  assert.equal(fileName(first), first);
  const names = [fileName(first, ".yaml"), fileName(second, ".yaml"), fileName("ö".repeat(253), ".yaml")];
  assert.equal(new Set(names).size, 3);
  for (const name of names) {
    assert.ok(Buffer.byteLength(name) <= 255, name);
    assert.match(name, /-[0-9a-f]{16}\.yaml$/);
  }
});

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type JournalRecord, memoryJournal } from "@keelson/sim-store";
import fc from "fast-check";
import { Store } from "../store/store.ts";
import { BlobFiles } from "./blob-files.ts";
import { type Blob, Blobs } from "./blob-store.ts";
import { type Extent, sizeOf, sliceExtents, splitExtents } from "./extents.ts";

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "blob-files-"));
});
after(() => rm(directory, { recursive: true, force: true }));

let count = 0;
/** Opens a blob store. Each test uses a separate directory. */
function open(store = Store.inMemory(), path = join(directory, String(++count))) {
  const files = new BlobFiles(path);
  return { path, store, files, blobs: new Blobs(store, files) };
}
const at = { account: "a", container: "c", name: "../../etc/passwd" };
const chunks = async function* (...texts: readonly string[]) {
  for (const each of texts) yield Buffer.from(each);
};
const blobOf = (extents: Blob["extents"]): Blob => {
  return { extents, contentType: "text/plain", etag: "1", changedAt: "2026-01-01T00:00:00Z" };
};

describe("files of blobs", () => {
  test("store content under generated names until no row refers to it", async () => {
    const { path, store, files, blobs } = open();
    const received = await files.receive(chunks("one ", "two"));
    assert.deepEqual(
      [received.size, received.md5],
      [7, createHash("md5").update("one two").digest("base64")],
    );
    const extents = received.extent ? [received.extent] : [];
    store.transaction(() => blobs.put(at, blobOf(extents)));
    await store.durable();
    assert.deepEqual(await readdir(path), [received.extent?.file]);
    assert.equal(String(await files.readWhole(blobs.find(at)?.extents ?? [])), "one two");
    assert.equal(String(await files.readWhole(sliceExtents(extents, 2, 3))), "e t");
    store.transaction(() => blobs.delete(at));
    await store.durable();
    await files[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(path), []);
  });

  test("are kept while they are read", async () => {
    const { path, store, files, blobs } = open();
    const { extent } = await files.receive(chunks("content"));
    store.transaction(() => blobs.put(at, blobOf(extent ? [extent] : [])));
    await store.durable();
    const stream = files.read(blobs.find(at)?.extents ?? []);
    const closed = once(stream, "close");
    store.transaction(() => blobs.delete(at));
    await store.durable();
    assert.equal(Buffer.concat(await Array.fromAsync(stream)).toString(), "content");
    await closed;
    await files[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(path), []);
  });

  test("incomplete content, and content without a row, is deleted", async () => {
    const { path, files, blobs } = open();
    const broken = async function* () {
      yield Buffer.from("part");
      throw new Error("the client went away");
    };
    await assert.rejects(files.receive(broken()), /went away/);
    blobs.abandon(await files.receive(chunks("unwanted")));
    await files[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(path), []);
  });

  test("a reverted write preserves the previous content", async () => {
    const { path, store, files, blobs } = open();
    const [first, second] = [await files.receive(chunks("1")), await files.receive(chunks("2"))];
    store.transaction(() => blobs.put(at, blobOf(first.extent ? [first.extent] : [])));
    await store.durable();
    assert.throws(() =>
      store.transaction(() => {
        blobs.put(at, blobOf(second.extent ? [second.extent] : []));
        throw new Error("refused");
      }),
    );
    blobs.abandon(second);
    store.transaction(() => store.table("other").set("x", {}));
    await store.durable();
    await files[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(path), [first.extent?.file]);
  });

  test("only leftovers of a killed process are deleted at the next start", async () => {
    const { path, store, files, blobs } = open();
    const { extent } = await files.receive(chunks("kept"));
    store.transaction(() => blobs.put(at, blobOf(extent ? [extent] : [])));
    await writeFile(join(path, "orphan"), "x");
    await writeFile(join(path, "half.part"), "x");
    const next = open(store, path);
    await next.files[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(path), [extent?.file]);
  });

  test("blobs that older versions stored in rows move to files", async () => {
    const rows = new Map([
      ["blob", { "a/c/x": { content: Buffer.from("old").toString("base64"), contentType: "text/plain" } }],
      ["blobBlock", { "a/c/x\nQQ==": { content: Buffer.from("block").toString("base64") } }],
    ]);
    const written: JournalRecord[] = [];
    const store = await Store.open({
      ...memoryJournal(),
      async *read(log) {
        const all = [...rows].flatMap(([bucket, byKey]) =>
          Object.entries(byKey).map(([key, row]) => ({
            bucket,
            key,
            value: Buffer.from(JSON.stringify(row)),
          })),
        );
        yield all.map((each, at) => ({ log, revision: at + 1, ...each }));
      },
      append: (records) => void written.push(...records),
    });
    const { files, blobs } = open(store);
    const name = { account: "a", container: "c", name: "x" };
    assert.equal(String(await files.readWhole(blobs.find(name)?.extents ?? [])), "old");
    assert.deepEqual(blobs.waitingBlocks(name), [{ id: "QQ==", size: 5 }]);
    assert.equal(String(await files.readWhole(blobs.findBlock(name, "QQ==") ?? [])), "block");
    await store.durable();
    assert.equal(written.length, 2);
    assert.ok(written.every(({ value }) => value && !Buffer.from(value).includes('content"')));
  });

  test("the directory is created on demand", async () => {
    await mkdir(join(directory, "none"));
    const { path } = open(Store.inMemory(), join(directory, "none", "blobs"));
    await assert.rejects(readdir(path));
  });
});

test("extents split into sizes are the same bytes", () => {
  const extent = fc.record({
    file: fc.constantFrom("a", "b"),
    offset: fc.nat(100),
    size: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(fc.array(extent), fc.array(fc.nat(60)), (extents, sizes) => {
      const bytes = (of: readonly Extent[]) =>
        of.flatMap(({ file, offset, size }) =>
          Array.from({ length: size }, (_, at) => `${file}${offset + at}`),
        );
      const parts = splitExtents(extents, [...sizes, sizeOf(extents)]);
      assert.deepEqual(parts.flatMap(bytes), bytes(extents));
      const left = bytes(extents);
      for (const [at, size] of sizes.entries())
        assert.deepEqual(bytes(parts[at] ?? []), left.splice(0, size));
    }),
  );
});

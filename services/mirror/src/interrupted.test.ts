import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { UploadRecords } from "./copy/upload-records.ts";
import { failuresOf } from "./report.ts";
import { mirror, temporaryDirectory, testSettings } from "./testing/mirror-setup.ts";
import { TestRegistry } from "./testing/test-registry.ts";

test("interrupted at 20 random moments and resumed, all images arrive byte-equal and no byte is sent twice", async () => {
  const property = fc.asyncProperty(
    fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 20, maxLength: 20 }),
    async (moments) => {
      let abort = () => {};
      let left = Number.POSITIVE_INFINITY;
      const count = () => {
        if (--left <= 0) abort();
        return undefined;
      };
      await using source = await TestRegistry.start({ fault: count });
      await using target = await TestRegistry.start({ fault: count });
      using directory = temporaryDirectory();
      const sizes = [400_000, 650_000, 64 * 1024, 10, 300_000];
      const images = ["one", "two"].map((tag) => {
        source.store.addImage("app/web", sizes, tag);
        return `${source.host}/app/web:${tag}`;
      });
      const options = {
        destination: target.host,
        registries: { [source.host]: await testSettings(), [target.host]: await testSettings() },
        images,
        stateDirectory: directory.path,
      };
      for (const moment of moments) {
        const stop = new AbortController();
        abort = () => stop.abort("draining");
        left = moment;
        await mirror({ ...options, signal: stop.signal }).catch((reason) => assert.equal(reason, "draining"));
      }
      left = Number.POSITIVE_INFINITY;
      const report = await mirror(options);
      assert.deepEqual(failuresOf(report), []);
      assert.deepEqual(target.store.contents(), source.store.contents());
      for (const [name, taken] of target.uploads.takenBytes)
        assert.equal(taken, target.store.blobs.get(name)?.length, name);
      const unique = [...source.store.blobs.values()].reduce((sum, { length }) => sum + length, 0);
      // Blobs that fit in one chunk may be sent twice. Uploads of larger blobs must resume.
      const { abandoned, taken } = target.uploads;
      assert.equal(taken, unique + abandoned.reduce((sum, length) => sum + length, 0));
      assert.ok(
        abandoned.every((length) => length <= 64 * 1024),
        String(abandoned),
      );
    },
  );
  await fc.assert(property, { numRuns: 1 });
});

test("a large blob resumes where the previous process stopped, including bytes after the last record", async () => {
  let breaks = 3;
  await using source = await TestRegistry.start();
  await using target = await TestRegistry.start({
    // The registry rejects the third chunk with status 500 and does not store it.
    fault: ({ method }) => (method === "PATCH" && breaks-- === 1 ? { status: 500 } : undefined),
  });
  using directory = temporaryDirectory();
  source.store.addImage("big", [900_000], "v1");
  const options = {
    destination: target.host,
    registries: { [source.host]: await testSettings(), [target.host]: await testSettings() },
    images: [`${source.host}/big:v1`],
    stateDirectory: directory.path,
  };
  const stop = new AbortController();
  let progress = 0;
  const interrupted = mirror({
    ...options,
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind === "bytes" && ++progress === 5) stop.abort("draining");
    },
  });
  await assert.rejects(interrupted, (reason) => reason === "draining");
  const before = target.uploads.taken;
  assert.ok(before > 0 && before < 900_000);
  const requests = source.requests.length;
  const report = await mirror(options);
  assert.deepEqual(failuresOf(report), []);
  assert.deepEqual(target.store.contents(), source.store.contents());
  assert.equal(
    target.uploads.taken,
    [...source.store.blobs.values()].reduce((sum, { length }) => sum + length, 0),
  );
  assert.ok(source.requests.length > requests);
});

test("two processes do not share a state directory", async () => {
  using directory = temporaryDirectory();
  {
    using _ = await UploadRecords.open(directory.path);
    await assert.rejects(UploadRecords.open(directory.path), { code: "MirrorBusy" });
  }
  (await UploadRecords.open(directory.path))[Symbol.dispose]();
});

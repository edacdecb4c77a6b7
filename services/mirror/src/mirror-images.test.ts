import assert from "node:assert/strict";
import { test } from "node:test";
import { failuresOf } from "./report.ts";
import { mirror, temporaryDirectory, testSettings } from "./testing/mirror-setup.ts";
import { TestRegistry } from "./testing/test-registry.ts";

test("an index with all its images arrives byte-equal, and a second run sends nothing", async () => {
  await using source = await TestRegistry.start();
  await using target = await TestRegistry.start();
  using directory = temporaryDirectory();
  const images = [
    source.store.addImage("a/b", [100, 200_000, 64 * 1024]),
    source.store.addImage("a/b", [300_001]),
  ];
  source.store.addIndex("a/b", images, "v1");
  const options = {
    destination: target.host,
    registries: { [source.host]: await testSettings(), [target.host]: await testSettings() },
    images: [`${source.host}/a/b:v1`],
    stateDirectory: directory.path,
  };
  const report = await mirror(options);
  assert.deepEqual(failuresOf(report), []);
  assert.equal(report.images[0]?.status, "copied");
  assert.deepEqual(target.store.contents(), source.store.contents());
  const { taken } = target.uploads;
  assert.equal(report.sentBytes, taken);
  assert.equal(
    taken,
    [...source.store.blobs.values()].reduce((sum, { length }) => sum + length, 0),
  );
  const again = await mirror(options);
  assert.equal(again.images[0]?.status, "present");
  assert.equal(target.uploads.taken, taken);
});

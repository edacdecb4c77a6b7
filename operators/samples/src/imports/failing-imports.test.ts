import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRetries, failingImports } from "../testing/failing-imports.ts";
import { type SamplesWorld, samplesWorlds } from "../testing/samples-world.ts";

for (const { name, start } of samplesWorlds)
  describe(`imagestreams that cannot be imported on ${name}`, () => {
    let world: SamplesWorld;
    before(async () => {
      world = await start();
    });
    after(() => world[Symbol.asyncDispose]());

    test("are retried every 10 to 20 minutes, not together, and reported once", async () => {
      const failed = await failingImports(world, { streams: 30, failing: 70, after: 1 });
      assertRetries(failed, { streams: 30, failing: 70, most: 15 });
      const expected = Array.from({ length: 30 }, (_, at) => [
        `stream-${at}`,
        { "1": `no access to stream-${at}` },
      ]);
      assert.deepEqual(failed.reported, Object.fromEntries(expected));
      assert.equal(failed.writes, 0);
      assert.deepEqual(failed.left, {}, "none is reported any more");
    });
  });

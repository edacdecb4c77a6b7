import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { systemClock } from "@keelson/base";
import { KubeError } from "@keelson/kube";
import { type SimulatedCluster, startSimulatedCluster } from "../testing/index.ts";
import { cleanUp } from "./clean-up.ts";

const clock = { ...systemClock, sleep: async () => {} };
let cluster: SimulatedCluster;
before(async () => {
  cluster = await startSimulatedCluster();
});
after(() => cluster?.[Symbol.asyncDispose]());

test("what cannot be done now is tried again, what is refused is not", async () => {
  await using context = cluster.context({ clock });
  const rows = [
    [[new KubeError(503, "ServiceUnavailable", "wait")], true, 2],
    [Array.from({ length: 9 }, () => new KubeError(0, "Timeout", "slow")), false, 3],
    [[new KubeError(403, "Forbidden", "no")], false, 1],
  ] as const;
  for (const [failures, done, tries] of rows) {
    let tried = 0;
    const task = async () => {
      const failure = failures[tried++];
      if (failure) throw failure;
    };
    assert.equal(await cleanUp(context, "something", task), done);
    assert.equal(tried, tries);
  }
});

test("an action that was aborted still cleans up", async () => {
  await using context = cluster.context({ clock, signal: AbortSignal.abort(new Error("gone")) });
  await assert.rejects(context.kube().ready(context.signal), /gone/);
  assert.equal(
    await cleanUp(context, "something", async (kube, signal) => {
      assert.equal(await kube.ready(signal), true);
    }),
    true,
  );
});

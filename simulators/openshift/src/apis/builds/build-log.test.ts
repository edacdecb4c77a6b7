import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { BuildWorld } from "../testing/build-world.ts";
import { podOfLog } from "./build-log.ts";

const namespace = "default";

let world: BuildWorld;
before(async () => {
  world = await BuildWorld.start();
  await world.createConfig("web", { output: {}, runPolicy: "Parallel" });
  await world.instantiate("web");
  await world.instantiate("web");
});
after(() => world?.[Symbol.asyncDispose]());

const callOf = (name: string, query = "") => ({
  namespace,
  name,
  query: new URLSearchParams(query),
  signal: new AbortController().signal,
});

test("the log of a build that does not start times out after 30 s, so that clients retry", async () => {
  const clock = new ManualClock();
  let isOver = false;
  const failed = assert
    .rejects(podOfLog(callOf("web-2"), { client: world.client, clock }), {
      code: 504,
      reason: "Timeout",
      message: "Timeout: timed out waiting for build web-2 to start after 30s",
      details: { retryAfterSeconds: 1 },
    })
    .finally(() => {
      isOver = true;
    });
  const began = clock.monotonicMs();
  while (!isOver) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await clock.advance(500);
  }
  await failed;
  assert.ok(clock.monotonicMs() - began >= 30_000);
});

test("a request with nowait gets an empty log, and previous selects the previous build", async () => {
  assert.equal(await world.api.read(`${world.base}/builds/web-2/log?nowait=true`), "");
  await world.setPodPhase("web-1", "Running");
  await world.phase("web-1", "Running");
  const context = { client: world.client, clock: new ManualClock() };
  const pod = await podOfLog(callOf("web-2", "previous=true"), context);
  assert.equal(pod?.metadata.name, "web-1-build");
  await assert.rejects(podOfLog(callOf("web-1", "previous=true"), context), { code: 404 });
});

/** Stops `keelson up` during installations, with Ctrl-C and with SIGTERM, and starts it again. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ArmClient } from "./support/arm-client.ts";
import { Program, StateDirectory } from "./support/program.ts";

/** Updates a separate subscription repeatedly until the service stops. Returns the response statuses. */
async function statusesUntilStopped(client: ArmClient): Promise<readonly number[]> {
  const statuses: number[] = [];
  const path = `/subscriptions/${randomUUID()}?api-version=2.0`;
  try {
    for (;;) statuses.push((await client.call("PUT", path, { state: "Registered" })).status);
  } catch {
    return statuses;
  }
}

describe("up on one state directory", () => {
  const state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto", "--subnets-for", "drained"];
  let running: Program | undefined;
  after(async () => {
    await running?.[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  test("Ctrl-C during the creation of the first cluster drains, and the next start completes it", {
    timeout: 900_000,
  }, async () => {
    await using first = Program.start("up", ...flags);
    while (!/demo Creating +\d\d%/.test(first.stderr)) {
      assert.ok(first.running, first.stderr);
      await delay(20);
    }
    assert.equal(await first.signal("SIGINT"), 130);
    assert.match(first.stderr, /stopping: .*Ctrl-C again/);
    running = Program.start("up", ...flags);
    assert.match(await running.says(/endpoints/), /demo\.kubeconfig/);
    assert.match(running.stderr, /demo Creating +\d+% +\d+\/\d+ +\w[\s\S]*cluster demo Succeeded/);
  });

  test("SIGTERM lets running steps complete, releases the cluster, and the next start resumes it", {
    timeout: 900_000,
  }, async () => {
    const first = running ?? Program.start("up", ...flags);
    running = first;
    await first.says(/endpoints/);
    await using client = new ArmClient(state.file("endpoints.json"));
    await client.registerSubscription();
    const created = await client.createCluster("drained");
    const url = String(created.headers["azure-asyncoperation"]);
    let completed = 0;
    while (completed < 10) {
      completed = (await client.progress(url)).properties?.completedSteps ?? 0;
      await delay(20);
    }
    const writers = Array.from({ length: 8 }, () => statusesUntilStopped(client));
    assert.equal(await first.signal("SIGTERM"), 0, first.stderr);
    const statuses = (await Promise.all(writers)).flat();
    assert.deepEqual(
      statuses.filter((status) => status >= 400 && status !== 503),
      [],
      "a stop is no error of the client",
    );
    await using second = Program.start("up", ...flags);
    await second.says(/endpoints/);
    const resumed = await client.progress(url);
    assert.ok(
      resumed.status === "Succeeded" || resumed.properties.completedSteps >= completed,
      JSON.stringify(resumed),
    );
    assert.equal((await client.settle(url)).status, "Succeeded");
  });
});

/** Tests unmodified `az` with recorded durations. `az aro create` polls at its own interval until the cluster exists. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Az, azVersions } from "./support/az.ts";
import { AzWorld } from "./support/az-world.ts";
import { Recorder } from "./support/recorder.ts";

const factor = 0.02;
const createMs = 45 * 60_000 * factor;
/** Poll interval of `az` in milliseconds for responses without `Retry-After`. */
const intervalMs = 30_000;

describe("az at recorded pace", { timeout: 1_100_000 }, () => {
  const inGroup = ["--resource-group", "paced"];
  let world: AzWorld;
  let recorder: Recorder;
  let az: Az;

  before(async () => {
    world = await AzWorld.start("--pace", `recorded:${factor}`);
    recorder = await Recorder.start(world.state, world.endpoints.arm);
    az = world.az(azVersions.newest, "paced", recorder.environment);
    await az.signIn(world.endpoints);
    await az.text("group", "create", "--name", "paced", "--location", "eastus");
    await az.text(
      ...["network", "vnet", "create", ...inGroup, "--name", "net", "--address-prefixes", "10.0.0.0/22"],
      ...["--subnet-name", "master", "--subnet-prefixes", "10.0.0.0/23"],
    );
    await az.text(
      ...["network", "vnet", "subnet", "create", ...inGroup, "--vnet-name", "net"],
      ...["--name", "worker", "--address-prefixes", "10.0.2.0/23"],
    );
  });
  after(async () => {
    await recorder[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  test("creates a cluster with polls at once and every 30 seconds, all of them Creating but the last", async (t) => {
    const { clientId, clientSecret } = world.endpoints;
    const begun = recorder.exchanges.length;
    const made = await az.json(
      ...["aro", "create", ...inGroup, "--name", "one", "--vnet", "net"],
      ...["--master-subnet", "master", "--worker-subnet", "worker"],
      ...["--client-id", clientId, "--client-secret", clientSecret],
    );
    assert.equal(made.provisioningState, "Succeeded");
    const exchanges = recorder.exchanges.slice(begun);
    const put = exchanges.find(
      ({ method, path }) => method === "PUT" && /openShiftClusters\/one$/i.test(path),
    );
    assert.ok(put && put.status === 201 && put.to - put.from >= 25_000 * factor);
    assert.equal(put.headers["retry-after"], undefined);
    const polls = exchanges.filter(({ path }) => /\/operationsstatus\//i.test(path));
    const statuses = polls.map(({ text }) => JSON.parse(text).status);
    assert.deepEqual([...new Set(statuses)], ["Creating", "Succeeded"]);
    assert.equal(statuses.lastIndexOf("Creating"), statuses.length - 2);
    for (const [at, poll] of polls.entries()) {
      assert.equal(poll.headers["retry-after"], undefined);
      const before = polls[at - 1];
      if (before) assert.ok(poll.from - before.to >= intervalMs - 1_000, `poll ${at}`);
    }
    const validationMs = put.to - put.from;
    const { startTime, endTime } = JSON.parse(polls.at(-1)?.text ?? "{}");
    const creationMs = Date.parse(endTime) - Date.parse(startTime);
    t.diagnostic(
      `validation ${Math.round(validationMs)} ms (recorded: 25 to 33 s, scaled ${25_000 * factor} to ${33_000 * factor} ms), ` +
        `creation ${creationMs} ms (recorded: 45 to 49 min, scaled ${createMs} to ${49 * 60_000 * factor} ms), ` +
        `polls after ${polls.map(({ from }) => Math.round((from - put.to) / 1_000)).join(", ")} s`,
    );
    assert.ok(creationMs >= createMs);
  });
});

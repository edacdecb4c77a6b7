import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { silentLogger, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import { registeredTasks, type ServiceDatabase } from "@keelson/model";
import { TaskRegistration } from "./task-registration.ts";

const signal = AbortSignal.timeout(900_000);
let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

async function untilRegistered(...tasks: readonly string[]): Promise<void> {
  for (;;) {
    const registered = await registeredTasks(database, signal);
    if ([...(registered ?? [])].toSorted().join() === tasks.join()) return;
    await systemClock.sleep(5, signal);
  }
}

test("the tasks of all running actuators are registered until they stop", async () => {
  const options = { database, clock: systemClock, logger: silentLogger };
  assert.equal(await registeredTasks(database, signal), undefined);
  {
    await using _one = new TaskRegistration({ ...options, tasks: ["a", "b"] });
    {
      await using _two = new TaskRegistration({ ...options, tasks: ["b", "c"] });
      await untilRegistered("a", "b", "c");
    }
    await untilRegistered("a", "b");
  }
  assert.equal(await registeredTasks(database, signal), undefined);
});

test("a registration is renewed, also after a failed write", async () => {
  const clock = new ManualClock();
  const outcomes: string[] = [];
  let isDown = true;
  const unreliable: ServiceDatabase = {
    ...database,
    collections: database.collections,
    async commit(...given) {
      outcomes.push(isDown ? "down" : "up");
      if (isDown) throw new Error("the database is down");
      return database.commit(...given);
    },
  };
  await using _registration = new TaskRegistration({
    database: unreliable,
    tasks: ["a"],
    clock,
    logger: silentLogger,
  });
  const untilAsleep = async () => {
    while (clock.sleeping === 0) await systemClock.sleep(5, signal);
  };
  await untilAsleep();
  isDown = false;
  await clock.advance(5_000);
  await untilRegistered("a");
  await untilAsleep();
  await clock.advance(60_000);
  await untilAsleep();
  assert.deepEqual(outcomes, ["down", "up", "up"]);
  await untilRegistered("a");
});

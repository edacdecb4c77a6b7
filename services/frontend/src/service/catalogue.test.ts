import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { silentLogger, systemClock } from "@keelson/base";
import type { ServiceDatabase } from "@keelson/model";
import { addVersion } from "../testing/fake-worker.ts";
import { defaultVersion, startTestFrontend } from "../testing/test-frontend.ts";
import { Catalogue } from "./catalogue.ts";

const signal = new AbortController().signal;

test("versions are read once, again after a change, and always while no feed is followed", async () => {
  await using frontend = await startTestFrontend();
  let reads = 0;
  let duringRead = async () => {};
  const { versions } = frontend.database.collections;
  const database: ServiceDatabase = {
    ...frontend.database,
    collections: {
      ...frontend.database.collections,
      versions: {
        ...versions,
        async list(query, ending) {
          reads++;
          const page = await versions.list(query, ending);
          await duringRead();
          return page;
        },
      },
    },
  };
  const catalogue = new Catalogue(database, systemClock, silentLogger);
  const names = async () => (await catalogue.versions(signal)).names;

  await names();
  await names();
  assert.equal(reads, 2);

  const stop = new AbortController();
  const following = catalogue.follow(stop.signal);
  while (!catalogue.following) await delay(1);
  assert.deepEqual(await names(), [defaultVersion]);
  await names();
  assert.equal(reads, 3);

  // The value was read before the change was delivered, so it must not be cached.
  const generation = catalogue.generation;
  await addVersion(frontend.database, "4.20.1");
  while (catalogue.generation === generation) await delay(1);
  duringRead = async () => {
    const before = catalogue.generation;
    await addVersion(frontend.database, "4.20.2");
    while (catalogue.generation === before) await delay(1);
  };
  assert.deepEqual(await names(), [defaultVersion, "4.20.1"]);
  duringRead = async () => {};
  assert.deepEqual(await names(), [defaultVersion, "4.20.1", "4.20.2"]);

  stop.abort();
  await following;
  assert.equal(catalogue.following, false);
});

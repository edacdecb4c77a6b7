import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded, silentLogger } from "@keelson/base";
import { sqlFailure } from "../driver.ts";
import { pgliteDriver } from "./driver.ts";

const signal = AbortSignal.timeout(60_000);
const failing = (state: string) => ({
  text: `do $$ begin raise exception 'no room' using errcode = '${state}'; end $$`,
});

test("a full disk passes, so it is told as a store that is unavailable for now", async () => {
  await using connection = await pgliteDriver({ dataDir: undefined }).open({ logger: silentLogger, signal });
  for (const state of ["53100", "58030"]) {
    await assert.rejects(
      connection.query(failing(state), [], signal),
      (error) => isCoded(error, "StoreUnavailable") && /no room/.test(error.message),
    );
  }
  await assert.rejects(
    connection.query(failing("23505"), [], signal),
    (error) => sqlFailure(error)?.state === "23505",
  );
  assert.deepEqual(await connection.query({ text: "select 1 as one" }, [], signal), [{ one: "1" }]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded, silentLogger } from "@keelson/base";
import { sqlFailure } from "../drivers/driver.ts";
import { freshMemoryDriver } from "../testing/memory-driver.ts";

const signal = AbortSignal.timeout(900_000);
const failing = (state: string) => ({
  text: `do $$ begin raise exception 'no room' using errcode = '${state}'; end $$`,
});

test("a full disk is temporary and reported as an unavailable store", async () => {
  await using connection = await (await freshMemoryDriver()).open({ logger: silentLogger, signal });
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

test("maintenance gives back the room of deleted rows, in files and in the log", async () => {
  await using connection = await (await freshMemoryDriver()).open({ logger: silentLogger, signal });
  const ask = async (text: string) => (await connection.query({ text }, [], signal))[0]?.response;
  await ask("create table filled (text text)");
  await ask("insert into filled select repeat('x', 1000) from generate_series(1, 2000)");
  await ask("delete from filled");
  const bytes = "select pg_relation_size('filled')::text as response";
  const checkpoint = "select redo_lsn::text as response from pg_control_checkpoint()";
  const before = await ask(checkpoint);
  assert.ok(Number(await ask(bytes)) > 2_000_000);
  await connection.maintain(["filled"], signal);
  assert.equal(await ask(bytes), "0");
  assert.notEqual(await ask(checkpoint), before);
});

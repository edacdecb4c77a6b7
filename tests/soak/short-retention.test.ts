import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { freshMemoryDriver } from "@keelson/database/testing";
import { countDocuments, shortenRetention } from "./short-retention.ts";

test("documents expire within the limit, and those with less time keep it", async () => {
  const signal = AbortSignal.timeout(600_000);
  await using database = await (await freshMemoryDriver()).open({ logger: silentLogger, signal });
  const query = (text: string) => database.query({ text }, [], signal);
  await query("create table documents (id text, expires_at timestamptz)");
  await shortenRetention(database, 20, signal);
  // A later call replaces the previous limit.
  await shortenRetention(database, 10, signal);
  await query(
    "insert into documents values ('week', now() + interval '7 days'), ('minute', now() + interval '1 minute'), ('never', null)",
  );
  const rows = await query(
    "select id, ceil(extract(epoch from expires_at - now()) / 60)::text as minutes from documents order by id",
  );
  assert.deepEqual(
    rows.map(({ id, minutes }) => [id, minutes]),
    [
      ["minute", "1"],
      ["never", null],
      ["week", "10"],
    ],
  );
  const { documents, journal } = await countDocuments(database, signal);
  assert.deepEqual([documents, journal], [3, 0]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { StatementNames } from "./statement-name.ts";

test("statements are named by what they do and their table", () => {
  const names = new StatementNames();
  const cases: readonly (readonly [text: string, name: string])[] = [
    [
      "with write0 as (update openshift_clusters set etag = 1 where id = $1 returning etag::text) select require_effect((select etag from write0), 0) as etag0",
      "commit openshift_clusters",
    ],
    [
      "select id from acquire_openshift_clusters($1::text, $2, $3, $4) acquired",
      "acquire openshift_clusters",
    ],
    ["update journal set lease_expires = clock_timestamp() where id = $1 returning id", "renew journal"],
    ["update journal set lease_owner = null, lease_expires = null where id = $1", "release journal"],
    ["delete from journal t using (select id from journal) expired returning 1", "remove journal"],
    ["select count(*) from openshift_clusters where queue_position is not null", "read openshift_clusters"],
    ["select 1::text as one", "read"],
  ];
  for (const [text, name] of cases) assert.equal(names.nameOf({ text }), name, text);
});

test("at most 100 names exist, the rest is other", () => {
  const names = new StatementNames();
  const made = Array.from({ length: 500 }, (_, index) =>
    names.nameOf({ text: `select a from table_${index}` }),
  );
  assert.equal(new Set(made).size, 100);
  assert.equal(made[499], "other");
  assert.equal(names.nameOf({ text: "select a from table_3" }), "read table_3");
});

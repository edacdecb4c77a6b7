import assert from "node:assert/strict";
import { test } from "node:test";
import { purgeRules, reasonToKeep } from "./purge-rules.ts";

const now = new Date("2026-01-10T00:00:00Z");
const old = { createdAt: "2026-01-07T00:00:00.000Z" };
const rules = purgeRules({});

test("groups go that are older than two days and that nothing protects", () => {
  assert.equal(reasonToKeep({ name: "v4-e2e", tags: old }, rules, now), undefined);
  assert.equal(reasonToKeep({ name: "v4-e2e", tags: { CreatedAt: old.createdAt } }, rules, now), undefined);
});

for (const [name, tags, reason] of [
  ["young", { createdAt: "2026-01-08T00:00:01Z" }, "it is not old enough"],
  ["future", { createdAt: "2027-01-01T00:00:00Z" }, "it is not old enough"],
  ["untagged", {}, "it has no tag createdAt"],
  ["unclear", { createdAt: "yesterday" }, "its tag createdAt is no time"],
  ["kept", { ...old, persist: "" }, "it has the tag persist"],
  ["kept", { ...old, Persist: "true" }, "it has the tag persist"],
  ["v4-eastus", old, "it is on the deny list"],
  ["V4-WestEurope-AKS1", old, "it is on the deny list"],
  ["images", old, "it is on the deny list"],
  ["", old, "it has no name"],
] as const) {
  test(`${name || "a nameless one"} stays: ${reason}`, () => {
    assert.equal(reasonToKeep({ name, tags }, rules, now), reason);
  });
}

test("the environment sets age, tag and prefixes", () => {
  const other = purgeRules({
    AZURE_PURGE_TTL: "1h30m",
    AZURE_PURGE_CREATED_TAG: "made",
    AZURE_PURGE_RESOURCEGROUP_PREFIXES: "e2e-,v4-",
  });
  assert.deepEqual(other, { ttlMs: 5_400_000, createdTag: "made", prefixes: ["e2e-", "v4-"] });
  assert.equal(
    reasonToKeep({ name: "e2e-1", tags: { made: "2026-01-09T22:00:00Z" } }, other, now),
    undefined,
  );
  assert.equal(
    reasonToKeep({ name: "mine", tags: { made: "2020-01-09T22:00:00Z" } }, other, now),
    "its name has none of the prefixes",
  );
  assert.throws(() => purgeRules({ AZURE_PURGE_TTL: "two days" }), /expected a duration/);
});

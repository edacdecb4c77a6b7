import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { hasHash, hashPassword } from "./passwords.ts";

const owner = {};

test("a hash is of cost 10, the same for the same seed, and of its password only", async () => {
  const hash = await hashPassword("abcde-fghij-kmnpq-rstuv", "seed");
  assert.match(hash, /^\$2a\$10\$[./A-Za-z0-9]{53}$/);
  assert.equal(await hashPassword("abcde-fghij-kmnpq-rstuv", "seed"), hash);
  assert.notEqual(await hashPassword("abcde-fghij-kmnpq-rstuv", "other"), hash);
  assert.equal(await hasHash("abcde-fghij-kmnpq-rstuv", hash, owner), true);
  assert.equal(await hasHash("wrong", hash, owner), false);
});

test("hashes of Go programs are accepted", async () => {
  // Test vector of jBCrypt.
  const hash = "$2a$10$k87L/MF28Q673VKh8/cPi.SUl7MU/rWuSiIDDFayrKk/1tBsSQu4u";
  assert.equal(await hasHash("a", hash, owner), true);
  assert.equal(await hasHash("", hash, owner), false);
});

for (const hash of ["", "$2a$10$hash", "$scrypt$a$b", `$1a$10$${"a".repeat(53)}`])
  test(`${JSON.stringify(hash)} never matches a password`, async () => {
    assert.equal(await hasHash("a", hash, owner), false);
  });

test("checks of one cluster beyond 32 pending ones are rejected, those of other clusters are not", async () => {
  // Hash of "a" with cost 4. A check of cost 10 would use 64 times as much CPU time.
  const hash = "$2a$04$EZHWTsF/SKoBRN9GrXqhpO0Cn1g6nYbKJUfowQVchwwloR3zNL9QG";
  const other = hasHash("a", hash, {});
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => hasHash("a", hash, owner)));
  assert.ok(outcomes.some(({ status }) => status === "fulfilled"));
  const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  assert.ok(refused.length >= 7 && refused.every((error) => isCoded(error, "TooManyPasswords")));
  assert.equal(await other, true);
});

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { createPrincipal, loadOrCreateIdentity } from "./identity.ts";

test("secrets are no options on a command line, nor need quotes in a shell", () => {
  const secrets = Array.from({ length: 500 }, () => createPrincipal().clientSecret);
  for (const each of secrets) assert.match(each, /^[a-z0-9]{48}$/);
  assert.equal(new Set(secrets).size, secrets.length);
});

test("secrets are made once, and not again where documents are sealed under those that are gone", () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-identity-"));
  try {
    const made = loadOrCreateIdentity(directory);
    mkdirSync(join(directory, "database"));
    assert.deepEqual(loadOrCreateIdentity(directory), made);
    rmSync(join(directory, "secrets.json"));
    assert.throws(
      () => loadOrCreateIdentity(directory),
      (error) => isCoded(error, "StateUnreadable") && /secrets\.json .*backup/.test(error.message),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("IDs of two directories with the same seed are equal, and their secrets differ", () => {
  const root = mkdtempSync(join(tmpdir(), "keelson-identity-"));
  try {
    const [first, second, third] = [7, 7, 8].map((seed, at) => {
      const directory = join(root, String(at));
      mkdirSync(directory);
      return loadOrCreateIdentity(directory, seed);
    });
    const idsOf = (identity: typeof first) => [
      identity?.tenantId,
      identity?.subscriptionId,
      identity?.firstParty.clientId,
      identity?.user.clientId,
    ];
    assert.deepEqual(idsOf(first), idsOf(second));
    assert.equal(new Set([...idsOf(first), ...idsOf(third)]).size, 8);
    for (const id of idsOf(first))
      assert.match(id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
    assert.notEqual(first?.adminToken, second?.adminToken);
    assert.notEqual(first?.user.clientSecret, second?.user.clientSecret);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a directory with a different seed is rejected, and its own seed is accepted", () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-identity-"));
  try {
    const made = loadOrCreateIdentity(directory, 7);
    assert.deepEqual(loadOrCreateIdentity(directory, 7), made);
    assert.deepEqual(loadOrCreateIdentity(directory), made);
    assert.throws(
      () => loadOrCreateIdentity(directory, 8),
      (error) =>
        isCoded(error, "StateUnusable") &&
        /created with the seed 7, so --seed 8 .*--state/.test(error.message),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

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

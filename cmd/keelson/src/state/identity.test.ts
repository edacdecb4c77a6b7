import assert from "node:assert/strict";
import { test } from "node:test";
import { createPrincipal } from "./identity.ts";

test("secrets are no options on a command line, nor need quotes in a shell", () => {
  const secrets = Array.from({ length: 500 }, () => createPrincipal().clientSecret);
  for (const each of secrets) assert.match(each, /^[a-z0-9]{48}$/);
  assert.equal(new Set(secrets).size, secrets.length);
});

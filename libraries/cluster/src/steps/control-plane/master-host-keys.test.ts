import assert from "node:assert/strict";
import { test } from "node:test";
import { hostKeysIn } from "./master-host-keys.ts";

const key = (letter: string) => `SHA256:${letter.repeat(43)}`;

test("host keys are read off a serial console, each once", () => {
  const boot = [
    "Ignition: ran",
    `SSH host key: ${key("A")} (ECDSA)`,
    `SSH host key: ${key("B")} (ED25519)`,
    "login:",
  ];
  assert.deepEqual(hostKeysIn([...boot, ...boot].join("\n")), [key("A"), key("B")]);
});

test("what only looks like a host key is none", () => {
  for (const line of [
    `x SSH host key: ${key("A")} (RSA)`,
    "SSH host key: SHA256:AAAA (RSA)",
    `SSH host key: ${key("A")}`,
    `SSH host key: MD5:${"a".repeat(43)} (RSA)`,
  ])
    assert.deepEqual(hostKeysIn(line), [], line);
});

test("of a machine that made new keys, the newest count", () => {
  const lines = [..."ABCDEFGH"].map((letter) => `SSH host key: ${key(letter)} (RSA)`);
  assert.deepEqual(hostKeysIn(lines.join("\n")), [..."CDEFGH"].map(key));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopbackAddress } from "./loopback.ts";

for (const [address, expected] of [
  ["127.0.0.1", true],
  ["127.255.255.254", true],
  ["::1", true],
  ["0:0:0:0:0:0:0:1", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["::ffff:0.0.0.0", false],
  ["::ffff:10.0.0.1", false],
  ["10.0.0.4", false],
  ["128.0.0.1", false],
  ["fe80::1", false],
  ["localhost", false],
  ["127.0.0.1.example", false],
  ["0177.0.0.1", false],
  ["127.1", false],
  ["", false],
] as const) {
  test(`${address || "nothing"} is ${expected ? "" : "no "}loopback address`, () => {
    assert.equal(isLoopbackAddress(address), expected);
  });
}

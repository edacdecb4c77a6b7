import assert from "node:assert/strict";
import { test } from "node:test";
import { hostAndPort } from "./host-and-port.ts";

const cases: readonly (readonly [text: string, expected: ReturnType<typeof hostAndPort>])[] = [
  ["example.com:443", { host: "example.com", port: 443 }],
  ["10.0.0.4:6443", { host: "10.0.0.4", port: 6443 }],
  ["[::1]:443", { host: "::1", port: 443 }],
  ["example.com", undefined],
  ["example.com:", undefined],
  ["example.com:0", undefined],
  ["example.com:65536", undefined],
  ["::1:443", undefined],
  ["user@example.com:443", undefined],
  ["http://example.com:443", undefined],
  [`${"a".repeat(254)}:443`, undefined],
  ["", undefined],
];
for (const [text, expected] of cases)
  test(`${JSON.stringify(text.slice(0, 40))} is ${expected ? "a host and a port" : "invalid"}`, () =>
    assert.deepEqual(hostAndPort(text), expected));
